# Each target does its own set-up: Python 3.11+, git and make are enough.
# One environment grows: `demo` needs the package alone, `test` and `lint` add their tools.
PYTHON ?= python3
BIN := .venv/bin

.PHONY: demo test lint bench clean size

# Installed again when pyproject.toml changes.
.venv/core: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e .
	touch $@

.venv/ready: .venv/core
	$(BIN)/pip install --quiet --disable-pip-version-check -e '.[test]'
	touch $@

# Peers written in JavaScript, used as oracles by tests; without npm those tests say why they are skipped.
tests/oracles/node_modules/ready: tests/oracles/package.json
	@if command -v npm >/dev/null; then cd tests/oracles && npm install --silent --no-audit --no-fund && touch node_modules/ready; \
	else echo "npm not found: tests against JavaScript peers will be skipped" >&2; fi

demo: .venv/core
	$(BIN)/python examples/demo.py

# Label Studio in an environment of its own, for the tests of annotate; nothing to do where it is.
.PHONY: label-studio
label-studio: .venv/ready
	@$(BIN)/python tests/support/label_studio.py

# Three for two cores: who asks a server or a browser waits for it.
WORKERS ?= 3
PYTEST := $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -rs

# ONLY chooses by markers; without it everything runs.
ONLY ?=
test: .venv/ready tests/oracles/node_modules/ready label-studio lint
	$(PYTEST) -m "$(ONLY)"

# Tests of real data on whole sets where they lie; `make test` alone reads the bundled rows.
.PHONY: test-whole
DATA ?= ../shared/data
test-whole: .venv/ready tests/oracles/node_modules/ready label-studio
	BENCHWRIGHT_TEST_DATA=$(DATA) $(PYTEST) -m real_data

# All of what an ordinary run draws a share of: long tables, random examples, kills.
.PHONY: thorough
thorough: .venv/ready tests/oracles/node_modules/ready label-studio
	THOROUGH=1 KILLS=2 $(PYTEST)
	$(call passed,all cases)

# The tests of a house that together took less than 15 seconds in the last whole run.
.PHONY: quick
HOUSE ?= .
quick: .venv/ready
	$(BIN)/python -m pytest tests/$(HOUSE) --within 15

# How much a reader must understand: nodes, options, names at doors, house by house.
size: .venv/ready
	@$(BIN)/python tests/support/size.py

# mypy sees the repository root under its package name through a link.
lint: .venv/ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/lint-imports --no-logo --cache-dir .cache/imports
	@mkdir -p .cache/typing && ln -sfn ../.. .cache/typing/benchwright
	cd .cache/typing && ../../$(BIN)/mypy --config-file ../../pyproject.toml -p benchwright

# What type checkers see of the front door.
__init__.pyi: front_door.py
	$(BIN)/python -c "from benchwright.front_door import stub; print(stub(), end='')" > $@

# The site, in out/docs: a warning or a broken link fails, and nothing is loaded from a network.
.PHONY: docs
docs: .venv/ready
	$(BIN)/sphinx-build --fail-on-warning --keep-going --fresh-env --quiet -d .cache/docs docs out/docs
	@echo "open out/docs/index.html"

# Evaluation harnesses and the papers' own scripts on exports, in environments of their own
# (HARNESSES=inspect for one). inspect_ai and lmms-eval come from PyPI, others from repositories.
HARNESSES ?= inspect lmms-eval vlmevalkit math-v papers
VLMEVALKIT ?= https://github.com/open-compass/VLMEvalKit
INTEROP := .cache/interop

$(INTEROP)/%/packages: tests/interop/%.txt pyproject.toml
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check -e . -r $<
	touch $@

$(INTEROP)/inspect/ready: $(INTEROP)/inspect/packages
	touch $@

$(INTEROP)/lmms-eval/ready: $(INTEROP)/lmms-eval/packages
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps lmms-eval==0.7.3
	touch $@

$(INTEROP)/vlmevalkit/ready: $(INTEROP)/vlmevalkit/packages
	rm -rf $(@D)/source
	git clone --quiet $(VLMEVALKIT) $(@D)/source
	git -C $(@D)/source checkout --quiet e8e78f05f3080fe28154f2130321f17951c3be94
	$(@D)/bin/pip install --quiet --disable-pip-version-check --no-deps -e $(@D)/source
	touch $@

# $(call scripts,FOLDER,REPOSITORY,COMMIT,PATH): the evaluation scripts of a paper, nothing else.
define scripts
	rm -rf $(@D)/$(1)
	git clone --quiet --no-checkout --filter=blob:none https://github.com/$(2) $(@D)/$(1)
	git -C $(@D)/$(1) checkout --quiet $(3) -- $(4)
endef

$(INTEROP)/math-v/packages $(INTEROP)/papers/packages: $(INTEROP)/%/packages: tests/interop/%.txt
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check -r $<
	touch $@

