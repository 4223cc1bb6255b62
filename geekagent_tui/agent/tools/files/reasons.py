"""Why a file could not be used, for model and user."""

from __future__ import annotations

from geekagent_tui.agent.settings import os_reason
from geekagent_tui.agent.tools.base import ToolResult
from geekagent_tui.agent.tools.files.text import BinaryError
from geekagent_tui.agent.tools.files.tree import (
    MAX_FILE,
    ChangedError,
    NotAFileError,
    OutsideError,
    TooLargeError,
)
from geekagent_tui.texts.tools import ToolTexts


def refusal(error: OSError | BinaryError, path: str, texts: ToolTexts) -> ToolResult:
    """``error`` about ``path`` as a result."""
    match error:
        case OutsideError():
            text = texts.outside
        case TooLargeError():
            return ToolResult(texts.too_large.format(path=path, limit=f"{MAX_FILE:,}"), ok=False)
        case NotAFileError() | IsADirectoryError():
            text = texts.not_file
        case ChangedError():
            text = texts.changed
        case FileNotFoundError():
            text = texts.missing
        case NotADirectoryError():
            text = texts.not_folder
        case BinaryError():
            text = texts.binary
        case OSError():
            return ToolResult(texts.os_problem.format(path=path, reason=os_reason(error)), ok=False)
    return ToolResult(text.format(path=path), ok=False)
