# make play needs only python3, version 3.11 or newer. The other targets create .venv from locked and
# hashed requirements when they first run.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
VENV := .venv
BIN := $(VENV)/bin
GAME ?=
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 2
# What a newcomer needs to know that it works: a minute, without a server, a browser or a screen.
CORE := README.md tests/games/test_rules.py tests/games/test_conformance.py \
	tests/solving/test_published.py tests/engine/test_values.py tests/games/test_variant_files.py \
	tests/match/test_formats.py tests/match/test_matches.py tests/match/test_scoreboard.py \
	tests/engine/test_seats.py tests/engine/test_dice.py \
	tests/record/test_record.py tests/record/test_store.py tests/table/test_table.py \
	tests/table/test_sitting.py tests/engine/test_scenes.py tests/engine/test_narrator.py \
	tests/terminal/test_transcripts.py tests/terminal/test_phrases.py src/shutbox/games \
	src/shutbox/match
# A test that hangs is stopped, and prints its stack.
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal \
	-o faulthandler_timeout=400 -o faulthandler_exit_on_timeout=true
SHELL := /bin/sh
export UV_PYTHON_DOWNLOADS := never
# For all programs started from here, wherever the checkout is.
export PYTHONPATH := src

.PHONY: help play resume games serve test check nightly lint tools bench against attack load docs site messages clean
.DEFAULT_GOAL := help

help:
	@echo "make play     play in this terminal; make play GAME=cargo for one game"
	@echo "make resume   continue the saved game; make resume GAME=7 for game 7"
	@echo "make games    list all games and their names"
	@echo "make serve    serve the game to browsers; PORT=9000; HOST=0.0.0.0 for the whole network"
	@echo "make test     run the core tests (a minute, nothing else to install)"
	@echo "make check    run what a change needs: lint, all tests but the longest, an attack"
	@echo "make nightly  run the longest tests, part by part; ONLY=kill for one part, ONLY=list to list them"
	@echo "make lint     run ruff and mypy --strict"
	@echo "make tools    install everything that make check needs, into .venv and build/openapi"
	@echo "make bench    compare speed with named baselines, saved in build/bench; ROUNDS=2 is quicker; ONCE=1 saves nothing"
	@echo "make against  compare the benchmarks of this tree and another as ratios: REV=a commit; TIMES=3"
	@echo "make attack   measure how long players wait while a test server is attacked"
	@echo "make load     load a test server with 1,000 tables and 3,000 listeners; POSTGRESQL=1 for two servers"
	@echo "make docs     build the documentation into build/docs: open build/docs/index.html"
	@echo "make site     build the site without a server into build/site: docs/hosting.md; needs Node.js"
	@echo "make messages collect the sentences for translators, and print what languages lack: docs/translating.md"
	@echo "make clean    remove everything that was built"

# The commands that the program suggests work in this folder.
play resume: export SHUTBOX_PROGRAM := PYTHONPATH=src $(PYTHON) -m shutbox
play resume: export SHUTBOX_TARGETS := make play resume games serve
play: python
	@$(PYTHON) -m shutbox play $(if $(GAME),'$(GAME)')

resume: python
	@$(PYTHON) -m shutbox resume $(GAME)

games: python
	@$(PYTHON) -m shutbox games

serve: $(VENV)/web
	@$(BIN)/python -m shutbox serve --host $(HOST) --port $(PORT)

test: $(VENV)/stamp
	$(PYTEST) $(CORE)

# The core tests are left out where TESTED says that they have passed.
check: lint
	$(PYTEST) $(if $(TESTED),$(CORE:%=--ignore=%))
	$(BIN)/python -m bench.attack --once

nightly: tools
	@$(BIN)/python tests/nightly.py $(ONLY)

# The types of NumPy and playwright are checked, too, so everything must be installed.
lint: tools
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

tools: $(VENV)/extras $(VENV)/bench $(VENV)/rl $(VENV)/browser $(VENV)/docs build/openapi/stamp

