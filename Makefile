# Everything that is done with Tablero's source by hand or in CI. `make` alone lists it.

NEW_ENOUGH = import sys; sys.exit(sys.version_info < (3, 11))
# The first of these that is new enough; PYTHON=/path/to/python names another.
PYTHON ?= $(shell for python in python3 python3.13 python3.12 python3.11; do \
	$$python -c '$(NEW_ENOUGH)' 2>/dev/null && echo $$python && break; done)
FOUND = $(or $(PYTHON),python3)
VENV ?= .venv
ARGS ?=

BIN = $(VENV)/bin
PIP = $(BIN)/python -m pip --quiet --disable-pip-version-check
UV = $(BIN)/uv pip install --quiet --python $(BIN)/python
COMPILE = $(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	--no-emit-index-url --no-emit-find-links --custom-compile-command "make lock"

BIOME ?= node_modules/.bin/biome

WITHOUT_A_LIMIT = --timeout 0 -o faulthandler_timeout=0

.DEFAULT_GOAL = help
.DELETE_ON_ERROR:
.PHONY: help run play test lint check docs format lock schema translations playthroughs pictures recording oracle bench kill-loop power-cut strength ratings api simulate fuzz conformance drain overload churn hidden-info proxies mutants supply-chain package clean

help:  ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: $(VENV)/.runtime  ## install what is missing and start a server with bots; ARGS="--port 9000" goes to it
	@$(BIN)/tablero serve $(ARGS)

play: $(VENV)/.runtime  ## play from this terminal; ARGS="ADDRESS:PORT --name ana" says where and who
	@$(BIN)/tablero play $(ARGS)

test: $(VENV)/.dev  ## install what is missing and run the tests; FULL=1 adds the long ones, ARGS="-k draw" narrows them
	@$(BIN)/python -m pytest --numprocesses auto $(if $(FULL),$(WITHOUT_A_LIMIT)) $(ARGS)

lint: $(VENV)/.dev  ## formatting, ruff and mypy --strict; Biome for JavaScript and CSS
	@$(BIN)/ruff format --check --quiet .
	@$(BIN)/ruff check --quiet .
	@$(BIN)/mypy --strict
	@.ci/lint-web

check: lint test  ## what CI runs: lint, then every test; the docs are tested too

docs: $(VENV)/.dev  ## only the tests that hold the docs to the code
	@$(BIN)/python -m pytest tests/test_docs.py

format: $(VENV)/.dev  ## lay the source out, and mend what ruff can mend by itself
	@$(BIN)/ruff check --fix --quiet . ; $(BIN)/ruff format .
	@if [ -x $(BIOME) ]; then $(BIOME) format --write; fi

lock: $(VENV)/.dev  ## resolve the dependencies anew; UPGRADE=1 takes newer versions
	@$(COMPILE) $(if $(UPGRADE),--upgrade) --extra server --extra play --extra cluster --extra dev --extra oracle --group build \
		-o requirements-dev.lock pyproject.toml
	@$(COMPILE) -c requirements-dev.lock --extra server --extra play --extra cluster -o requirements.lock pyproject.toml
	@$(COMPILE) -c requirements-dev.lock --group build -o requirements-build.lock

schema: $(VENV)/.dev  ## write the schema, the tables of the docs and the browser's types from the messages
	@$(BIN)/python -m generate

translations: $(VENV)/.dev  ## bring the catalogues of languages up to date with what clients say, list what is to be translated, and write it for the browser
	@$(BIN)/python -m generate.translations --write

playthroughs: $(VENV)/.dev  ## write one readable random game per game, which the tests compare with
	@$(BIN)/python -m tests.harness.games.playthroughs

pictures: $(VENV)/.dev  ## play a little in Chromium and write the docs' pictures of the browser client; ARGS="--every FOLDER" also writes each scene at four widths
	@$(BIN)/python -m tests.harness.web.pictures $(ARGS)

recording: $(VENV)/.dev  ## play a little on the full screen and write the docs' pictures of the terminal, the moving one and those in letters
	@$(BIN)/python -m tests.harness.screen_recording
	@$(BIN)/python -m tests.harness.screen_captures

oracle: $(VENV)/.dev  ## play a million plies a game beside an independent implementation, then the long rules tests
	@$(BIN)/python -m tests.harness.games.oracle --plies 1000000 $(ARGS)
	@FULL=1 $(BIN)/python -m pytest tests/games

bench: $(VENV)/.dev  ## moves per second and latency of this server, beside the bare stack; ARGS="--scenario all" for other loads
	@$(BIN)/python -m bench.load $(ARGS)

kill-loop: $(VENV)/.dev  ## kill -9 the server under its players, then compare its log with what they were told; FULL=1 kills 200 times
	@FULL=$(FULL) $(BIN)/python -m trials.kill_loop $(ARGS)

power-cut: $(VENV)/.dev  ## cut the power, fill the disk and let it fail under the SQLite journal; FULL=1 cuts 1,000 times
	@FULL=$(FULL) $(BIN)/python -m trials.power_cut $(ARGS)

strength: $(VENV)/.dev  ## whether the bundled brains reach their bars; FULL=1 plays the full ladders, ARGS="--only quoridor" some
	@FULL=$(FULL) $(BIN)/python -m trials.strength $(ARGS)

ratings: $(VENV)/.dev  ## whether ratings find out who is strong: 10,000 simulated players of known strength
	@$(BIN)/python -m trials.ratings $(ARGS)

api: $(VENV)/.dev  ## whether the pages under /api, and the host's, keep what their OpenAPI documents promise; needs Schemathesis (pip install schemathesis)
	@$(BIN)/python -m trials.api $(ARGS)

simulate: $(VENV)/.dev  ## play simulated evenings in which everything goes wrong; FULL=1 plays 20,000, ARGS="--seed 7 --trace" replays one
	@$(BIN)/python -m trials.simulation $(if $(FULL),--seeds 0:20000 --jobs 2) $(ARGS)

fuzz: $(VENV)/.dev  ## a million damaged frames against the decoder, thousands through sockets; FULL=1 ten million
	@$(BIN)/python -m trials.fuzz $(if $(FULL),--frames 10000000 --socket-frames 200000) $(ARGS)

conformance: $(VENV)/.dev  ## WebSocket by the byte; FULL=1 also cuts every case into packets of one and three bytes
	@FULL=$(FULL) $(BIN)/python -m pytest trials/conformance $(ARGS)

proxies: $(VENV)/.dev  ## put nginx and Caddy in front of a server, as examples/hosting has them, and play through them
	@FULL=1 $(BIN)/python -m pytest $(WITHOUT_A_LIMIT) tests/test_proxies.py $(ARGS)

drain: $(VENV)/.dev  ## drain and restart a server under 200 running games: all go on, no clock is charged; ARGS="--games 50" for fewer
	@$(BIN)/python -m trials.restart $(ARGS)

overload: $(VENV)/.dev  ## two people play while strangers do their worst; FULL=1 for longer
	@$(BIN)/python -m trials.overload $(if $(FULL),--rounds 9) $(ARGS)

churn: $(VENV)/.dev  ## whether memory comes back after many games, and how large a full server is; FULL=1 plays for 20 minutes
	@FULL=$(FULL) $(BIN)/python -m trials.churn $(ARGS)

hidden-info: $(VENV)/.dev  ## games that differ only in what is hidden must look alike; FULL=1 compares 100,000 pairs
	@$(BIN)/python -m tests.security.test_hidden_information --pairs $(if $(FULL),100000,5000) $(ARGS)

mutants: $(VENV)/.dev  ## change the rules, the core and the journal in 100 places, and list the changes that no test of their folder notices
	@$(BIN)/python -m trials.mutants $(ARGS)

supply-chain: $(VENV)/.dev  ## SBOM and licences of what is installed, the wheel built twice alike, and known weaknesses; ARGS=--offline without these
	@$(BIN)/python -m trials.supply_chain $(ARGS)

package: $(VENV)/.dev  ## build the wheel and try it in an empty environment
	@.ci/try-wheel $(BIN)/python

clean:  ## remove what these targets made; the next one installs from nothing
	rm -rf $(VENV) dist build .mypy_cache .ruff_cache .pytest_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# Stamps: each is newer than what it was installed from, so a second run installs nothing.

$(VENV)/.python:
	@$(FOUND) -c '$(NEW_ENOUGH)' 2>/dev/null || { \
		echo "Tablero needs Python 3.11 or newer, and $(FOUND) is not." >&2; \
		echo "Install one; if it is not on the PATH, say: make run PYTHON=/path/to/python3.12" >&2; exit 1; }
	@$(FOUND) -m venv $(VENV)
	@touch $@

$(VENV)/.runtime: $(VENV)/.python pyproject.toml requirements.lock requirements-build.lock
	@echo "Installing Tablero into $(VENV) ..."
	@$(PIP) install --require-hashes -r requirements.lock -r requirements-build.lock
	@$(PIP) install --no-deps --no-index --no-build-isolation --editable .
	@touch $@

# uv installs these packages in 5 s, pip in 30; it doesn't read pip's settings, so where it fails pip does the work.
$(VENV)/.dev: $(VENV)/.python pyproject.toml requirements-dev.lock
	@echo "Installing Tablero and what the tests need into $(VENV) ..."
	@sed -n '/^uv==/,/# via/p' requirements-dev.lock >$(VENV)/uv.lock
	@$(PIP) install --no-deps --require-hashes -r $(VENV)/uv.lock
	@$(UV) --require-hashes -r requirements-dev.lock || $(PIP) install --require-hashes -r requirements-dev.lock
	@$(PIP) install --no-deps --no-index --no-build-isolation --editable .
	@touch $(VENV)/.runtime $@
