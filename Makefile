# make play needs only python3, version 3.11 or newer. The other targets create .venv from locked and
# hashed requirements when they first run.

PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$p" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo "$$p" && break; done)
# Also finds the versions installed by pyenv, which are not on the PATH.
NEWEST = $(shell for v in 3.14 3.13 3.12 3.11; do for p in python$$v \
	"$${PYENV_ROOT:-$$HOME/.pyenv}"/versions/$$v.*/bin/python; do "$$p" -c '' 2>/dev/null && echo "$$p" && exit; done; done)
VENV := .venv
BIN := $(VENV)/bin
GAME ?=
HOST ?= 127.0.0.1
PORT ?= 8000
WORKERS ?= 2
KILLS ?= 200
# A test that hangs is stopped, and prints its stack.
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist worksteal \
	-o faulthandler_timeout=400 -o faulthandler_exit_on_timeout=true
SHELL := /bin/sh
export UV_PYTHON_DOWNLOADS := never
# For all programs started from here, wherever the checkout is.
export PYTHONPATH := src

.PHONY: help play resume games serve test check wheel lowest newest extras rl browser tools lint fuzz damage kill kill-server forge secrecy attack load push growth pages throw bench against golden picture pictures gallery font icons textures sounds docs site every-case site-speed values messages clean python
.DEFAULT_GOAL := help

help:
	@echo "make play     play in this terminal; make play GAME=cargo for one game"
	@echo "make resume   continue the saved game; make resume GAME=7 for game 7"
	@echo "make games    list all games and their names"
	@echo "make serve    serve the game to browsers; PORT=9000; HOST=0.0.0.0 for the whole network"
	@echo "make test     run the core tests (3 minutes, nothing else to install)"
	@echo "make check    run everything: lint, all tests, fuzz, kills, the benchmark once, the wheel"
	@echo "make extras   install numba and matplotlib into .venv, for large boxes, plots and their tests"
	@echo "make browser  install the Python packages of the browser tests; their browsers, drivers and xvfb come from the system"
	@echo "make tools    install everything that make check needs, into .venv and build/openapi"
	@echo "make rl       install gymnasium, pettingzoo and open_spiel into .venv, for learning programs"
	@echo "make lint     run ruff and mypy --strict; installs the extras into .venv, since their types are checked"
	@echo "make fuzz     test all parsers with more than 100,000 inputs in total"
	@echo "make damage   read more than 100,000 damaged records"
	@echo "make kill     kill 200 games at random moments, and resume them"
	@echo "make kill-server  kill 200 servers under load, and restart them"
	@echo "make forge    show each verifier of dice 1,000,000 forged records; FORGERIES=10000"
	@echo "make secrecy  search what a server and a device say for the seeds of 200 games each; GAMES=60"
	@echo "make attack   measure how long players wait while a test server is attacked"
	@echo "make load     load a test server with 1,000 tables and 3,000 listeners; POSTGRESQL=1 for two servers"
	@echo "make pages    measure loading times and layout shifts of the pages on a slow line"
	@echo "make throw    time the frames of a throw; TIMES=3"
	@echo "make push     measure how long players wait while 10,000 messages are sent by Web Push"
	@echo "make growth   measure the cost of tables, listeners and actions for growing numbers of them"
	@echo "make wheel    install the package as a user does, and run it"
	@echo "make lowest   test the server and the extras with the lowest versions allowed in pyproject.toml"
	@echo "make newest   run the tests with the newest Python found; UNLOCKED=1 also with the newest packages"
	@echo "make bench    compare speed with named baselines, saved in build/bench; ROUNDS=2 is quicker; ONCE=1 saves nothing"
	@echo "make against  compare the benchmarks of this tree and another as ratios: REV=a commit; TIMES=3"
	@echo "make golden   write the golden transcripts again"
	@echo "make picture  draw the pictures of the README and the docs again"
	@echo "make pictures draw the pictures of the browser table again; SHEET=1 for all pages, to look at"
	@echo "make gallery  compute the length and luck of each game for the first page; GAME=ten for one"
	@echo "make font     build the serif font of the pages: needs fonts-texgyre, fonttools and brotli"
	@echo "make icons    draw the icons of an installed shutbox from icon.svg"
	@echo "make textures draw the wood and the felt of the box"
	@echo "make sounds   synthesise the sounds (needs ffmpeg)"
	@echo "make docs     build the documentation into build/docs: open build/docs/index.html"
	@echo "make site     build the site without a server into build/site: docs/static-site.md; needs Node.js"
	@echo "make every-case  run all tests with every game, match, size and seed; make check runs some"
	@echo "make site-speed  measure the size and loading time of that site"
	@echo "make values   write the values of all games into build/values.json, for a release"
	@echo "make messages collect the sentences for translators, and compile translations: docs/translating.md"
	@echo "make clean    remove everything that was built"

python:
	@test -n "$(PYTHON)" || { echo "shutbox needs Python 3.11 or newer: install python3.11 or later and run make again." >&2; exit 1; }

# The commands that the program suggests work in this folder.
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

# Runs a part of each long target, some in parallel. Run a whole target if you change its subject.
# The benchmark only has to run here. Its figures do not count. Failed tests run once more, alone, in
# case a busy machine delayed them, and both results are printed.
check: again = $(BIN)/python -m pytest --last-failed --last-failed-no-failures none
check: tools
	$(MAKE) lint
	$(PYTEST) $(if $(AFTER_TEST),--after-test) || $(again)
	@set -e; $(MAKE) bench ONCE=1 & bench=$$!; \
		($(MAKE) fuzz INPUTS=1500 REQUESTS=1000 && $(MAKE) lowest ONCE=1 && $(MAKE) wheel) & rest=$$!; \
		$(MAKE) damage INPUTS=10000; $(MAKE) kill KILLS=70; wait $$rest; wait $$bench
	$(MAKE) attack SECONDS=2 ONCE=1
	$(MAKE) pages TIMES=1

wheel: $(VENV)/stamp
	tests/wheel.sh

# Each uses its own environment below build. Deprecation warnings are ignored, since they come from
# old libraries or announce future changes.
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

# The types of NumPy and playwright are checked, too, so both must be installed.
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

forge: $(VENV)/stamp
	$(BIN)/python -m pytest tests/test_sealed_dice.py -k many_forged --forgeries $(or $(FORGERIES),1000000)

secrecy: $(VENV)/stamp
	$(BIN)/python -m pytest tests/web/test_sealed_secrecy.py --secret-games $(or $(GAMES),200)

attack: attack := $(BIN)/python -m bench.attack $(if $(SECONDS),--seconds $(SECONDS))
attack: $(VENV)/stamp
	$(attack)
	$(attack) --postgresql $(if $(ONCE),--only all)
	$(attack) --nginx $(if $(ONCE),--only all)
	$(attack) --addresses 50 $(if $(ONCE),--only all,--times 2 --most 150)

load: $(VENV)/stamp
	$(BIN)/python -m bench.load $(if $(POSTGRESQL),--postgresql)

push: $(VENV)/stamp
	$(BIN)/python -m bench.push

growth: $(VENV)/stamp
	$(BIN)/python -m bench.growth

pages: $(VENV)/browser
	$(BIN)/python -m bench.pages $(if $(TIMES),--times $(TIMES))

throw: $(VENV)/browser
	$(BIN)/python -m bench.throw $(if $(TIMES),--times $(TIMES))

# Each run of the microbenchmarks is saved in build/bench and compared with the previous one, if any.
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

sounds: $(VENV)/extras
	$(BIN)/python docs/sounds.py

icons: $(VENV)/extras $(VENV)/browser
	$(BIN)/python docs/icons.py

# The reference includes the learning environments, so their packages must be installed.
docs: $(VENV)/docs $(VENV)/extras $(VENV)/rl
	$(BIN)/python docs/counts.py
	$(BIN)/python docs/values.py
	$(BIN)/python -m sphinx --builder html --fail-on-warning --keep-going --quiet docs build/docs
	@echo "build/docs/index.html"

site: $(VENV)/stamp
	@$(BIN)/python docs/static_site.py build/site
	@echo "build/site: put it where files are served; docs/static-site.md"

every-case: tools
	SHUTBOX_EVERY_CASE=1 $(PYTEST)

site-speed: $(VENV)/browser site
	$(BIN)/python -m bench.static_site build/site

values: $(VENV)/extras
	$(BIN)/python docs/value_file.py
	$(BIN)/python -m shutbox verify-values build/values.json

# The first argument of every error class is a template, too.
messages: $(VENV)/stamp
	@mkdir -p build
	@PYTHONPATH=src:docs $(BIN)/pybabel --quiet extract --mapping pyproject.toml --keywords gettext_noop --keywords pgettext_noop:1c,2 --output build/shutbox.pot \
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

# uv takes a fifth of the time. If it is not available, pip installs from the same lock file.
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

# The requirements of these packages would conflict with others in .venv.
build/openapi/stamp: requirements/openapi.txt $(VENV)/stamp
	@$(BIN)/python -m uv venv --quiet --clear --python $(BIN)/python build/openapi
	@$(BIN)/python -m uv pip install --quiet --python build/openapi/bin/python \
		--require-hashes -r requirements/openapi.txt
	@touch $@
