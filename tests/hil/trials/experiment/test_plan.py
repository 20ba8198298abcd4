"""A plan is refused with every fault named: key, value, bound; what is sound loads."""

from pathlib import Path

import pytest

from hil.common.errors import ExperimentError
from hil.trials.experiment.expansion import load_experiment
from tests.hil.trials.experiment.plans import CUBE, HEAD, ROOT, written

FAULTS = {  # body of the plan: what is said, behind the file's name
    "": ["trial is missing"],
    "trial = []": ["trial is empty: a plan needs one trial or more"],
    '[[trial]]\nname = "A b"': ["trial[0].name = 'A b' must match ^[a-z0-9][a-z0-9-]*$"],
    '[[trial]]\nname = "a"\nrepeat = 3': ["trial[0].repeat is unknown; did you mean repeats?"],
    '[[trial]]\nname = "a"\nrepeats = 0': ["trial[0].repeats = 0 must be at least 1"],
    '[[trial]]\nname = "a"\nduration_s = -1.0': ["trial[0].duration_s = -1.0 must be at least 0"],
    '[[trial]]\nname = "a"\nduration = 1.0': ["trial[0].duration is unknown; did you mean duration_s?"],
    '[[trial]]\nname = "a"\npush = [{time_s = 1.0, force_n = [1.0], duration_ms = 50.0}]': [
        "trial[0].push[0].force_n has 1 values, expected 3"
    ],
    '[[trial]]\nname = "a"\nrandom = {count = 1}\noperator = {pushes = 1}': [
        "trial[0] has operator and push or random: either a person pushes or the emulation does"
    ],
    '[[trial]]\nname = "a"\noperator = {pushes = 0, within_s = 0.0}': [
        "trial[0].operator.pushes = 0 must be at least 1",
        "trial[0].operator.within_s = 0.0 must be above 0",
    ],
    '[[trial]]\nname = "a"\n[trial.set]\nobject.mas_kg = 3.0\nobject.mass_kg = -1.0': [
        "trial[0]: object.mass_kg = -1.0 must be above 0",
        "trial[0]: object.mas_kg is unknown; did you mean mass_kg?",
    ],
    '[[trial]]\nname = "a"\n[[trial.sweep]]\nobject.mass_kg = 3.0': [
        "trial[0].sweep[0].object.mass_kg = 3.0 must be a list of one value or more"
    ],
    '[[trial]]\nname = "a"\n[[trial.sweep]]\nobject.mass_kg = []': [
        "trial[0].sweep[0].object.mass_kg = [] must be a list of one value or more"
    ],
    '[[trial]]\nname = "a"\n[[trial.sweep]]': [
        "trial[0].sweep[0] is empty: it needs a key with a list of values"
    ],
    '[[trial]]\nname = "a"\n[[trial.sweep]]\nobject.mass_kg = [1.0, 2.0]\nemulator.delay_ms = [1.0]': [
        "trial[0].sweep[0]: keys of one table vary together, but object.mass_kg has 2 values, "
        "emulator.delay_ms has 1 values"
    ],
    '[[trial]]\nname = "a"\n[[trial.sweep]]\nemulator.loss = [0.0, 2.0]': [
        "trial[0]: emulator.loss = 2.0 must be below 1"
    ],
}


def refused(path: Path) -> list[str]:
    with pytest.raises(ExperimentError) as caught:
        load_experiment(path)
    return str(caught.value).splitlines()


@pytest.mark.parametrize("body", FAULTS)
def test_each_fault_is_named(tmp_path: Path, body: str) -> None:
    """Exactly these lines, each with the plan's name."""
    path = written(tmp_path, body)
    assert refused(path) == [f"{path}: {fault}" for fault in FAULTS[body]]


def test_a_duration_must_stand_somewhere(tmp_path: Path) -> None:
    """Neither at the top nor in the trial: said; a person's trial needs none."""
    head = HEAD.replace("duration_s = 1.5\n", "")
    path = written(tmp_path, '[[trial]]\nname = "a"\n', head)
    assert refused(path) == [
        f"{path}: trial[0].duration_s is missing; it may also stand at the top of the plan"
    ]
    written(tmp_path, '[[trial]]\nname = "a"\noperator = {pushes = 1}\n', head)
    assert load_experiment(path).tasks[0].operator is not None


def test_a_base_that_is_missing_and_a_real_arm_nobody_can_push(tmp_path: Path) -> None:
    """The base configuration is named; a real arm needs a person."""
    path = written(tmp_path, '[[trial]]\nname = "a"\n', 'name = "n"\nbase = "none.toml"\nduration_s = 1.0\n')
    assert refused(path) == [
        f"{path}: base: {tmp_path / 'none.toml'}: cannot be read: No such file or directory"
    ]
    real = HEAD.replace("cube.toml", "lwr_fri.toml")
    written(tmp_path, '[[trial]]\nname = "a"\n', real)
    assert refused(path) == [
        f"{path}: trial[0]: robot.kind = 'fri': only a person can push a real arm; give the trial an operator"
    ]


def test_no_plan_at_all(tmp_path: Path) -> None:
    """A missing file, bytes, and what is no TOML."""
    assert refused(tmp_path / "none.toml") == [
        f"{tmp_path / 'none.toml'}: cannot be read: No such file or directory"
    ]
    path = tmp_path / "bad.toml"
    path.write_bytes(b"\xff\xfe")
    assert refused(path)[0].startswith(f"{path}: is no TOML: ")
    path.write_text("[[trial\n")
    assert refused(path)[0].startswith(f"{path}: is no TOML: ")


@pytest.mark.parametrize("path", sorted((ROOT / "configs" / "plans").glob("*.toml")), ids=lambda p: p.stem)
def test_every_shipped_plan_loads(path: Path) -> None:
    """What we ship is sound, and named like its file."""
    loaded = load_experiment(path)
    assert loaded.plan.name == path.stem and loaded.plan.about
    assert loaded.base.path.parent == CUBE.parent
