# Everything runs in .venv, from locked versions, and asks nothing. `make` lists the commands.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PAGE := src/branchline/service/page/index.html
PIP_TOOLS := pip-tools==7.6.2

PIP := PIP_DISABLE_PIP_VERSION_CHECK=1 $(BIN)/python -m pip --no-input --quiet
LOCK_COMPILE := CUSTOM_COMPILE_COMMAND="make lock" .venv-lock/bin/pip-compile --quiet --upgrade \
	--generate-hashes --allow-unsafe --strip-extras --no-annotate --no-emit-options \
	--no-emit-index-url --no-emit-find-links --no-emit-trusted-host

.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: help play terminal test system-packages check bench bench-compare load pictures measure build lock clean FORCE

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: $(VENV)/.installed ## play in the browser, alone or with friends, at http://localhost:8000
	@$(BIN)/branchline serve

terminal: $(VENV)/.installed ## play in the terminal
	@$(BIN)/branchline play

test: $(VENV)/.installed system-packages ## run the tests against the installed package (BRANCHLINE_PURE=1: uncompiled)
	$(BIN)/pytest -q -n 2
	cd web && npm test --silent && npm run e2e --silent

system-packages:
	@tools/system_packages.sh

check: $(VENV)/.ready web/node_modules/.ready ## lint, formatting, strict types, direction of imports
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy --strict
	PYTHONPATH=src $(BIN)/lint-imports --no-logo
	cd web && npm run check --silent

bench: $(VENV)/.installed ## measure the speed, beside others, in one run
	$(BIN)/python bench/run.py

bench-compare: $(VENV)/.installed ## measure this tree beside another revision: REV=…
	@test -n "$(REV)" || { echo "name a revision: make bench-compare REV=HEAD~1"; exit 2; }
	$(BIN)/python bench/run.py --compare $(REV)

load: $(VENV)/.installed ## measure the server: moves a second, latency, memory
	$(BIN)/python bench/load.py

pictures: $(VENV)/.installed system-packages ## every screen of the page as it is, into web/pictures
	cd web && npm run pictures --silent

measure: $(VENV)/.installed system-packages ## measure the page: first board, panning, memory
	cd web && npm run measure --silent

build: $(VENV)/.ready $(PAGE) ## make the wheel, in dist/
	rm -rf build dist src/*.egg-info
	$(BIN)/pyproject-build --wheel --no-isolation

lock: ## renew the locked versions in requirements/
	$(PYTHON) -m venv --clear .venv-lock
	.venv-lock/bin/python -m pip --no-input --quiet install $(PIP_TOOLS)
	$(LOCK_COMPILE) --output-file requirements/dev.txt requirements/dev.in
	$(LOCK_COMPILE) --constraint requirements/dev.txt \
		--output-file requirements/run.txt requirements/run.in

clean: ## remove everything that make made
	rm -rf $(VENV) .venv-lock .bench web/node_modules web/src/generated web/pictures $(dir $(PAGE)) build dist src/*.egg-info .hypothesis .import_linter_cache \
		.mypy_cache .pytest_cache .ruff_cache
	find src tests -name __pycache__ -type d -prune -exec rm -rf {} +

# The tools, exactly as locked.
$(VENV)/.ready: requirements/dev.txt
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit( \
		"Branchline needs Python 3.11 or newer; name one with: make PYTHON=python3.11")'
	$(PYTHON) -m venv --clear $(VENV)
	$(PIP) install --require-hashes -r requirements/dev.txt
	@touch $@

# The page, built into the package. Its words come from the catalogues.
web/node_modules/.ready: web/package-lock.json
	@command -v npm >/dev/null || { echo "The page needs Node 20 or newer with npm to be built." >&2; exit 1; }
	cd web && npm ci --silent
	@touch $@

$(PAGE): web/node_modules/.ready $(shell find web/src web/public web/*.* \
		-path web/src/generated -prune -o -type f -print 2>/dev/null) \
		$(wildcard src/branchline/lang/*/page.toml)
	cd web && npm run build --silent

# The name and checksum of every file that the package is made of; newer only if one has changed.
$(VENV)/.sources: FORCE $(PAGE) | $(VENV)/.ready
	@find src setup.py pyproject.toml -type f ! -path '*/__pycache__/*' ! -path '*.egg-info/*' \
		| LC_ALL=C sort | xargs cksum > $@.new
	@if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

# Always compiled where that is possible: BRANCHLINE_PURE counts when the package runs.
$(VENV)/.installed: $(VENV)/.ready $(VENV)/.sources
	rm -rf build src/*.egg-info
	env -u BRANCHLINE_PURE $(PIP) install --no-build-isolation --no-deps --force-reinstall .
	@env -u BRANCHLINE_PURE $(BIN)/python -c 'from branchline._plain import compiled; \
		print("branchline:", "compiled" if compiled() else "plain Python, not compiled")'
	@touch $@
