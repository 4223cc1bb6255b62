"""``make bench``: every benchmark, one after another."""

from __future__ import annotations

import sys

from benchmarks import composer, recall, startup

if __name__ == "__main__":
    for title, run in (
        ("Recall", recall.main),
        ("Start and keys", startup.main),
        ("Composer", composer.main),
    ):
        print(f"\n== {title} ==\n")
        if code := run([]):
            sys.exit(code)
