"""``python -m geekagent_tui`` and the ``geekagent`` command."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line and return its exit code."""
    from geekagent_tui.cli.main import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
