"""The virtualised, line-based view of a list of turns."""
