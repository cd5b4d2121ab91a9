# make demo   environment, models, the whole workflow on config.yaml; prints where the report is
# make quick  the same on config/test.yaml (two sets a language)
# make test | lint | parsers | clean

PYTHON ?= python3
CORES  ?= 2
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed

export TOKENIZERS_PARALLELISM = false
export HF_HUB_OFFLINE = 1

.PHONY: demo quick test lint parsers clean

demo: $(STAMP)
	@$(BIN)/dualpair unlock
	@$(BIN)/snakemake --cores $(CORES)
	@$(BIN)/dualpair summary results/demo
	@echo "report: $(CURDIR)/results/demo/report.html"

quick: $(STAMP)
	@$(BIN)/dualpair unlock
	@$(BIN)/snakemake --cores $(CORES) --configfile config/test.yaml
	@$(BIN)/dualpair summary results/test
	@echo "report: $(CURDIR)/results/test/report.html"

$(STAMP): pyproject.toml requirements/pins.txt requirements/parse.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "dualpair needs Python 3.11 or newer: make PYTHON=python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint requirements/pins.txt --editable '.[dev]'
	$(BIN)/python -m pip install --quiet --no-deps --requirement requirements/parse.txt
	@touch $(STAMP)

test: $(STAMP)
	$(BIN)/python -m pytest $(PYTEST)

lint: $(STAMP)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/snakefmt --check Snakefile rules
	$(BIN)/snakemake --lint

parsers: $(STAMP)
	$(BIN)/python scripts/train_parsers.py

clean:
	rm -rf results/demo results/test .snakemake .pytest_cache .mypy_cache .ruff_cache build dist
