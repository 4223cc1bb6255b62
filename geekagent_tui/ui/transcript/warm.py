"""What parser and highlighter need at their first use, made before: 30 to 150 ms each, seen as a stall."""

from __future__ import annotations

from geekagent_tui.ui.transcript.blocks import stacked
from geekagent_tui.ui.transcript.code import highlight, lexer_for
from geekagent_tui.ui.transcript.flow import Flow

_LANGUAGES = """
python bash json javascript typescript yaml sql html diff toml go rust java c cpp csharp kotlin ruby php css
markdown docker make
"""

_SAMPLE = """# a **b** `c`

- [x] d
  1. e *f*

|g|h|
|-|-|
|i|j|

> k <b>l</b> ~~m~~ [n](o) [^1]

[^1]: p

中，文 👩‍👩‍👧
"""


def warm() -> None:
    """Load both and use each kind of thing once. For a thread; a second call costs nothing."""
    stacked(Flow.of(_SAMPLE).blocks, 40)
    for language in _LANGUAGES.split():
        highlight(["x"], lexer_for(language))
