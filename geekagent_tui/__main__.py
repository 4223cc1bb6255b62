"""``python -m geekagent_tui`` and the ``geekagent`` command."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line and return its exit code."""
    try:
        from geekagent_tui.cli.main import main as run

        return run()
    except KeyboardInterrupt:
        # Pressed before the command line was ready to say anything about it.
        return 130


if __name__ == "__main__":
    sys.exit(main())
