# Everything a clone needs: `make run` shows it, `make test` proves it. Both work offline once set up.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

# The page is built with the Node of .venv. Its types, which only its checks need, come from the server's own schemas.
NPM := cd web && PATH="$(CURDIR)/$(BIN):$$PATH" npm --loglevel=error
NPM_READY := web/node_modules/.ready
PAGE := parlour/web/build.txt
PAGE_SOURCES := $(shell find web \( -name node_modules -o -name generated \) -prune -o -type f -print)

# Many tests wait for sockets, child processes and browsers, so two more run than there are cores.
WORKERS ?= $(shell expr $$(nproc 2>/dev/null || echo 2) + 2)

# Without cached bytecode every process that the tests start compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup run page demo test lint lint-python lint-page unit slow golden bench baselines peers docs screenshots animations lock clean
.PHONY: wheel compiled compiled-wheel compiled-tests

help:  ## list what can be made
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-9s %s\n", $$1, $$2}'

setup: $(READY)  ## build .venv from requirements.lock

$(READY): requirements.lock pyproject.toml
	@sh tools/setup.sh $(PYTHON)
	@touch $@

run: $(READY)  ## serve the page and all games on 127.0.0.1:8000, and keep every move in arena.db
	@$(MAKE) --silent --no-print-directory page || echo "The page could not be built, so only the API is served. The reason is above." >&2
	@$(BIN)/parlour serve --house-tables

page: $(PAGE)  ## build the page into parlour/web

$(NPM_READY): web/package-lock.json $(READY)
	@echo "Installing what the page is built with ..."
	@$(NPM) ci --no-progress
	@touch $@

$(PAGE): $(NPM_READY) $(PAGE_SOURCES)
	@echo "Building the page ..."
	@$(NPM) run --silent build

demo: $(READY)  ## watch four bots play For Sale in the terminal
	@$(BIN)/parlour demo

test: BESIDE_LINT := compiled-wheel
test: lint compiled-tests unit  ## everything that must hold: style, types, layers, then the tests in both forms

lint: $(READY) $(NPM_READY)  ## style, types and layers; the same and the unit tests of the page
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	@$(MAKE) --no-print-directory -j3 --output-sync=target lint-python lint-page $(BESIDE_LINT)

lint-python: $(READY)
	$(BIN)/lint-imports --no-cache
	$(BIN)/mypy

lint-page: $(READY) $(NPM_READY)
	$(BIN)/python web/schemas.py web/src/generated
	$(NPM) run --silent types
	$(NPM) run --silent style
	$(NPM) run --silent check
	$(NPM) run --silent test

# In this order, tests that wait for browsers and tests that compute run beside each other.
unit: $(READY) $(PAGE)
	$(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder -m "not slow and not alone"
	$(BIN)/python -m pytest -m "alone and not slow" $$(grep -rl --include="*.py" "mark.alone" tests)

# Compiling takes one core for a minute, and so runs beside the checks of style and types.
compiled-wheel: $(READY)
	@$(BIN)/python tools/compiled.py build

compiled-tests: $(READY)
	@$(BIN)/python tools/compiled.py test -n $(WORKERS)

slow: $(READY)  ## the long checks: a thousand child-process games in a row
	$(BIN)/python -m pytest -m slow

golden: $(READY)  ## remake the golden transcripts; read the difference before committing it
	$(BIN)/python -m pytest tests/contract -k golden --update-golden

bench: $(READY)  ## measure both forms, beside other projects if make peers has installed them
	@$(BIN)/python tools/compiled.py install
	$(BIN)/python bench/speed.py

baselines: $(READY)  ## play tournaments/*.toml for a quarter of an hour, and write docs/baselines.md
	$(BIN)/python tools/baselines.py

peers: $(READY)  ## install what bench/environments.py compares with, each into .peers/NAME
	@$(BIN)/python bench/peer_runs.py install

wheel: $(READY) $(PAGE)  ## build a wheel in dist/, compiled if there is a C compiler
	@$(BIN)/python tools/wheel.py

compiled: $(READY) $(PAGE)  ## install the compiled wheel in .compiled/, apart from the clone
	@$(BIN)/python tools/compiled.py install

docs: $(READY)  ## build the documentation into site/
	$(BIN)/python docs/schemas.py
	$(BIN)/zensical build --strict --clean

screenshots: $(READY) $(PAGE)  ## take pictures of every page and table into screenshots/
	$(BIN)/python tools/screenshots.py

animations: $(READY) $(PAGE)  ## record a short animated picture of each game into docs/images
	$(BIN)/python tools/animations.py

lock:  ## pin the newest releases anew (needs uv)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --upgrade --group dev pyproject.toml -o requirements.lock

clean:  ## remove all that make has made
	rm -rf .venv .compiled .wheels .peers dist site parlour/web web/node_modules web/src/generated .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
