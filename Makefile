# `make paper` and `make test` work from a fresh clone: each first sets up .venv from the hashed lock.

PYTHON ?= python3
CORES ?= $(shell $(PYTHON) -c 'import os; print(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count())' 2> /dev/null || getconf _NPROCESSORS_ONLN)
# Options of Snakemake for every target, such as a second configuration: make report OPTIONS='--configfile mine.yaml'
OPTIONS ?=
# Of `make mutants`: the room or module, the minutes after which it stops, and one mutant of how many it takes.
ROOM ?= numerics
MINUTES ?= 60
EVERY ?= 1
# Of `make archive` and `make verify-archive`.
ARCHIVE ?= disclosure.tar.gz
# Of `make container`: podman or docker.
ENGINE ?= podman
SNAKEMAKE = .venv/bin/snakemake
# Tests run on all cores; threads of the linear algebra beside them would only wait for each other.
export OPENBLAS_NUM_THREADS = 1
READY = .venv/.ready

.PHONY: paper article report exact verify check-published test test-long test-cluster test-report test-docs mutants coverage docs lint bench images archive verify-archive container lock setup clean

paper: $(READY)
	$(SNAKEMAKE) --cores $(CORES) $(OPTIONS)
	@cat results/published.md

# The README's table, docs/published.md, the article and the table of results that `make paper` has made: do they agree?
check-published: $(READY)
	.venv/bin/python tests/check_published.py

# What `make paper` has made is used, and made again only where something has changed.
report: $(READY)
	$(SNAKEMAKE) report --cores $(CORES) --report report.html --report-after-run \
	  --report-stylesheet "$(CURDIR)/workflow/report/report.css" $(OPTIONS)

article exact verify: $(READY)
	$(SNAKEMAKE) $@ --cores $(CORES) $(OPTIONS)

test: $(READY)
	.venv/bin/python -m pytest --numprocesses $(CORES) --dist loadfile --no-loadscope-reorder

# Statistical tests with many datasets, and long series of kills; about half an hour.
test-long: $(READY)
	.venv/bin/python -m pytest -m long --numprocesses $(CORES)

# Plants faults in one room or module and prints those that its tests miss: make mutants ROOM=beliefs/noises MINUTES=20 EVERY=10
mutants: $(READY)
	.venv/bin/python tests/mutants.py $(ROOM) --minutes $(MINUTES) --every $(EVERY) --workers $(CORES)

# Brings up a Slurm on this machine, as root; says why where it cannot.
test-cluster: $(READY)
	.venv/bin/python -m pytest -rs tests/cluster

# Opens the report in a headless Chromium; says why where there is none.
test-report: report
	.venv/bin/python -m pytest -rs tests/report

# Opens the documentation's site in a headless Chromium; says why where there is none.
test-docs: docs
	.venv/bin/python -m pytest -rs tests/docs

# Which lines and branches of the package the unit tests run, in the terminal and in htmlcov/index.html.
coverage: $(READY)
	.venv/bin/python -m pytest --numprocesses $(CORES) --dist loadfile --cov --cov-report term --cov-report html \
	  tests/unit src

# The documentation as a site in site/, with a page for each module; to search it, serve it:
# python3 -m http.server --directory site
docs: $(READY)
	NO_MKDOCS_2_WARNING=1 .venv/bin/mkdocs build --quiet --clean
	@echo "the documentation is in site/index.html"

lint: $(READY)
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/snakefmt --check Snakefile workflow
	.venv/bin/python tests/lint_workflow.py
	.venv/bin/python tests/lint_text.py

# The pictures of the README, which stand under version control.
images: $(READY)
	$(SNAKEMAKE) figures/figure2.png figures/epsilon_by_prior_odds.png --cores $(CORES) $(OPTIONS)
	.venv/bin/python docs/images/make.py
	.venv/bin/python docs/tools/rooms.py

# With RELEASE=1.2.0 the numbers are added to benchmarks/history.csv.
bench: $(READY)
	.venv/bin/python benchmarks/run.py $(if $(RELEASE),--release $(RELEASE))

# One file with the last commit and what `make report` has made of it; it checks itself.
archive: $(READY)
	.venv/bin/python -m disclosure.workflow.archive pack --output $(ARCHIVE)

# In an empty folder, and without a network where the system lets one be left out.
verify-archive:
	$(shell unshare --map-root-user --net true 2> /dev/null && echo unshare --map-root-user --net) \
	  .venv/bin/python src/disclosure/workflow/archive/verify.py $(ARCHIVE)

# An image of the last commit, by podman or docker, and the same for Apptainer where it is installed.
container:
	rm -rf build/container && mkdir -p build/container/context
	git archive HEAD | tar -x -C build/container/context
	$(ENGINE) build --file build/container/context/Containerfile --tag disclosure build/container/context
	@if command -v apptainer > /dev/null; then \
	  $(ENGINE) save --output build/container/disclosure.tar disclosure && \
	  apptainer build --force disclosure.sif docker-archive:build/container/disclosure.tar; fi

# Pins of what pyproject.toml asks for; versions that are pinned already stay. It wants uv.
lock:
	uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --all-extras --generate-hashes --no-header \
	  --no-emit-index-url --output-file requirements.lock

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	@command -v $(PYTHON) > /dev/null || { \
	  echo "$(PYTHON) is not there; name a Python from 3.11 to 3.13: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' || { \
	  echo "$(PYTHON) is not a Python from 3.11 to 3.13 (3.14 lacks wheels); name one: make PYTHON=python3.12 $(MAKECMDGOALS)" >&2; \
	  exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  echo "$(PYTHON) cannot create environments; on Debian and Ubuntu: apt install python3-venv" >&2; exit 1; }
	@echo "setting up .venv from requirements.lock, once; this takes about a minute"
	@rm -rf .venv
	@$(PYTHON) -m venv .venv
	@echo "  downloading and checking the packages"
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@.venv/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@echo "  .venv is ready"
	@touch $@

clean:
	rm -rf .venv .snakemake .mypy_cache .coverage htmlcov results figures site report.html
