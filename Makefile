# Everything runs from locked versions and asks nothing. `make` lists the commands.
#
# Three environments, each made when it is first needed: `.venv` tests and checks, `.venv-play`
# plays, and `.venv-build` only builds the package: it has few types for the compiler to read.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PLAY := .venv-play
BUILD := .venv-build
BUILT := .build
PAGE := src/branchline/service/page/index.html
MKDOCS = PYTHONPATH=src NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs
PIP_TOOLS := pip-tools==7.6.2

LOCK_COMPILE := CUSTOM_COMPILE_COMMAND="make lock" .venv-lock/bin/pip-compile --quiet $(UPGRADE) \
	--generate-hashes --allow-unsafe --strip-extras --no-annotate --no-emit-options \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play terminal test test-python test-page test-browser test-install coverage system-packages \
	check check-page check-python bench bench-compare load soak store-size pictures measure \
	page docs docs-serve build lock upgrade clean FORCE

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(PLAY)/.installed ## play in the browser, alone or with friends, at http://localhost:8000
	@$(PLAY)/bin/branchline serve

terminal: $(PLAY)/.installed ## play in the terminal
	@$(PLAY)/bin/branchline play

test: test-python test-page test-browser test-install ## run the tests against the installed package (BRANCHLINE_PURE=1: uncompiled)

# A worker takes the tests in the order of their files, so that most servers are started once.
test-python: $(VENV)/.installed system-packages
	$(BIN)/pytest -q -n 3 --dist worksteal --ignore tests/install

test-page: web/node_modules/.ready
	cd web && ../tools/npm.sh test --silent

test-browser: $(VENV)/.installed web/node_modules/.ready system-packages
	cd web && ../tools/npm.sh run e2e --silent

# One process compiles the package and tries it, the other does the rest.
test-install: $(VENV)/.installed ## build the packages as a stranger would, install them and play
	$(BIN)/pytest -q -n 2 --dist loadscope tests/install

coverage: $(VENV)/.ready system-packages ## run the tests on the plain Python sources and print what they cover
	rm -rf .coverage && mkdir .coverage
	PYTHONPATH=$(CURDIR)/src BRANCHLINE_PURE=1 $(BIN)/coverage run -m pytest -q --ignore tests/install $(TESTS)
	$(BIN)/coverage combine -q && $(BIN)/coverage report

system-packages:
	@tools/system_packages.sh

check: check-page check-python ## lint, formatting, strict types, direction of imports, workflows

check-page: web/node_modules/.ready
	cd web && ../tools/npm.sh run check --silent

check-python: $(VENV)/.ready
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict
	PYTHONPATH=src $(BIN)/lint-imports --no-logo
	$(BIN)/validate-pyproject pyproject.toml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.dependabot .github/dependabot.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.github-issue-forms .github/ISSUE_TEMPLATE/[!c]*.yml
	$(BIN)/check-jsonschema --builtin-schema vendor.citation-file-format CITATION.cff
	$(BIN)/zizmor --offline --quiet .github
	$(BIN)/hadolint Dockerfile

bench: $(VENV)/.installed ## measure the speed, next to others, in one run
	$(BIN)/python bench/run.py

bench-compare: $(VENV)/.installed ## measure this tree next to another revision: REV=…
	@test -n "$(REV)" || { echo "name a revision: make bench-compare REV=HEAD~1"; exit 2; }
	$(BIN)/python bench/run.py --compare $(REV)

load: $(VENV)/.installed ## measure the server: moves a second, latency, memory
	$(BIN)/python bench/load.py

SOAK_MINUTES ?= 60
SOAK_KILLS ?= 0
soak: $(VENV)/.installed system-packages ## people play while everything is killed and flooded: SOAK_MINUTES=60 SOAK_KILLS=0
	$(BIN)/python bench/soak.py --minutes $(SOAK_MINUTES) --kills $(SOAK_KILLS)

store-size: $(VENV)/.installed ## measure what a large database costs: creating, coming back, lists
	$(BIN)/python bench/store_size.py

pictures: $(VENV)/.installed web/node_modules/.ready system-packages ## every screen of the page as it is, into web/pictures
	cd web && ../tools/npm.sh run pictures --silent

