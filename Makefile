# The commands of daily work; each sets up what it needs.
VENV := .venv
PY := $(VENV)/bin/python
ARGS ?=

.PHONY: setup run workbench test bench mutants check clean

setup: $(VENV)/.installed

$(VENV)/.installed: requirements.lock pyproject.toml
	@echo "setting up $(VENV) from requirements.lock: some minutes of silence, the first time alone"
	python3 -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@touch $@

run: setup
	@exec $(VENV)/bin/zerog run configs/cube.toml --dashboard $(ARGS)

workbench: setup
	@exec $(VENV)/bin/zerog workbench $(ARGS)

# Side by side, each with one thread for its matrices: those that wait for one another keep both cores busy.
# Alone: live loops and browsers. What fails there is told and run once more, and must hold then: on a shared
# machine something else may stand in the way for a moment.
test: setup
	OPENBLAS_NUM_THREADS=1 $(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder -m "not alone" $(ARGS)
	$(PY) -m pytest -m alone $(ARGS) || $(PY) -m pytest -m alone --last-failed --last-failed-no-failures none $(ARGS)

bench: setup
	$(PY) -m bench $(ARGS)

mutants: setup
	$(PY) -m tests.mutants $(ARGS)

check: setup
	$(VENV)/bin/ruff format --check .
	$(VENV)/bin/ruff check .
	$(VENV)/bin/mypy

clean:
	rm -rf $(VENV) build *.egg-info
