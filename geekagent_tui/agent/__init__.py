"""A turn as a stream of typed events. Knows memory; knows nothing of any interface."""
