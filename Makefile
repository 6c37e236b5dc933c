# Everything a clone needs: `make run` shows it, `make test` proves it. Both work offline once set up.

PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready

# Without cached bytecode every process that the tests start compiles all modules again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help setup run demo test lint unit slow golden bench docs lock clean

help:  ## list what can be made
	@grep -hE '^[a-z]+:.*## ' $(MAKEFILE_LIST) | awk -F ':.*## ' '{printf "  make %-8s %s\n", $$1, $$2}'

setup: $(READY)  ## build .venv from requirements.lock

$(READY): requirements.lock pyproject.toml
	@sh tools/setup.sh $(PYTHON)
	@touch $@

run: $(READY)  ## serve all games on 127.0.0.1:8000, and keep every move in arena.db
	@$(BIN)/parlour serve

demo: $(READY)  ## watch four bots play For Sale in the terminal
	@$(BIN)/parlour demo

test: lint unit  ## everything that must hold: style, types, layers, then the tests

lint: $(READY)  ## style, types and layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --no-cache

unit: $(READY)
	$(BIN)/python -m pytest -n auto --dist loadfile -m "not slow and not alone"
	$(BIN)/python -m pytest -m "alone and not slow" $$(grep -rl --include="*.py" "mark.alone" tests)

slow: $(READY)  ## the long checks: a thousand child-process games in a row
	$(BIN)/python -m pytest -m slow

golden: $(READY)  ## remake the golden transcripts; read the difference before committing it
	$(BIN)/python -m pytest tests/contract -k golden --update-golden

bench: $(READY)  ## measure, and print the table of bench/README.md
	$(BIN)/python bench/speed.py

docs: $(READY)  ## build the documentation into site/
	$(BIN)/python docs/schemas.py
	$(BIN)/zensical build --strict --clean

lock:  ## pin the newest releases anew (needs uv)
	uv pip compile --universal --python-version 3.11 --generate-hashes --no-emit-index-url --upgrade --group dev pyproject.toml -o requirements.lock

clean:  ## remove all that make has made
	rm -rf .venv site .cache .mypy_cache .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
