"""The same product without a screen: events as text or JSON lines."""