measure: $(VENV)/.installed web/node_modules/.ready system-packages ## measure the page: first board, panning, memory
	cd web && ../tools/npm.sh run measure --silent

page: $(PAGE) ## build the page into the package

docs: $(VENV)/.ready ## build the documentation into the package; a server then shows it at /docs
	$(MKDOCS) build --strict --quiet

docs-serve: $(VENV)/.ready ## show the documentation while you write it, at http://localhost:8001
	$(MKDOCS) serve --livereload --dev-addr localhost:8001

build: $(VENV)/.ready $(PAGE) ## make the source distribution and the wheel, in dist/
	rm -rf build dist src/*.egg-info
	$(BIN)/pyproject-build

lock: ## renew the locks in requirements/ for what its .in files name
	$(PYTHON) -m venv --clear .venv-lock
	.venv-lock/bin/python -m pip --no-input --quiet install $(PIP_TOOLS)
	$(LOCK_COMPILE) --output-file requirements/dev.txt requirements/dev.in
	for part in build run; do $(LOCK_COMPILE) --constraint requirements/dev.txt \
		--output-file requirements/$$part.txt requirements/$$part.in || exit 1; done
	$(LOCK_COMPILE) --output-file requirements/node.txt requirements/node.in

upgrade: ## renew the locks with the newest versions
	@$(MAKE) lock UPGRADE=--upgrade

clean: ## remove everything that make made
	rm -rf $(VENV) $(PLAY) $(BUILD) $(BUILT) .venv-lock .bench web/node_modules web/src/generated web/pictures $(dir $(PAGE)) \
		src/branchline/service/docs \
		build dist src/*.egg-info .coverage .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# --- environments, exactly as locked ----------------------------------------------------------------

# What tests and checks.
$(VENV)/.ready: requirements/dev.txt
	@tools/new_env.sh $(PYTHON) $(VENV) requirements/dev.txt

# What plays: the table server, the bots and the page.
$(PLAY)/.ready: requirements/run.txt
	@tools/new_env.sh $(PYTHON) $(PLAY) requirements/run.txt

# What builds the package.
$(BUILD)/.ready: requirements/build.txt
	@tools/new_env.sh $(PYTHON) $(BUILD) requirements/build.txt

$(VENV)/.installed $(PLAY)/.installed: %/.installed: %/.ready $(BUILT)/.wheel
	@PIP_DISABLE_PIP_VERSION_CHECK=1 $*/bin/python -m pip --no-input --quiet install \
		--no-deps --force-reinstall $(BUILT)/*.whl
	@env -u BRANCHLINE_PURE $*/bin/python -c 'from branchline._plain import compiled; \
		print("branchline:", "compiled" if compiled() else "plain Python, not compiled")'
	@touch $@

# --- the page, built into the package; its words come from the catalogues ---------------------------

# What builds the page, and in addition what checks and tests it.
web/node_modules/.build: web/package-lock.json
	cd web && ../tools/npm.sh ci --omit=dev --silent
	@touch $@

web/node_modules/.ready: web/package-lock.json
	cd web && ../tools/npm.sh ci --silent
	@touch web/node_modules/.build $@

$(PAGE): web/node_modules/.build $(shell find web/src web/public web/*.* \
		-path web/src/generated -prune -o -type f -print 2>/dev/null) \
		$(wildcard src/branchline/lang/*/*.toml)
	cd web && ../tools/npm.sh run build --silent

# --- the package ------------------------------------------------------------------------------------

# The name and checksum of every file that the package is made of; newer only if one has changed.
$(BUILT)/.sources: FORCE $(PAGE)
	@mkdir -p $(BUILT)
	@find src setup.py pyproject.toml -type f ! -path '*/__pycache__/*' ! -path '*.egg-info/*' \
		| LC_ALL=C sort | xargs cksum > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# Always compiled where that is possible: BRANCHLINE_PURE counts when the package runs.
$(BUILT)/.wheel: $(BUILT)/.sources requirements/build.txt | $(BUILD)/.ready
	@tools/build_wheel.sh $(BUILD) $(BUILT)
	@touch $@
