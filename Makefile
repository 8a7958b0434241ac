# Every target sets up what it needs; `make help` lists them.
SHELL := /bin/bash
.DEFAULT_GOAL := help

PYTHON := .venv/bin/python
HANDS ?=
SEED ?=
ARGS ?=
PHOTOS ?=
ARTWORK ?=
OUT ?= build/model
WORKERS ?= 2

.PHONY: help demo test lint bench eval train lock clean setup setup-test setup-firmware \
	firmware firmware-header fuzz-firmware package package-check fuzz long-run

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

setup:
	@scripts/setup.sh run

setup-test:
	@scripts/setup.sh test

setup-firmware:
	@scripts/setup.sh firmware

demo: setup ## play the simulated table; HANDS=3 SEED=1 ARGS="--no-browser --json"
	@$(PYTHON) -m controller.cli demo $(if $(HANDS),--hands $(HANDS)) $(if $(SEED),--seed $(SEED)) $(ARGS)

test: setup-test ## run all tests; ARGS="-k burn"
	@$(PYTHON) -m pytest -q -n $(WORKERS) $(ARGS)

lint: setup ## style (ruff), types (mypy strict) and layers (import-linter)
	$(PYTHON) -m ruff check .
	$(PYTHON) -m ruff format --check .
	$(PYTHON) -m mypy
	.venv/bin/lint-imports

firmware: setup-firmware ## build the reference firmware for the host and the ATmega2560
	@$(MAKE) --no-print-directory -C firmware all
	@avr-size build/firmware/shuffler-atmega2560.elf

firmware-header: setup ## write the firmware's header and golden vectors from the message table
	@$(PYTHON) scripts/generate_firmware_tables.py

fuzz-firmware: setup-firmware ## fuzz the firmware for long; RUNS=1000000 SEED=1
	@$(MAKE) --no-print-directory -C firmware fuzz
	@build/firmware/fuzz $(or $(SEED),1) $(or $(RUNS),1000000)

bench: setup-firmware ## measure everything in one run and print ratios
	@$(PYTHON) scripts/run_benchmarks.py

eval: setup ## accuracy of the recogniser on labelled photographs; PHOTOS=folder
	@$(if $(PHOTOS),,echo "make eval: say where the labelled photographs are: make eval PHOTOS=folder" >&2; exit 2)
	@$(PYTHON) -m vision.evaluation "$(PHOTOS)" $(ARGS)

train: setup ## train the recogniser from card pictures; ARTWORK=folder OUT=build/model
	@$(if $(ARTWORK),,echo "make train: say where the card pictures are: make train ARTWORK=folder" >&2; exit 2)
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check -e '.[train]'
	@$(PYTHON) -m vision.training --artwork "$(ARTWORK)" --out "$(OUT)" $(ARGS)

package: setup ## build a wheel and a Debian package; OUT=dist
	@scripts/package.sh "$(if $(filter command line,$(origin OUT)),$(OUT),dist)"

package-check: package ## install the wheel in an environment of its own and use it there
	@scripts/check_package.sh "$(if $(filter command line,$(origin OUT)),$(OUT),dist)"

fuzz: setup-test ## feed every parser bad input for long; RUNS=20000 for each
	@FUZZ_EXAMPLES=$(or $(RUNS),20000) $(PYTHON) -m pytest -q -n $(WORKERS) tests/fuzzing -k anything

long-run: setup ## play a day of hands in compressed time and see that nothing grows; ARGS="--hands 960"
	@$(PYTHON) -m scripts.long_run $(ARGS)

lock: setup ## resolve the newest versions anew and write the lock files
	@$(PYTHON) -m pip install --quiet --disable-pip-version-check uv
	@$(PYTHON) -m uv pip compile pyproject.toml --extra test --extra lint --universal \
		--generate-hashes --no-header --upgrade -q -o requirements.lock
	@$(PYTHON) -m uv pip compile pyproject.toml --constraints requirements.lock --universal \
		--generate-hashes --no-header --no-annotate -q -o requirements-run.lock
	@$(PYTHON) -m uv pip compile scripts/build-requirements.in --universal --python-version 3.11 \
		--generate-hashes --no-header --no-annotate --upgrade -q -o requirements-build.lock

clean: ## remove the virtual environment and everything generated
	rm -rf .venv build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache .hypothesis .cutcard
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
