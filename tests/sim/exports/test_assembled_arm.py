"""An assembly as the loop's arm: `robot.model` may name it wherever it may name a URDF."""

import shutil
from pathlib import Path

import mujoco
import numpy as np
import pytest

import sim.exports.assembled_arm as assembled
from drivers.robot.model import arm_spec
from hil.analysis.figures import figures
from hil.common.arm_files import read_arm
from hil.common.errors import AssemblyError, ConfigurationError
from hil.configuration import load_configuration
from hil.configuration.loading import accept
from hil.configuration.workspace_stamp import workspace_stamp
from hil.configuration.wrench_stamp import wrench_stamp
from hil.loop.lockstep import LockStep
from hil.processes.bridge.agreement import agreement_stamp
from planner.kinematics.arm_model import load_arm_model

CONFIGS = Path(__file__).parents[3] / "configs"
LWR, OWN = CONFIGS / "assemblies" / "lwr4.toml", CONFIGS / "robots" / "lwr4.urdf"


def test_it_has_the_kinematics_of_the_loops_own_model() -> None:
    """Lengths, signs and ranges; names A1 to A7."""
    made, own = load_arm_model(LWR), load_arm_model(OWN)
    np.testing.assert_allclose(made.lengths, own.lengths, atol=1e-12)
    np.testing.assert_array_equal(made.signs, own.signs)
    np.testing.assert_allclose(made.lower, own.lower, atol=1e-9)
    assert made.names == own.names


def test_the_physics_engine_takes_it_from_memory() -> None:
    """Flange where the loop's own model has it; all of its mass; the mount where it is asked to be."""
    T = np.eye(4)
    T[:3, 3] = 0.1, 0.2, 0.3
    found = []
    for path in (LWR, OWN):
        model = arm_spec(path, T).compile()
        data = mujoco.MjData(model)
        data.qpos[:] = [0.3, -0.5, 0.2, 0.9, -0.4, 0.7, 0.1]
        mujoco.mj_forward(model, data)
        found.append((model, data.body("flange").xpos.copy()))
    np.testing.assert_allclose(found[0][1], found[1][1], atol=1e-9)
    assert found[0][0].body_mass.sum() == pytest.approx(15.43344, abs=1e-5)


def test_a_plain_urdf_stays_what_it_is() -> None:
    """To the letter, and so does its fingerprint."""
    arm = read_arm(OWN)
    assert arm.urdf == arm.stamped == OWN.read_bytes() and not arm.made


@pytest.fixture
def copied(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Configurations, assemblies and components in a folder of their own, which the maker reads."""
    for name in ("components", "assemblies"):
        shutil.copytree(CONFIGS / name, tmp_path / name)
    shutil.copy(CONFIGS / "assembled.toml", tmp_path)
    monkeypatch.setattr(assembled, "SHIPPED", tmp_path / "components")
    return tmp_path


def test_every_fingerprint_covers_the_components(copied: Path) -> None:
    """A changed link changes all four; a changed text none."""
    path = copied / "assembled.toml"

    def stamps() -> list[str]:
        c = load_configuration(path)
        return [accept(path).stamp, workspace_stamp(c), wrench_stamp(c), agreement_stamp(c)]

    before = stamps()
    link = copied / "components" / "links" / "link-short-l.toml"
    text = link.read_text(encoding="utf-8")
    link.write_text(text.replace('text = "', 'text = "a '), encoding="utf-8")
    assert stamps() == before
    link.write_text(text.replace("mass_kg = 0.2", "mass_kg = 0.3"), encoding="utf-8")
    assert not set(stamps()) & set(before)


def test_what_is_refused_is_told(copied: Path) -> None:
    """A broken component, an assembly that is no arm of ours, a file that is not there: one line each."""
    path = copied / "assembled.toml"
    arm = copied / "assemblies" / "lwr4.toml"
    arm.write_text(arm.read_text(encoding="utf-8").replace("wrist-lwr4", "wrist-lwr5"), encoding="utf-8")
    with pytest.raises(AssemblyError, match=r"there is no component 'wrist-lwr5'.*near: wrist-lwr4"):
        load_arm_model(load_configuration(path).robot.model)
    arm.unlink()
    with pytest.raises(ConfigurationError, match=r"robot\.model = .* is no file"):
        load_configuration(path)


def test_the_stops_are_certified_for_it() -> None:
    """As shipped; `zerog workspace configs/assembled.toml` prints what to write if not."""
    c = load_configuration(CONFIGS / "assembled.toml")
    assert c.stops.certified == workspace_stamp(c)


def test_it_floats_the_cube() -> None:
    """Two seconds of the loop: floating, no fault, and the object moves as it was sent."""
    trace = LockStep(load_configuration(CONFIGS / "assembled.toml")).run(2.0)
    values = figures(trace)
    assert values["plan"]["holds"] == 0 and values["limits"]["violations"] == 0
    assert values["energy_drift"] < 1e-9 and np.abs(trace.q_command[-1] - trace.q_command[0]).max() > 0.05
