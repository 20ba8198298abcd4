"""The whole loop on virtual time: repeatable to the byte, and as true as its figures promise."""

import math
from pathlib import Path

import numpy as np
import pytest

from bench.fidelity import Moving, changed
from hil.analysis.figures import figures
from hil.analysis.figures.impulses import match_impulses
from hil.configuration import Configuration, load_configuration
from hil.loop.lockstep import LockStep
from hil.loop.trace.recorder import Trace
from hil.processes.replayed import replayed_wrench

ROOT = Path(__file__).resolve().parents[3]
RECORDINGS = ROOT.parent / "shared" / "data" / "ft"
SHORT_S = 6.0
TRIAL_S = 36.0


@pytest.fixture(scope="module")
def trial() -> Trace:
    """A short push trial without motion noise."""
    c = load_configuration(ROOT / "configs" / "pushes.toml")
    return LockStep(changed(c, "emulator.wrench", motion_noise=False)).run(TRIAL_S)


def test_same_seed_same_bytes(cube: Configuration, tmp_path: Path) -> None:
    """Two runs with one seed give the same trace file and the same figures; another seed does not."""
    c = changed(cube, "operator.random", first=1.5)
    first, second = LockStep(c).run(SHORT_S), LockStep(c).run(SHORT_S)
    first.save(tmp_path / "a.npz")
    second.save(tmp_path / "b.npz")
    assert (tmp_path / "a.npz").read_bytes() == (tmp_path / "b.npz").read_bytes()
    assert figures(first, 1.0) == figures(second, 1.0)
    other = LockStep(changed(c, "run", seed=c.run.seed + 1)).run(SHORT_S)
    assert not np.array_equal(first.wrench_measured, other.wrench_measured)


def test_every_push_becomes_motion(trial: Trace) -> None:
    """Each push is found once and right, and arm and simulation move as the ideal body."""
    values = figures(trial)
    impulses = values["impulses"]
    assert impulses["true"] >= 12
    assert (impulses["missed"], impulses["false"]) == (0, 0)
    assert impulses["error_median"] <= 0.01 and impulses["error_p95"] <= 0.025
    assert values["velocity_error"]["sim"]["median"] <= 0.015
    assert values["velocity_error"]["arm"]["median"] <= 0.02
    assert values["velocity_error"]["arm"]["p95"] <= 0.05
    assert values["velocity_overshoot"]["p95"] <= 0.10
    assert values["reaction_ms"] <= 18.0


def test_no_command_breaks_a_limit(trial: Trace) -> None:
    """Counted on the commanded stream of the trial, by differences."""
    assert figures(trial)["limits"]["violations"] == 0


def test_short_cut_is_what_makes_it_fast(trial: Trace) -> None:
    """Without the short cut the same pushes come later: the loop round the ring is the slower way."""
    c = load_configuration(ROOT / "configs" / "pushes.toml")
    c = changed(changed(c, "emulator.wrench", motion_noise=False), "interpolation", short_cut=False)
    slow = figures(LockStep(c).run(TRIAL_S / 3.0))["reaction_ms"]
    assert slow > figures(trial)["reaction_ms"] + 2.0


@pytest.mark.parametrize("delay_ms", [0, 120])
def test_arm_is_where_the_simulation_says(cube: Configuration, delay_ms: int) -> None:
    """At 0.12 m/s and 0.3 rad/s, whatever the interface delay: half a millimetre, and 4 mm in bounces."""
    values = figures(LockStep(Moving(delay_ms * 1e-3)(cube)).run(14.0))
    assert values["tracking"]["free_rms_mm"] <= 0.5
    assert values["tracking"]["free_rms_deg"] <= 0.05
    assert values["tracking"]["bounce_max_mm"] <= 4.0
    assert values["plan"]["holds"] == 0 and values["plan"]["changed_plans"] == 0
    assert values["plan"]["max_speed_ratio"] <= 0.9


def test_wrong_side_of_the_wrench_is_noticed(cube: Configuration) -> None:
    """A wrench estimate read with the wrong sign moves the object the wrong way: the figures show it."""
    c = changed(changed(cube, "operator.random", first=1.5), "emulator.wrench", motion_noise=False)
    loop = LockStep(c)
    loop._driver._frames = loop._driver._frames  # the driver's own frames stay; only its sign is wrong
    loop._session._fri = loop._session._fri.model_copy(update={"wrench_sign": -1})
    trace = loop.run(SHORT_S)
    assert np.nanmin(match_impulses(trace).relative_error) > 1.0


def replayed(name: str, c: Configuration, duration_s: float) -> Trace:
    """The default run, at rest, under a recorded wrench."""
    path = RECORDINGS / name
    if not path.is_file():
        pytest.skip(f"the recording {name} is not here")
    still = changed(c, "object", initial_velocity=np.zeros(3), initial_spin=np.zeros(3))
    still = changed(still, "operator", random=None)
    still = changed(still, "emulator.wrench", motion_noise=False)
    return LockStep(still, replayed_wrench(path)).run(duration_s)


def test_recorded_touches_move_the_object(cube: Configuration) -> None:
    """The main job on real input: the object's velocity is what the recorded touches' impulses say."""
    trace = replayed("franka_touch_f3_wrench_200hz.csv", cube, 12.0)
    assert len(trace.impulse_t_start) >= 1
    v = trace.twist_world_object_sim[:, :3]
    expected = trace.impulse_value[:, :3].sum(axis=0) / float(trace.mass_kg)
    if not trace.contact_sim.any():
        np.testing.assert_allclose(v[-1] - v[0], expected, atol=2e-4)
    assert np.linalg.norm(v, axis=1).max() > 0.005
    assert math.isfinite(figures(trace)["energy_drift"] or 0.0)


def test_recorded_poke_moves_a_heavy_object(cube: Configuration) -> None:
    """One push of 150 N s on 3000 kg: the object leaves with about 5 cm/s."""
    heavy = changed(cube, "object", mass=3000.0, inertia=np.array([150.0, 150.0, 150.0]))
    trace = replayed("kuka_lwr4_kukadu_SensingPoke_class_0_sample_0_arm_left.csv", heavy, 14.0)
    speed = np.linalg.norm(trace.twist_world_object_sim[:, :3], axis=1).max()
    assert 0.5 * 150.0 / 3000.0 < speed < 1.5 * 150.0 / 3000.0
