"""The figures of a run in which the simulated world is told the exact impulses: nothing must be amiss."""

import math
from pathlib import Path

import numpy as np
import pytest

from hil.analysis.figures import figures
from hil.common.geometry import matrix_from_quat
from hil.configuration.frames import Frames
from hil.configuration.loading import load_configuration
from hil.loop.trace.recorder import TraceRecorder
from hil.messaging.messages import ImpulseSlice
from sim.world.world import World

ROOT = Path(__file__).parents[3]
MS = 1_000_000
PUSH, LENGTH_MS = np.array([12.0, -8.0, 10.0, 0.6, 0.9, -0.5]), 80
STARTS_MS = (1000, 3500, 6001)
TOLD_AFTER_MS = 20  # the slice comes 20 ms after the push has ended
DELAY_MS = 16  # by which the arm is behind the simulation
END_MS = 8000


def true_wrench(t_ms: float) -> np.ndarray:
    """Half-sine pushes, every other one the other way; world axes."""
    for number, start in enumerate(STARTS_MS):
        if start <= t_ms <= start + LENGTH_MS:
            return (-1.0) ** number * PUSH * math.sin(math.pi * (t_ms - start) / LENGTH_MS)
    return np.zeros(6)


@pytest.fixture(scope="module")
def trace():
    configuration = load_configuration(ROOT / "configs/cube.toml")
    world = World(configuration)
    recorder = TraceRecorder(configuration, Frames.from_configuration(configuration), END_MS // 2)
    begin = configuration.stops.centre + np.array([0.0, -0.06, 0.0])
    drift = np.array([0.0, -0.025, 0.0, 0.0, 0.0, 0.0])  # to the stop at -0.13 m, there from 2.4 s on
    world.restart(0, 1, begin, np.array([math.sqrt(0.5), 0, math.sqrt(0.5), 0]), drift)
    for t_ms in range(0, END_MS, 2):
        for number, start in enumerate(STARTS_MS):
            if 0 <= t_ms - (start + LENGTH_MS + TOLD_AFTER_MS) < 2:
                value = (-1.0) ** number * PUSH * 2.0 / math.pi * LENGTH_MS * 1e-3
                recorder.push(start * MS, (start + LENGTH_MS) * MS, value)
                centroid = (start + LENGTH_MS // 2) * MS
                R = matrix_from_quat(world.state(centroid).quat_world_object)
                item = ImpulseSlice(
                    t_ms * MS, number + 1, 0, 0, True, True, False, False, start * MS,
                    (start + LENGTH_MS) * MS, centroid, np.r_[R.T @ value[:3], R.T @ value[3:]], np.zeros(6),
                )  # fmt: skip
                world.apply(item)
                recorder.slice(item, R)
        world.advance(t_ms * MS)
        state = world.state(t_ms * MS)
        held = world.state(max(0, t_ms - DELAY_MS) * MS)
        wrenches = np.array([true_wrench(t_ms - 1), true_wrench(t_ms)])
        recorder.row(
            t_ms * MS, wrenches, np.zeros(6), np.zeros(7), np.zeros(7), state, held.p_world_object,
            held.quat_world_object, "FLOATING", state.time_rate,
        )  # fmt: skip
    return recorder.finish()


def test_the_simulated_body_ends_with_the_ideal_velocity(trace):
    """World and ideal body share a step but not the force: an impulse here, a half-sine there."""
    found = figures(trace)
    assert found["impulses"]["detected"] == 3
    assert found["impulses"]["error_p95"] < 1e-12
    assert found["velocity_error"]["sim"]["p95"] < 1e-3
    assert found["velocity_error"]["arm"]["p95"] < 1e-3


def test_the_world_keeps_energy_and_momentum_between_its_slices(trace):
    """Free flight, and a bounce at a stop between the first and the second push."""
    found = figures(trace)
    assert trace.t[trace.contact_sim].min() == pytest.approx(2.43, abs=0.05)
    assert found["energy_drift"] < 1e-6
    assert found["momentum_drift"] < 1e-12


def test_an_arm_that_lags_the_simulation_is_that_far_behind(trace):
    """In free flight the distance is speed times delay."""
    free = (trace.t > 4.7) & (trace.t < 5.9) & ~trace.contact_sim
    speed = np.linalg.norm(trace.twist_world_object_sim[free, :3], axis=1)
    distance = np.linalg.norm(trace.p_world_object_sim - trace.p_world_object_arm, axis=1)[free]
    assert np.ptp(speed) < 1e-9
    assert distance[20:] == pytest.approx(speed[20:] * DELAY_MS * 1e-3, rel=1e-6)


def test_the_ideal_body_leaves_each_push_where_the_simulated_one_is_put(trace):
    """An impulse at the centroid gives the path of the half-sine after it: positions agree to 5 um."""
    for start in STARTS_MS[:2]:
        row = (start + LENGTH_MS + TOLD_AFTER_MS + 100) // 2
        gap = trace.p_world_object_sim[row] - trace.p_world_object_ideal[row]
        assert np.abs(gap).max() < 5e-6
