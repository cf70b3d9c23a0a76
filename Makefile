# The list of chores. `make` alone prints it.
#
#   SERVER=...   what `make demo` measures: a catalogue name (mariadb), path:/base/dir, dsn:mysql://user@host:3306/db
#   RESULTS=...  where its results go
#   PYTHON=...   the Python to build the environment with (3.11 or newer)
#   WORKERS=...  how many processes share the Python tests; most of them wait
#   CARGO_PROFILE=...  the Cargo profile of demo, tests and checks, which compile nothing twice

PYTHON ?= python3
WORKERS ?= 4
CARGO_PROFILE ?= quick
BUILT := $(or $(CARGO_TARGET_DIR),target)/$(if $(filter dev,$(CARGO_PROFILE)),debug,$(CARGO_PROFILE))
VENV := .venv
BIN := $(VENV)/bin
# Where every engine of this checkout is installed, whatever it was built for: the lab looks here first. One that is as new
# as its sources stays, so that a quick build never takes the place of one for measuring; an older one is replaced.
ENGINE := target/engine/assay-engine
NULLSERVER := target/engine/assay-nullserver
# The environment with what tests and checks need.
DEVELOP := $(VENV)/develop
# What may run at once where the caller has not said.
TWO = $(if $(findstring jobserver,$(MAKEFLAGS)),,-j2)
# The tests start many hundreds of Pythons: what one has compiled, the next reads, whatever the machine's way is.
export PYTHONDONTWRITEBYTECODE :=
# Whatever lies there may be compiled in: sources include scripts and tables, and .cargo has flags of the C compiler.
CRATES := $(shell find crates .cargo -type f) Cargo.toml Cargo.lock

.PHONY: help demo docs test test-all test-rust test-python test-alone test-shipped quick check check-rust check-python engine bench bench-docs schema format clean browser collected machine

help:  ## print this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /  make \1	/' | expand -t 22

demo:  ## measure a private MariaDB with studies/quickstart.toml, write results/quickstart/report.html
	@$(if $(and $(wildcard $(ENGINE)),$(wildcard $(BIN)/assay)),,echo "building for 2 to 3 minutes, then measuring for 2 to 3, on two processors that do nothing else")
	@$(MAKE) --no-print-directory $(TWO) $(BIN)/assay $(ENGINE)
	@$(BIN)/assay demo $(if $(SERVER),--server '$(SERVER)') $(if $(RESULTS),--results '$(RESULTS)')

# Rust tests are compiled while Python's run, which wait a quarter of the time. Then they wait themselves, for deadlines.
test:  ## run Rust's tests and those of Python that are not long, against a real MariaDB that the tests start
	@echo "$(if $(TIER),every test: about 35,most tests: about 12) minutes on two processors, of which the first 3 compile"
	@$(MAKE) --no-print-directory $(TWO) $(DEVELOP) $(ENGINE) $(NULLSERVER)
	@$(MAKE) --no-print-directory $(TWO) test-rust test-python

test-all:  ## run every test, the long ones too: before a release; ROOM=verdict runs those of one room
ifdef ROOM
	@$(ROOM_EXISTS)
	@$(MAKE) --no-print-directory test-python TIER=--all TESTS=tests/$(ROOM)
else
	@$(MAKE) --no-print-directory test TIER=--all
endif

test-rust: | machine
	@echo "Rust tests: 2 minutes to compile, 5 to run"
	$(COMPILE_TESTS)
	$(RUN_TESTS) || { echo "some failed beside others; once more:" && $(RUN_TESTS); }

RUN_TESTS = cargo test --workspace --profile $(CARGO_PROFILE)$(if $(TIER), -- --include-ignored)
# The tests beside have deadlines, and compiling has none.
COMPILE_TESTS = nice -n 5 cargo test --workspace --profile $(CARGO_PROFILE) --no-run

test-python: $(DEVELOP) $(ENGINE) $(NULLSERVER)
	@echo "Python tests$(if $(TIER)$(TESTS),,: about 9 minutes)"
	@scripts/machine volumes browser || echo "tests that need what is missing are skipped"
	@# Rust tests beside these measure times. These wait for whatever runs.
	nice -n 5 $(BIN)/pytest -n $(WORKERS) $(TIER) $(TESTS) || { test $$? = 1 && $(AGAIN); }

# A machine that is busy is no fault of the code: what failed while others ran is run once more, alone, up to its first failure.
AGAIN = echo "these failed beside others, and are run once more, alone:" && $(BIN)/pytest -vv -x -n 1 $(TIER) --last-failed --last-failed-no-failures=none

# What runs the engine as a process. Every other target does so with an engine that is optimised less: the other takes minutes
# of compiling.
BLACK_BOX := tests/engine tests/bench tests/calibration tests/compat tests/fleet tests/live

test-shipped: $(DEVELOP) engine  ## run the tests of the engine as a process on the build that users get: before a release
	nice -n 5 $(BIN)/pytest -n $(WORKERS) --all $(BLACK_BOX)

# What needs no server, no browser and no setting of the machine.
ALONE := -m "not live and not browser and not machine"

ROOM_EXISTS = test -d tests/$(ROOM) -a -n "$(ROOM)" || { echo "which room? make $@ ROOM=study: one of $$(ls tests)"; exit 2; }

# The code of a room; docs, method and others have tests alone.
PLACE = $(firstword $(wildcard python/assay/*/$(ROOM) python/assay/$(ROOM)) $(filter benchmarks,$(ROOM)))

quick: $(DEVELOP)  ## check one room in seconds: its lint, types and some rows of its tests without servers; ROOM=study
	@$(ROOM_EXISTS)
	$(BIN)/ruff check --quiet $(PLACE) tests/$(ROOM)
	$(if $(PLACE),$(BIN)/mypy --package $(subst /,.,$(patsubst python/%,%,$(PLACE))))
	ASSAY_EXAMPLES=quick $(BIN)/pytest $(ALONE) --durations=0 --durations-min=1 tests/$(ROOM)

test-alone: $(DEVELOP) $(ENGINE) $(NULLSERVER)  ## run the tests of Python that need no server
	nice -n 5 $(BIN)/pytest -n $(WORKERS) $(ALONE)

check: check-rust check-python  ## format, lint, types, layering, and whether generated files are current

# Clippy is the compiler of our crates, and a warning an error: what it has linted need not be compiled again to be run. A
# test alone does without, since a newer compiler than ours may warn of more.
ifneq ($(filter check check-rust,$(MAKECMDGOALS)),)
export RUSTC_WORKSPACE_WRAPPER := clippy-driver
export CLIPPY_ARGS := -D__CLIPPY_HACKERY__warnings__CLIPPY_HACKERY__
endif

check-rust: $(DEVELOP)
	cargo fmt --all --check
	$(COMPILE_TESTS) # what the tests need is compiled once: its engine writes the schemas
	@for shape in job event input; do $(BUILT)/assay-engine schema $$shape | cmp - schema/$$shape.json \
		|| { echo "schema/$$shape.json is old: run make schema"; exit 1; }; done
	$(BIN)/python -m scripts.python_types --check
	$(BUILT)/assay-engine workloads | $(BIN)/python -m scripts.workload_measures --check
	$(BUILT)/assay-engine limits | $(BIN)/python -m scripts.doubt_limits --check

check-python: $(DEVELOP)
	$(BIN)/python -m scripts.vendored
	$(BIN)/ruff format --check python tests benchmarks scripts
	$(BIN)/ruff check python tests benchmarks scripts
	$(BIN)/mypy
	$(BIN)/lint-imports

engine: | machine  ## build the engine for measuring: laid out by a profile of its own hot path, an eighth cheaper
	@$(MAKE) --no-print-directory target/profile-guided/built
	@scripts/profile-guided install
	@$(ENGINE) --version

target/profile-guided/built: $(CRATES) scripts/profile-guided
	@echo "compiling the engine for measuring, twice: about 10 minutes on two processors"
	scripts/profile-guided build
	@touch $@

bench: $(DEVELOP) engine  ## ours beside sysbench on the same server, as ratios; BENCH="--quick grid", BENCH=native; then bench-docs
	@scripts/machine server sysbench fio
	cargo build --release -p assay-floor
	@install -D -m 755 $(or $(CARGO_TARGET_DIR),target)/release/assay-floor target/engine/assay-floor
	@$(BIN)/python -m benchmarks $(BENCH)

bench-docs: $(DEVELOP)  # write docs/benchmarks.md from the data of the last bench
	@$(BIN)/python -m benchmarks.document

schema: $(ENGINE) $(DEVELOP)  ## write schema/*.json from the types, and from them Python's types of jobs and events; the table of privileges
	$(ENGINE) schema job > schema/job.json
	$(ENGINE) schema event > schema/event.json
	$(ENGINE) schema input > schema/input.json
	$(BIN)/python -m scripts.python_types
	$(ENGINE) workloads | $(BIN)/python -m scripts.workload_measures
	$(ENGINE) limits | $(BIN)/python -m scripts.doubt_limits
	$(BIN)/assay schema study > schema/study.json
	$(BIN)/python -m scripts.privileges_page

docs: $(BIN)/zensical  ## build the docs site with its search into target/site, in English and Chinese
	$(BIN)/python -m scripts.docs_site

$(BIN)/zensical: requirements/docs.txt | $(BIN)/assay
	$(BIN)/pip install --quiet --no-compile --disable-pip-version-check -r requirements/docs.txt
	@touch $@

format:  ## format all code
	cargo fmt --all
	$(BIN)/ruff format python tests benchmarks scripts
	$(BIN)/ruff check --fix python tests benchmarks scripts

clean:  ## remove what was built; results stay
	rm -rf target $(VENV)

# One process compiles the tests for all that will run them.
collected: $(DEVELOP) $(ENGINE)
	@$(BIN)/pytest --collect-only -qq >$(VENV)/collected || { cat $(VENV)/collected; exit 1; }

browser: | machine
	@scripts/machine browser

machine:
	@PYTHON='$(PYTHON)' scripts/machine base $(if $(SERVER),,server)

# An engine for whoever has none that is as new as its sources. Both binaries are compiled together by tests, whose features
# they share; the demo needs one of them.
$(ENGINE): $(CRATES) | machine
	@echo "compiling the engine: a $(CARGO_PROFILE) build, 2 to 3 minutes on two processors (for measuring: make engine)"
	cargo build --profile $(CARGO_PROFILE) -p assay-engine
	@install -D -m 755 $(BUILT)/assay-engine $@

$(NULLSERVER): $(CRATES) | $(ENGINE)
	cargo build --profile $(CARGO_PROFILE) -p assay-engine -p assay-nullserver
	@install -D -m 755 $(BUILT)/assay-nullserver $@

# The Python environment: exactly the locked packages, and Assay itself from this checkout. What develops comes with them: pip
# would look through them a second time.
ENVIRONMENT := requirements/run.txt requirements/auth.txt pyproject.toml scripts/environment $(shell find python/assay.data -type f)

$(BIN)/assay: $(ENVIRONMENT) | machine
	@PYTHON='$(PYTHON)' scripts/environment $(VENV)
	@touch $@

$(DEVELOP): requirements/fleet.txt requirements/develop.txt $(ENVIRONMENT) | machine
	@PYTHON='$(PYTHON)' scripts/environment $(VENV) develop
	@touch $(BIN)/assay $@
