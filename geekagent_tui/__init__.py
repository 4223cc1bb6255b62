"""GeekAgent TUI: a terminal agent whose long-term memory comes to mind by itself."""

__version__ = "0.1.0"
