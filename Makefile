# Headroom's commands. Each makes what it needs: a Python from 3.11 to 3.13 is enough to begin with.

PYTHON := .venv/bin/python
UV = $(shell command -v uv || echo .tools/bin/uv)
COMPILE = $(UV) pip compile --quiet --universal --generate-hashes --no-emit-index-url --no-annotate --python-version 3.11

.PHONY: run demo test check types contracts house bench chaos format lock backup restore secrets

run:  ## start Headroom; Ctrl-C stops it
	@.ci/environment.sh run
	@$(PYTHON) -m apps.config.embedded.supervisor

demo: export HEADROOM_DATA ?= var/demo
demo: export HEADROOM_DEMO = 1
demo: run  ## start it on data of its own, with an estate to look around in

# A test waits for PostgreSQL, Chromium and other programs a third of its time: four at once, also on two cores.
test:  ## run the tests; make test ARGS="-k profile" runs some of them
	@.ci/environment.sh dev
	@$(PYTHON) -m pytest -n 4 --dist worksteal $(ARGS)

check: export HEADROOM_DATA = $(CURDIR)/build/check
check:  ## everything that has to be in order before a commit
	@.ci/environment.sh dev
	@$(PYTHON) -m ruff check
	@$(PYTHON) -m ruff format --check
	@.venv/bin/djangofmt --check templates
	@$(MAKE) --no-print-directory -j 3 types contracts test

types:
	@$(PYTHON) -m mypy .

contracts:
	@.venv/bin/lint-imports

house:  ## print how large the parts of the house are
	@.ci/environment.sh dev
	@$(PYTHON) -m benchmarks.house

bench:  ## measure, and print ratios
	@.ci/environment.sh dev
	@$(PYTHON) -m benchmarks

chaos:  ## kill Headroom at random for ten minutes and check that nothing is lost; make chaos ARGS="--seed 7"
	@.ci/environment.sh dev
	@$(PYTHON) -m benchmarks.chaos $(ARGS)

format:  ## put code and templates into shape
	@.ci/environment.sh dev
	@$(PYTHON) -m ruff check --fix
	@$(PYTHON) -m ruff format
	@.venv/bin/djangofmt templates

lock:  ## lock the dependencies of pyproject.toml; make lock ARGS=--upgrade takes newer ones
	@.ci/environment.sh tools
	@$(COMPILE) $(ARGS) pyproject.toml -o requirements.txt
	@$(COMPILE) $(ARGS) --extra dev --constraint requirements.txt pyproject.toml -o requirements-dev.txt

backup:  ## write the database into FILE, while Headroom works or stands still
	@.ci/environment.sh run
	@$(PYTHON) manage.py backup "$(FILE)"

restore:  ## put the backup in FILE in the place of everything in the database, while Headroom stands still
	@.ci/environment.sh run
	@$(PYTHON) manage.py restore "$(FILE)"

secrets:  ## make what docker-compose.yml reads from secrets/
	@.ci/secrets.sh
