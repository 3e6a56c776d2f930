# Two commands for a newcomer: `make run` and `make test`. Each prepares what it needs and starts in seconds next time.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet --constraint constraints.txt

.PHONY: run test check fmt bench browser help clean
.DEFAULT_GOAL := help

help: ## what can be made
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 10

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "Viva needs Python 3.11 or newer; name one with: make PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV) || \
		{ echo "creating $(VENV) failed; on Debian and Ubuntu: apt install python3-venv"; rm -rf $(VENV); exit 1; }

$(VENV)/.run: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing Viva into $(VENV) (some minutes the first time)"
	$(INSTALL) --editable ".[ui,sandbox]"
	@touch $@

$(VENV)/.dev: pyproject.toml constraints.txt | $(BIN)/python
	@echo "installing Viva and its tools into $(VENV) (some minutes the first time)"
	$(INSTALL) --editable ".[dev]"
	@touch $@ $(VENV)/.run

run: $(VENV)/.run ## open the page on 127.0.0.1:7860
	$(BIN)/viva serve

browser: $(VENV)/.dev
	@$(BIN)/python tests/browser/install.py

test: $(VENV)/.dev browser ## everything, browser tests included
	$(BIN)/python -m pytest

check: $(VENV)/.dev ## format, lint, types, and the tests that take no browser
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -m "not browser and not slow"

fmt: $(VENV)/.dev ## format and sort imports
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

bench: $(VENV)/.dev ## the figures of the README, on this machine
	$(BIN)/python -m benchmarks.start_time
	$(BIN)/python -m benchmarks.turn_latency
	$(BIN)/python -m benchmarks.sandbox
	$(BIN)/python -m benchmarks.retrieval
	$(BIN)/python -m evals.judging --split test

clean: ## remove the environment and caches; recorded interviews stay where they are
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis
