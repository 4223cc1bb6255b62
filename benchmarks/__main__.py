"""``make bench``: every benchmark, one after another. ``python -m benchmarks NAME …``: one, with its options."""

from __future__ import annotations

import sys

from benchmarks import composer, floor, lexical, live, recall, startup, streaming

BENCHMARKS = {
    "recall": ("Recall", recall.main, []),
    "lexical": ("Recall by words, beside the peers", lexical.main, ["--sizes", "1000,10000"]),
    "floor": ("The floor", floor.main, []),
    "live": ("The preview of recall", live.main, ["--chunks", "20000"]),
    "startup": ("Start and keys", startup.main, []),
    "composer": ("Composer", composer.main, []),
    "streaming": ("Streaming and long sessions", streaming.main, ["--quick"]),
}


def main(argv: list[str]) -> int:
    if argv:
        if argv[0] not in BENCHMARKS:
            print(f"There is no benchmark {argv[0]!r}; there are: {', '.join(BENCHMARKS)}", file=sys.stderr)
            return 2
        return BENCHMARKS[argv[0]][1](argv[1:])
    for title, run, options in BENCHMARKS.values():
        print(f"\n== {title} ==\n")
        if code := run(options):
            return code
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