# Each run of the microbenchmarks is saved in build/bench and compared with the previous one, if any.
bench: micro = --benchmark-storage=file://build/bench --benchmark-autosave --benchmark-compare \
	-W ignore::pytest_benchmark.logger.PytestBenchmarkWarning --benchmark-columns=median,ops,rounds \
	$(if $(ROUNDS),--benchmark-min-rounds=$(ROUNDS) --benchmark-max-time=0)
bench: $(VENV)/bench
	$(BIN)/python -m pytest bench/test_micro.py -o addopts= -q $(if $(ONCE),--benchmark-disable,$(micro))
	$(BIN)/python -m bench $(if $(ONCE),--once) $(if $(ROUNDS),--rounds $(ROUNDS))

against: $(VENV)/bench
	$(BIN)/python -m bench --against $(REV) $(if $(TIMES),--times $(TIMES)) $(if $(ROUNDS),--rounds $(ROUNDS))

attack: $(VENV)/stamp
	$(BIN)/python -m bench.attack

load: $(VENV)/stamp
	$(BIN)/python -m bench.load $(if $(POSTGRESQL),--postgresql)

# The reference includes the learning environments, so their packages must be installed.
docs: $(VENV)/docs $(VENV)/extras $(VENV)/rl
	$(BIN)/python docs/counts.py
	$(BIN)/python docs/values.py
	$(BIN)/python -m sphinx --builder html --fail-on-warning --keep-going --quiet docs build/docs
	@echo "build/docs/index.html"

site: $(VENV)/stamp
	@$(BIN)/python docs/static_site.py build/site
	@echo "build/site: put it where files are served; docs/hosting.md"

messages: $(VENV)/stamp
	@$(BIN)/python docs/translations.py $(NEW)

clean:
	rm -rf build $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# uv takes a fifth of the time. If it is not available, pip installs from the same lock file.
install = $(BIN)/python -m uv pip install --quiet --compile-bytecode --python $(BIN)/python \
	--require-hashes -r $(1) \
	|| $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(1)

python:
	@test -n "$(PYTHON)" || { echo "shutbox needs Python 3.11 or newer: install python3.11 or later and run make again." >&2; exit 1; }

$(VENV)/uv: requirements/uv.txt | python
	@$(PYTHON) -m venv $(VENV) || { echo "python3 cannot make a virtual environment: install its venv package (Debian and Ubuntu: python3-venv)." >&2; exit 1; }
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements/uv.txt || true
	@touch $@

$(VENV)/web: requirements/web.txt $(VENV)/uv
	@echo "Fetching what the server needs into $(VENV), once." >&2
	@$(call install,requirements/web.txt)
	@touch $@

$(VENV)/stamp: requirements/test.txt $(VENV)/uv
	@$(call install,requirements/test.txt)
	@touch $@

$(VENV)/bench: requirements/bench.txt $(VENV)/stamp
	@$(call install,requirements/bench.txt)
	@touch $@

$(VENV)/extras: requirements/extras.txt $(VENV)/stamp
	@$(call install,requirements/extras.txt)
	@touch $@

$(VENV)/rl: requirements/rl.txt $(VENV)/stamp
	@$(call install,requirements/rl.txt)
	@touch $@

$(VENV)/docs: requirements/docs.txt $(VENV)/stamp
	@$(call install,requirements/docs.txt)
	@touch $@

$(VENV)/browser: requirements/browser.txt $(VENV)/stamp
	@$(call install,requirements/browser.txt)
	@touch $@

# The requirements of these packages would conflict with others in .venv.
build/openapi/stamp: requirements/openapi.txt $(VENV)/stamp
	@$(BIN)/python -m uv venv --quiet --clear --python $(BIN)/python build/openapi
	@$(BIN)/python -m uv pip install --quiet --python build/openapi/bin/python \
		--require-hashes -r requirements/openapi.txt
	@touch $@
