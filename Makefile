# Two commands do everything: `make run` and `make test`. Both set up `.venv` by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PROJECT := $(PIP) --no-deps --no-build-isolation --editable .

.PHONY: help install run test check bench screenshots lock clean

help: ## List the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "geekagent needs Python 3.11 or newer; name one with: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements/run.txt pyproject.toml | $(BIN)/python
	@echo "Installing geekagent into $(VENV) …" >&2
	@$(PIP) --require-hashes -r requirements/run.txt
	@$(PROJECT)
	@touch $@

$(VENV)/.dev: requirements/dev.txt pyproject.toml | $(BIN)/python
	@echo "Installing the test tools into $(VENV) …" >&2
	@$(PIP) --require-hashes -r requirements/dev.txt
	@$(PROJECT)
	@touch $@ $(VENV)/.run

$(VENV)/.bench: requirements/bench.txt | $(VENV)/.run
	@$(PIP) --require-hashes -r requirements/bench.txt
	@touch $@

install: $(VENV)/.run ## Make .venv with .venv/bin/geekagent

run: install ## Open the app
	@$(BIN)/geekagent

test: $(VENV)/.dev ## Run the whole test suite
	@$(BIN)/python -m pytest -n auto

check: $(VENV)/.dev ## Lint, format check, strict types
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy

bench: $(VENV)/.bench ## Measure, beside the peers, as ratios
	@$(BIN)/python -m benchmarks

screenshots: $(VENV)/.dev ## Make the pictures of the README from the app itself
	@$(BIN)/python -m benchmarks.screenshots

lock: $(VENV)/.dev ## Renew the pinned and hashed requirement files
	@$(PIP) uv
	@cd requirements && PATH="$(abspath $(BIN)):$$PATH" sh ./lock.sh

clean: ## Remove .venv and caches
	@rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache
