# Everything a fresh machine needs: Python 3.11+ with venv and pip, make, git.
#   make play    open the game        make quick   lint, types, and the fast tests
#   make test    all tests            make bench   benchmarks, as a table
#   make web     the browser client   make soak    the long property tests for MINUTES=60
#   make site    the client for any static host, into OUT=site

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
PIP    := $(BIN)/python -m pip --disable-pip-version-check -q
# Only files whose hashes are in a lock, and only wheels: the tools that build a package would not be locked.
LOCKED := $(PIP) install --require-hashes --no-deps --only-binary :all: -r
MYSELF := $(PIP) install --no-deps --no-build-isolation -e .

.PHONY: play web site web-tools test units compiled quick quick-tests test-web test-ray check bench flaky soak mutants vectors api lock sbom clean

play: web
	@$(BIN)/catinthebox serve $(ARGS) || [ $$? -eq 130 ]  # 130: stopped by Ctrl-C, which is not an error

# Builds into src/catinthebox/server/web, with a Node from PyPI, unless the client is up to date.
web: $(VENV)/.play
	@$(BIN)/python hatch_build.py

# The client for a host that has nothing but files, in any folder (docs/site.md).
OUT = site
site: web
	@PYTHONPATH=. $(BIN)/python web/offline/site.py "$(OUT)"

# For the client's tests, after building it: Node packages, and Chromium if there is none.
web-tools: web $(VENV)/.test
	@$(BIN)/python tests/web/tools.py

# Lint and types in parallel with the unit tests, which must reach their coverage; then everything else in one run.
# Browsers and servers wait a lot: one process more than there are cores; idle processes take tests from others.
UNITS := tests/rules tests/game tests/views/test_worlds.py
MANY  := -n $(shell expr `getconf _NPROCESSORS_ONLN` + 1) --dist worksteal
test: $(VENV)/.test
	@$(BIN)/python tests/not_run.py --forget
	@$(MAKE) --no-print-directory -j4 check units web-tools compiled
	@$(BIN)/python -m pytest $(MANY) $(UNITS:%=--ignore=%) $(ARGS)
	@$(BIN)/python tests/not_run.py

# The machine code of the players: several processes of tests would each compile it.
compiled: $(VENV)/.test
	@$(BIN)/python -c 'from catinthebox.players.steps import STEPS; [step() for step in STEPS.values()]'

units: $(VENV)/.test
	@$(BIN)/python -m pytest -q -n auto --cov --cov-report= $(UNITS)
	@$(BIN)/python -m coverage report --fail-under=100

# For everyday edits: no browsers, databases or child processes, and nothing slow (tests/quick.py).
quick: $(VENV)/.test
	@$(MAKE) --no-print-directory -j2 check quick-tests
quick-tests: $(VENV)/.test
	@$(BIN)/python -m pytest -q --quick $(MANY) $(ARGS)

# Only the tests of the browser client.
test-web: web-tools
	@$(BIN)/python -m pytest $(MANY) tests/web $(ARGS)

# The arena on Ray, in an environment of its own (Ray is large, and nothing else needs it).
test-ray:
	@$(MAKE) --no-print-directory VENV=.venv-ray .venv-ray/.ray
	@.venv-ray/bin/python -m pytest -p no:cacheprovider -rP tests/arena/test_ray.py $(ARGS)

CODE := hatch_build.py bench locks src tests vectors
check: $(VENV)/.test
	@$(BIN)/ruff check $(CODE)
	@$(BIN)/ruff format --check $(CODE)
	@$(BIN)/mypy

bench: web $(VENV)/.test
	@$(BIN)/python -m bench.table $(ARGS)
	@$(BIN)/python -m bench.thinking
	@$(BIN)/python -m bench.endgames
	@$(BIN)/python -m bench.wasm
	@$(BIN)/python -m bench.store
	@$(BIN)/python -m bench.load
	@$(BIN)/python -m bench.workers
	@$(BIN)/python -m bench.page
	@$(BIN)/python -m bench.moves
	@$(BIN)/python -m bench.ceremonies
	@$(BIN)/python -m bench.hints

# Repeats the tests that wait for something, TIMES times, with two busy loops per core in the background.
TIMES ?= 20
flaky: $(VENV)/.test
	@$(BIN)/python tests/flaky.py --times $(TIMES) $(MANY) $(ARGS)

# The long property tests with new seeds for MINUTES, on all cores; prints a table, exits with 1 if anything failed.
MINUTES ?= 60
soak: $(VENV)/.test
	@$(BIN)/python tests/soak.py --minutes $(MINUTES) $(ARGS)

# Mutation testing: the tests must notice every generated change of the rules.
mutants: $(VENV)/.test
	@$(BIN)/python tests/mutation.py

vectors: $(VENV)/.test
	@$(BIN)/python vectors/make.py
	@$(BIN)/python vectors/make_deals.py
	@$(BIN)/python vectors/make_daily.py

# After a change to what travels: the OpenAPI document, the JSON Schema of streams, and the client's types.
api: $(VENV)/.test
	@$(BIN)/python -m catinthebox.server.http.documents openapi docs/api/openapi.json
	@$(BIN)/python -m catinthebox.server.http.documents stream docs/api/stream.schema.json
	@$(BIN)/python -m catinthebox.server.http.documents types web/src/lib/protocol.ts
	@$(BIN)/python -m catinthebox.server.http.documents refusals web/src/lib/refusals.ts
	@$(BIN)/python -m catinthebox.server.http.documents refusals-page docs/api/refusals.md

# After a change to constraints.txt or to an extra: collects the hashes of those versions (needs the network).
lock: $(VENV)/.lock
	@$(BIN)/python locks/make.py

# A bill of materials (CycloneDX) for the Python package and the browser client.
sbom: $(VENV)/.python
	@$(BIN)/python locks/sbom.py dist/sbom.cdx.json

clean:
	rm -rf $(VENV) .venv-peers .venv-ray .pytest_cache .mypy_cache .ruff_cache .hypothesis .coverage*
	rm -rf site web/node_modules web/e2e/chromium/node_modules bench/*/node_modules src/catinthebox/server/web

# A stamp per set of packages; a changed pin or project file installs anew.
$(VENV)/.python:
	@command -v $(PYTHON) >/dev/null || { echo "make: needs Python 3.11 or newer; set PYTHON=/path/to/python3"; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "make: $$($(PYTHON) --version) is too old; Python 3.11 or newer is needed (PYTHON=python3.12 make …)"; exit 1; }
	@echo "setting up $(VENV) …"
	@$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.play: $(VENV)/.python locks/play.txt pyproject.toml
	@echo "installing what the game needs (locks/play.txt) …"
	@$(LOCKED) locks/play.txt
	@echo "installing catinthebox, and building its browser client; this takes a minute or more …"
	@$(MYSELF)
	@touch $@

$(VENV)/.test: $(VENV)/.play locks/test.txt
	@echo "installing what the tests need (locks/test.txt) …"
	@$(LOCKED) locks/test.txt
	@touch $@

$(VENV)/.ray: $(VENV)/.python locks/ray.txt pyproject.toml
	@$(LOCKED) locks/ray.txt
	@CATINTHEBOX_NO_WEB=1 $(MYSELF)
	@touch $@

$(VENV)/.lock: $(VENV)/.python locks/lock.txt
	@$(LOCKED) locks/lock.txt
	@touch $@
