"""Screens on top of the chat."""
