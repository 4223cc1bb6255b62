"""fetch: a page of the web as text."""
