#!/bin/sh
# Renews the pinned, hashed requirement files. They name versions and hashes only, never a download address.
set -eu
cd "$(dirname "$0")/.."
lock() {
  uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
    --no-emit-index-url --no-annotate --no-header pyproject.toml "$@"
}
lock --group build --output-file requirements/run.txt
lock --group build --group test --group check --constraint requirements/run.txt --output-file requirements/dev.txt
lock --group build --group bench --constraint requirements/run.txt --output-file requirements/bench.txt
