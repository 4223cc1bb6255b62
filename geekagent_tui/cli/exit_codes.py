"""What the program's exit codes mean. ``--help`` prints them."""

from __future__ import annotations

OK = 0
FAILED = 1
USAGE = 2
SETTINGS = 3
MEMORY = 4
INTERRUPTED = 130
