# make play needs a python3 of 3.11 or newer and nothing else. The other targets make .venv, from
# locked and hashed requirements, the first time they run.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
# Those of pyenv, too, which are on nobody's path.
NEWEST = $(shell for v in 3.14 3.13 3.12 3.11; do for p in python$$v \
	"$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/$$v.*/bin/python; do "$$p" -c '' 2>/dev/null && echo "$$p" && exit; done; done)
VENV := .venv
BIN := $(VENV)/bin
GAME ?=
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 2
KILLS ?= 200
# A test that hangs is ended, and says where it stood.
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal \
	-o faulthandler_timeout=200 -o faulthandler_exit_on_timeout=true
SHELL := /bin/sh
export UV_PYTHON_DOWNLOADS := never
# For the programs that are run from here, whatever folder the checkout lies in.
export PYTHONPATH := src

.PHONY: help play resume games serve test check wheel lowest newest extras rl browser tools lint fuzz damage kill kill-server attack load growth pages bench against golden picture pictures gallery font icons textures docs site site-games site-speed messages clean python
.DEFAULT_GOAL := help

help:
	@echo "make play     play in this terminal; make play GAME=cargo for one game"
	@echo "make resume   go on with the game that was left; make resume GAME=7 with that one"
	@echo "make games    list the games and their names"
	@echo "make serve    serve the game to browsers; PORT=9000, HOST=0.0.0.0 for the whole network"
	@echo "make test     see that it works: the tests that take no browser and no extras, 3 minutes"
	@echo "make check    everything: lint, every test, fuzz, kills, the benchmark once, the wheel"
	@echo "make extras   numba and matplotlib into .venv: large boxes, plots, and their tests"
	@echo "make browser  what the tests in browsers need, but for Chromium, firefox-esr, webkit2gtk-driver, xvfb"
	@echo "make tools    all that make check installs, in .venv and in build/openapi"
	@echo "make rl       gymnasium, pettingzoo and open_spiel into .venv: programs that learn"
	@echo "make lint     ruff, mypy --strict; with the extras into .venv, whose types are checked too"
	@echo "make fuzz     more than 100,000 inputs for every parser together"
	@echo "make damage   more than 100,000 damaged records"
	@echo "make kill     200 games killed at random moments, and resumed"
	@echo "make kill-server  200 servers killed under load, and started again"
	@echo "make attack   what the others wait for while some attack a server of its own"
	@echo "make load     1,000 tables, 3,000 listeners, at a server of its own; POSTGRESQL=1: at two"
	@echo "make pages    how soon the pages are there on a slow line, and how still they stand"
	@echo "make growth   what tables, listeners and actions take, for more and more of them"
	@echo "make wheel    install the package as a user gets it, and run it"
	@echo "make lowest   the server and the extras with the lowest versions that pyproject.toml allows"
	@echo "make newest   the tests on the newest Python that is here; UNLOCKED=1: and on what is newest of all"
	@echo "make bench    speed against named baselines, kept in build/bench; ROUNDS=2: sooner; ONCE=1: nothing kept"
	@echo "make against  the benchmark of this tree and of another in turn, as ratios: REV=a commit; TIMES=3"
	@echo "make golden   write the golden transcripts anew"
	@echo "make picture  write the pictures of the README and the docs anew"
	@echo "make pictures write the pictures of the browser table anew; SHEET=1: every page to look at"
	@echo "make gallery  work out how long and how lucky each game of the first page is; GAME=ten: that one"
	@echo "make font     make the serif of the pages anew: needs fonts-texgyre, fonttools and brotli"
	@echo "make icons    draw the icons of an installed shutbox anew, from icon.svg"
	@echo "make textures make the wood and the felt of the box anew"
	@echo "make docs     the documentation site, into build/docs: open build/docs/index.html"
	@echo "make site     the table with no server, into build/site: docs/static-site.md; needs Node.js"
	@echo "make site-games  every game and every match by clicks on it; make check plays some"
	@echo "make site-speed  what that weighs, and how soon it is there"
	@echo "make messages collect the sentences for translators, compile what they wrote: docs/translating.md"
	@echo "make clean    remove what was made"

python:
	@test -n "$(PYTHON)" || { echo "shutbox needs Python 3.11 or newer: install python3.11 or later and run make again." >&2; exit 1; }

# What the program says can be typed here.
play resume: export SHUTBOX_RESUME := make resume
play resume: export SHUTBOX_GAMES := make games
play resume: export SHUTBOX_SERVE := make serve
play: python
	@$(PYTHON) -m shutbox play $(if $(GAME),'$(GAME)')

resume: python
	@$(PYTHON) -m shutbox resume $(GAME)

games: python
	@$(PYTHON) -m shutbox games

serve: $(VENV)/web
	@$(BIN)/python -m shutbox serve --host $(HOST) --port $(PORT)

test: $(VENV)/stamp
	$(PYTEST) -m "not slow"

# A part of what the long targets do by themselves, side by side: the whole of each is for whoever
# changes what it is about, and here it counts that the benchmark runs, not what it says.
# What a busy machine may have made late is asked once more, alone, and both answers are printed.
check: again = $(BIN)/python -m pytest --last-failed --last-failed-no-failures none
check: tools
	$(MAKE) lint
	$(PYTEST) $(if $(AFTER_TEST),--after-test) || $(again)
	@set -e; $(MAKE) bench ONCE=1 & bench=$$!; $(MAKE) fuzz INPUTS=1500 REQUESTS=1000 & fuzz=$$!; \
		$(MAKE) damage INPUTS=10000; $(MAKE) kill KILLS=70; wait $$fuzz; wait $$bench
	$(MAKE) attack SECONDS=2 ONCE=1
	$(MAKE) pages TIMES=1
	$(MAKE) lowest ONCE=1
	$(MAKE) wheel

wheel: $(VENV)/stamp
	tests/wheel.sh

# Each in an environment of its own, below build. What the libraries of then say of each other, and
# what those of tomorrow will no longer do, is no fault of ours.
EDGE := tests/web/test_play.py tests/web/test_streams.py tests/web/test_health.py
lowest newest: edge = nice build/$@/bin/python -m pytest -m "not slow" -n $(WORKERS) -p no:cacheprovider \
	-W ignore::DeprecationWarning -W ignore::PendingDeprecationWarning
lowest: $(VENV)/stamp
	$(BIN)/python -m uv venv --quiet --clear --python $(BIN)/python build/lowest
	@for lock in test lowest; do $(BIN)/python -m uv pip install --quiet --python build/lowest/bin/python \
		--require-hashes -r requirements/$$lock.txt || exit 1; done
	$(edge) $(if $(ONCE),$(EDGE) tests/test_picture.py tests/test_data_out.py)

newest: $(VENV)/stamp
	$(BIN)/python -m uv venv --quiet --clear --python "$(NEWEST)" build/newest
	@$(BIN)/python -m uv pip install --quiet --python build/newest/bin/python \
		$(if $(UNLOCKED),-r requirements/test.in,--require-hashes -r requirements/test.txt)
	$(edge) $(if $(ONCE),tests/test_rules.py tests/test_store.py $(EDGE))

extras: $(VENV)/extras

rl: $(VENV)/rl

browser: $(VENV)/browser

tools: $(VENV)/extras $(VENV)/bench $(VENV)/rl $(VENV)/browser $(VENV)/docs build/openapi/stamp

# The types of NumPy and playwright are checked, too.
lint: $(VENV)/extras $(VENV)/browser
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

fuzz: $(VENV)/stamp
	$(BIN)/python -m pytest tests/fuzz/test_parsers.py --fuzz $(or $(INPUTS),9000)
	$(BIN)/python -m pytest tests/fuzz/test_server.py --fuzz $(or $(REQUESTS),2000)

damage: $(VENV)/stamp
	$(BIN)/python -m pytest tests/fuzz/test_records.py --fuzz $(or $(INPUTS),40000)

kill: $(VENV)/stamp
	$(BIN)/python -m pytest tests/kill --kills $(KILLS)

kill-server: $(VENV)/stamp
	$(BIN)/python -m pytest tests/kill_server --server-kills $(KILLS)

attack: attack := $(BIN)/python -m bench.attack $(if $(SECONDS),--seconds $(SECONDS))
attack: $(VENV)/stamp
	$(attack)
	$(attack) --postgresql $(if $(ONCE),--only all)
	$(attack) --nginx $(if $(ONCE),--only all)
	$(attack) --addresses 50 $(if $(ONCE),--only all,--times 2 --most 150)

load: $(VENV)/stamp
	$(BIN)/python -m bench.load $(if $(POSTGRESQL),--postgresql)

growth: $(VENV)/stamp
	$(BIN)/python -m bench.growth

pages: $(VENV)/browser
	$(BIN)/python -m bench.pages $(if $(TIMES),--times $(TIMES))

# Each run of what takes microseconds is kept in build/bench, and told beside the one before, if
# there is one.
bench: micro = --benchmark-storage=file://build/bench --benchmark-autosave --benchmark-compare \
	-W ignore::pytest_benchmark.logger.PytestBenchmarkWarning --benchmark-columns=median,ops,rounds \
	$(if $(ROUNDS),--benchmark-min-rounds=$(ROUNDS) --benchmark-max-time=0)
bench: $(VENV)/bench
	$(BIN)/python -m pytest bench/test_micro.py -o addopts= -q $(if $(ONCE),--benchmark-disable,$(micro))
	$(BIN)/python -m bench $(if $(ONCE),--once) $(if $(ROUNDS),--rounds $(ROUNDS))

against: $(VENV)/bench
	$(BIN)/python -m bench.against $(REV) $(if $(TIMES),--times $(TIMES)) $(if $(ROUNDS),--rounds $(ROUNDS))

golden: $(VENV)/stamp
	$(BIN)/python -m pytest tests/terminal/test_transcripts.py tests/browser/test_blindfold.py --golden

picture: $(VENV)/extras
	$(BIN)/python docs/picture.py
	$(BIN)/python -m shutbox odds classic --plot docs/odds.svg >/dev/null
	$(BIN)/python -m bench.kernel docs/tiles.svg

pictures: $(VENV)/browser $(VENV)/extras
	$(BIN)/python docs/$(if $(SHEET),sheets.py $(filter-out 1,$(SHEET)),pictures.py)

gallery: $(VENV)/extras
	$(BIN)/python docs/gallery.py $(GAME)

font:
	$(PYTHON) docs/font.py $(FONT)

textures: $(VENV)/extras
	$(BIN)/python docs/textures.py

icons: $(VENV)/extras $(VENV)/browser
	$(BIN)/python docs/icons.py

# The first argument of every refusal is a template, too.
# The reference has what learns, too.
docs: $(VENV)/docs $(VENV)/extras $(VENV)/rl
	$(BIN)/python docs/counts.py
	$(BIN)/python -m sphinx --builder html --fail-on-warning --keep-going --quiet docs build/docs
	@echo "build/docs/index.html"

site: $(VENV)/stamp
	@$(BIN)/python docs/static_site.py build/site
	@echo "build/site: put it where files are served; docs/static-site.md"

site-games: $(VENV)/browser
	SHUTBOX_EVERY_GAME=1 $(PYTEST) tests/browser/test_site.py

site-speed: $(VENV)/browser site
	$(BIN)/python -m bench.static_site build/site

messages: $(VENV)/stamp
	@mkdir -p build
	@PYTHONPATH=src:docs $(BIN)/pybabel --quiet extract --mapping pyproject.toml --keywords gettext_noop --output build/shutbox.pot \
		$$(sed -n 's/^class \([A-Za-z]*\)(.*/--keywords=\1/p' src/shutbox/errors.py src/shutbox/web/errors.py) .
	@test -z "$(NEW)" || { mkdir -p src/shutbox/translations && $(BIN)/pybabel --quiet init \
		--input-file build/shutbox.pot --locale "$(NEW)" \
		--output-file "src/shutbox/translations/$(NEW).po"; }
	@for po in src/shutbox/translations/*.po; do test ! -e "$$po" \
		|| $(BIN)/pybabel --quiet update --input-file build/shutbox.pot --output-file "$$po" \
			--locale "$$(basename "$$po" .po)" \
		&& $(BIN)/pybabel --quiet compile --input-file "$$po" --output-file "$${po%.po}.mo"; done

clean:
	rm -rf build $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# uv installs in a fifth of the time; where it cannot be had, pip does the same from the same lock.
install = $(BIN)/python -m uv pip install --quiet --compile-bytecode --python $(BIN)/python \
	--require-hashes -r $(1) \
	|| $(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r $(1)

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

# What these need would be in the way of others in .venv.
build/openapi/stamp: requirements/openapi.txt $(VENV)/stamp
	@$(BIN)/python -m uv venv --quiet --clear --python $(BIN)/python build/openapi
	@$(BIN)/python -m uv pip install --quiet --python build/openapi/bin/python \
		--require-hashes -r requirements/openapi.txt
	@touch $@