$(INTEROP)/math-v/ready: $(INTEROP)/math-v/packages
	$(call scripts,MATH-V,mathllm/MATH-V,a1f5cc3,evaluation)
	touch $@

$(INTEROP)/papers/ready: $(INTEROP)/papers/packages
	$(call scripts,MathVerse,ZrrSkywalker/MathVerse,937b090,evaluation)
	$(call scripts,We-Math,We-Math/We-Math,a57a0e8,evaluation data/knowledge_structure_nodes.json)
	$(call scripts,MM-Math,kge-sun/MM-Math,a8072fc,eval.py)
	touch $@

# What passed, and when, stands at the end of every ordinary run (tests/conftest.py).
define passed
	@mkdir -p .cache/passed && date -u '+%Y-%m-%d $(1)' > .cache/passed/$@
endef

.PHONY: interop
interop: .venv/ready $(HARNESSES:%=$(INTEROP)/%/ready)
	$(BIN)/python -m pytest tests/interop -rs
	$(call passed,$(HARNESSES))

# Other Pythons, and the lowest and the highest libraries that are declared: same bytes, no alarms.
OTHERS ?= 3.11-lowest-direct 3.12-highest 3.13-highest
PYTHONS := .cache/pythons
$(PYTHONS)/%/ready: pyproject.toml | .venv/ready
	$(BIN)/uv venv --quiet --clear --python $(firstword $(subst -, ,$*)) $(@D)
	$(BIN)/uv pip install --quiet --python $(@D)/bin/python -e . \
		--resolution $(patsubst $(firstword $(subst -, ,$*))-%,%,$*)
	touch $@

.PHONY: pythons
pythons: .venv/ready $(OTHERS:%=$(PYTHONS)/%/ready)
	$(BIN)/python -m pytest tests/exports/test_transports.py -rs
	$(call passed,$(OTHERS))

# Releases in S3, on a server of moto. With s3fs in one environment pip would search for an hour.
S3 := .cache/s3
.PHONY: s3
$(S3)/ready:
	$(PYTHON) -m venv $(@D)
	$(@D)/bin/pip install --quiet --disable-pip-version-check 'moto[server]>=5,<6'
	touch $@

s3: .venv/ready $(S3)/ready
	$(BIN)/python -m pytest tests/base/test_stores.py
	$(call passed,releases in S3)

# What is too long for every run: the hosted workflow does it once a week.
.PHONY: weekly
weekly: interop pythons s3 crash mutants fit thorough bench

# Wheel and sdist, checked, installed alone, and the README's first screen run from them.
.PHONY: release
release: .venv/ready
	$(BIN)/python docs/release.py check

bench: .venv/ready
	$(BIN)/python bench/run.py

# Long runs for trust; `make test` has short ones of each with fixed seeds (tests/endurance).
# On one core `crash` takes about an hour (KILLS=2: six minutes), `fuzz` its MINUTES and ten more to
# start its targets, `soak` half an hour (ROUNDS=12: two minutes), `audit` two minutes, `mutants`
# ten seconds for each; stopped, it goes on with those that did not die.
.PHONY: crash fuzz soak audit mutants
KILLS ?= 40
MINUTES ?= 60
ROUNDS ?= 200

# Kills, full and read-only disks, two at once; the same of annotate with its real server.
crash: .venv/ready
	KILLS=$(KILLS) $(BIN)/python -m pytest -rP --timeout 0 tests/endurance/test_crash.py
	KILLS=$(KILLS) $(BIN)/python -m pytest --timeout 0 tests/annotate/projects/test_kills.py
	$(call passed,$(KILLS) moments)

# MINUTES of processor time for all readers and parsers together.
fuzz: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check 'atheris>=3,<4'
	$(BIN)/python tests/endurance/fuzz.py --minutes $(MINUTES)

soak: .venv/ready
	$(BIN)/python tests/endurance/soak.py --rounds $(ROUNDS)

# Breaks the proof of releases in SAMPLE places, one at a time: its tests must notice.
SAMPLE ?= 120
mutants: .venv/ready
	$(BIN)/python tests/endurance/mutants.py --sample $(SAMPLE)
	$(call passed,of $(SAMPLE))

# The weights of extraction once more, on the labelled replies at hand; it writes nothing.
.PHONY: fit
REPLIES ?= $(wildcard $(DATA)/replies*)
fit: .venv/ready
	@if [ -z "$(strip $(REPLIES))" ]; then echo "no labelled replies in $(DATA): nothing is fitted"; \
	else $(BIN)/python bench/fit_replies.py $(REPLIES) --dry; fi
	$(call passed,on $(words $(REPLIES)) folders)

# What tools say of the code and of what it depends on; SECURITY.md explains what is left.
audit: .venv/ready
	$(BIN)/pip install --quiet --disable-pip-version-check 'bandit>=1.8,<2' 'pip-audit>=2.9,<3'
	$(BIN)/python tests/endurance/audit.py

clean:
	rm -rf .venv .cache build dist out tests/oracles/node_modules
