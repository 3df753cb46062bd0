# Everything runs in .venv, which is set up once and again whenever a lock file changes.

PYTHON ?= python3
ARGS ?=
UPGRADE ?=
UV_VERSION := 0.13.9

BIN := .venv/bin
BUILD := build/lock
COMPILE := $(BUILD)/venv/bin/uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--generate-hashes --annotation-style line --custom-compile-command "make lock" $(UPGRADE) pyproject.toml
LINK := $(BIN)/python -I -m pip install --quiet --disable-pip-version-check --no-index --no-deps \
	--no-build-isolation --editable .

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help demo example-run test format lint types imports actions unit coverage weather e2e mutation fix golden docs bench bench-simulation bench-container lock clean

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: .venv/demo ## Decide two example promotions: one passes, one is blocked
	$(BIN)/evalgate demo

example-run: .venv/test ## Run the cases of examples/skills on a scripted model, and gate two candidates; a minute
	$(BIN)/python -m examples.run_skills

test: format lint types imports actions coverage ## Run everything below down to coverage; this is what must pass

format: .venv/test ## Check the layout of the code (make fix repairs it)
	$(BIN)/ruff format --check .

lint: .venv/test ## Check the code against the lint rules
	$(BIN)/ruff check .

types: .venv/test ## Check the types
	$(BIN)/mypy

imports: .venv/test ## Check which part may import which
	$(BIN)/lint-imports

actions: .venv/test ## Check the action, the workflows and the image's recipe
	$(BIN)/zizmor --quiet --pedantic --offline --config .github/zizmor.yml action.yml .github/workflows examples/workflows
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-actions action.yml
	$(BIN)/check-jsonschema --quiet --builtin-schema vendor.github-workflows .github/workflows/*.yml examples/workflows/*.yml
	$(BIN)/hadolint Dockerfile
	.ci/lint

unit: .venv/test ## Run the tests and measure their coverage; ARGS="-k word" picks some
	$(BIN)/coverage erase
	$(BIN)/coverage run -m pytest -n auto -m "not e2e and not weather" $(ARGS)

coverage: unit ## Demand that the tests reach every branch that decides, and nearly all of the rest
	$(BIN)/coverage combine --quiet
	$(BIN)/coverage report --precision=2 --fail-under=95
	$(BIN)/coverage report --precision=2 --fail-under=100 --include='evalgate/core/*,evalgate/model/*'

weather: .venv/test ## Gate and run through faults, signals, kills and hostile programs; slow
	$(BIN)/pytest -n auto -q -m weather $(ARGS) tests/github tests/commands tests/edges/sandbox

e2e: .venv/test ## Open the report in a real browser, run the action in a real engine; skipped where there is none
	$(BIN)/pytest -n 0 -m e2e $(ARGS) tests/browser tests/e2e

mutation: build/mutmut/made ## Break the deciding code in every small way, and see whether a test notices; hours; ARGS picks some
	rm -rf build/mutation && mkdir -p build/mutation
	git ls-files evalgate tests examples docs pyproject.toml README.md | xargs cp --parents --target-directory build/mutation
	cd build/mutation && nice -n 15 ../mutmut/bin/mutmut run --max-children 2 $(ARGS)

fix: .venv/test ## Repair layout and lint where a tool can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

golden: .venv/test ## Write what the golden folders expect anew; read the difference before it is committed
	EVALGATE_GOLDEN=write $(BIN)/pytest -q tests/golden

docs: .venv/demo ## Write the pages that are made from the code
	$(BIN)/python -m docs.generate

bench: .venv/demo ## Time evalgate beside what could be used instead, and write benchmarks/results.md; ARGS names sections
	$(BIN)/python benchmarks/run.py $(ARGS)

bench-simulation: .venv/demo ## Simulate how often the gate errs, beside the figures it was designed by; four minutes
	$(BIN)/python benchmarks/simulate.py

bench-container: .venv/test ## Weigh and time the action's container, as root
	$(BIN)/python benchmarks/container.py

lock: ## Remake the lock files from pyproject.toml; UPGRADE=--upgrade takes the newest versions
	$(PYTHON) bootstrap.py $(BUILD)/venv
	$(BUILD)/venv/bin/python -I -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(BUILD)/venv/bin/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], "editables", sep="\n")' > $(BUILD)/backend.in
	$(COMPILE) --group test $(BUILD)/backend.in --output-file requirements-test.lock
	$(COMPILE) --constraint requirements-test.lock --output-file requirements.lock
	$(COMPILE) --group mutation --constraint requirements-test.lock --output-file requirements-mutation.lock
	$(subst pyproject.toml,,$(COMPILE)) --constraint requirements-test.lock --output-file requirements-build.lock $(BUILD)/backend.in

clean: ## Remove .venv, caches and what was built
	rm -rf .venv build dist .coverage .coverage.* .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache

# Enough to run evalgate: its dependencies, and the build backend that puts the command into .venv.
.venv/demo: bootstrap.py requirements.lock requirements-build.lock
	$(PYTHON) bootstrap.py .venv requirements.lock requirements-build.lock
	$(LINK)
	touch $@

# The same and the tools of the tests. It starts afresh, so that nothing but what is locked is there.
.venv/test: bootstrap.py requirements-test.lock
	$(PYTHON) bootstrap.py .venv requirements-test.lock
	$(LINK)
	touch .venv/demo $@

# The same and mutmut, apart, since nothing else needs it.
build/mutmut/made: bootstrap.py requirements-test.lock requirements-mutation.lock
	$(PYTHON) bootstrap.py build/mutmut requirements-test.lock requirements-mutation.lock
	touch $@
