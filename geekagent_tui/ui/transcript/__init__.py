"""The virtualised, line-based view of a list of turns."""

from geekagent_tui.ui.transcript.view import Transcript

__all__ = ["Transcript"]
