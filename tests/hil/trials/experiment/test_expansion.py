"""Sweeps and repeats multiplied out, against lists written by hand."""

import tomllib
from pathlib import Path

import pytest

from hil.configuration.overrides import overridden, setting
from hil.trials.experiment.expansion import load_experiment
from tests.hil.trials.experiment.plans import written

BODY = """
[set]
emulator.jitter_ms = 1.0

[[trial]]
name = "grid"
repeats = 2
seed = 7
random = {count = 3, gap_s = 1.5}
[[trial.sweep]]
object.mass_kg = [20.0, 40.0]
object.inertia_kg_m2 = [[1.0, 1.0, 1.0], [2.0, 2.0, 2.0]]
[[trial.sweep]]
emulator.delay_ms = [0.0, 5.0, 10.0]

[[trial]]
name = "one"
duration_s = 9.0
push = [{time_s = 1.0, force_n = [1.0, 2.0, 3.0], duration_ms = 50.0}]
set.emulator.jitter_ms = 2.0
"""


def test_tables_multiply_keys_of_one_table_go_together(tmp_path: Path) -> None:
    """2 steps of mass and inertia, times 3 delays, times 2 seeds: 12 trials, the last table fastest."""
    tasks = load_experiment(written(tmp_path, BODY)).tasks
    seen = [(t.folder, t.repeat, t.swept["object.mass_kg"], t.swept["emulator.delay_ms"]) for t in tasks]
    assert seen == [
        ("001-grid", 1, 20.0, 0.0), ("002-grid", 2, 20.0, 0.0),
        ("003-grid", 1, 20.0, 5.0), ("004-grid", 2, 20.0, 5.0),
        ("005-grid", 1, 20.0, 10.0), ("006-grid", 2, 20.0, 10.0),
        ("007-grid", 1, 40.0, 0.0), ("008-grid", 2, 40.0, 0.0),
        ("009-grid", 1, 40.0, 5.0), ("010-grid", 2, 40.0, 5.0),
        ("011-grid", 1, 40.0, 10.0), ("012-grid", 2, 40.0, 10.0),
        ("013-one", 1, 60.0, None),
    ]  # fmt: skip
    assert [t.swept["object.inertia_kg_m2"][0] for t in tasks] == [1.0] * 6 + [2.0] * 6 + [3.0]
    assert [t.duration for t in tasks] == [1.5] * 12 + [9.0]


def test_each_trial_has_the_configuration_that_the_plan_says(tmp_path: Path) -> None:
    """Seeds count up; the plan's values stand below the trial's; only the plan's pushes are left."""
    loaded = load_experiment(written(tmp_path, BODY))
    first, last = (loaded.base.with_settings(loaded.tasks[k].settings) for k in (0, -1))
    second = loaded.base.with_settings(loaded.tasks[1].settings)
    assert (first.run.seed, second.run.seed, last.run.seed) == (7, 8, 1)
    assert (first.emulator.jitter, last.emulator.jitter) == pytest.approx((1e-3, 2e-3))
    assert first.object.mass == 20.0 and first.object.inertia.tolist() == [1.0, 1.0, 1.0]
    assert first.operator.random is not None and last.operator.random is not None
    assert (first.operator.random.count, first.operator.random.gap, first.operator.push) == (3, 1.5, ())
    assert last.operator.random.count == 0  # the cube's own random pushes are not the plan's
    assert [push.force.tolist() for push in last.operator.push] == [[1.0, 2.0, 3.0]]


def test_quoted_and_bare_keys_are_the_same(tmp_path: Path) -> None:
    """`object.mass_kg` bare, quoted and as a table give one trial each with the same mass."""
    for sweep in ("object.mass_kg = [20.0]", '"object.mass_kg" = [20.0]', "object = {mass_kg = [20.0]}"):
        body = f'[[trial]]\nname = "a"\n[[trial.sweep]]\n{sweep}\n'
        loaded = load_experiment(written(tmp_path, body))
        assert loaded.base.with_settings(loaded.tasks[0].settings).object.mass == 20.0
        assert loaded.axes == ["object.mass_kg"]


@pytest.mark.parametrize(
    "value",
    [True, -3, 1e22, 1e-9, 'quo"te\n\\ü', [1.0, [2, "x"]], {"a": {"b c": [True]}, "d": ""}],
    ids=repr,
)
def test_a_value_comes_back_from_its_line(value: object) -> None:
    """What is written as a line of TOML is read as the same value, strange keys included."""
    for key in ("a", "a.b_c", "a.b c.d"):
        (inner,) = [tomllib.loads(setting(key, value))]
        for part in key.split("."):
            inner = inner[part]
        assert inner == value
    assert overridden({"a": {"b": 1}}, [setting("a.b", value)])["a"]["b"] == value
