"""The admittance law's body: decay in closed form, energy that never grows, rewinding, foresight."""

import math

import numpy as np
import pytest

from hil.configuration.admittance import Admittance
from hil.configuration.schema import Stops
from sim.world.world import World
from tests.sim.world.test_world import CUBE, MS, START_NS, TWIST, push, run_until, started

DRAG, SPIN_DRAG = 12.0, 0.9
LAW = Admittance.model_construct(
    damping=DRAG, spin_damping=SPIN_DRAG, filter=0.0, dead_band_force=0.0, dead_band_torque=0.0
)
DAMPED = CUBE.model_copy(update={"admittance": LAW, "stops": Stops(enabled=False)})
UNEQUAL = np.array([2.0, 3.0, 4.0])
MASS, INERTIA = CUBE.object.mass, CUBE.object.inertia[0]


def test_velocity_and_spin_decay_exponentially() -> None:
    """v = v0 exp(-d t / m), p its integral; the spin of a sphere likewise with b / I."""
    world = started(DAMPED)
    begin = world.state(START_NS).p_world_object
    seconds = 1.5
    state = run_until(world, 1500)
    slower, turns = math.exp(-DRAG / MASS * seconds), math.exp(-SPIN_DRAG / INERTIA * seconds)
    assert state.twist_world_object[:3] == pytest.approx(TWIST[:3] * slower, rel=1e-9)
    assert state.twist_world_object[3:] == pytest.approx(TWIST[3:] * turns, rel=1e-9)
    travelled = TWIST[:3] * MASS / DRAG * (1.0 - slower)
    assert state.p_world_object - begin == pytest.approx(travelled, rel=3e-4)  # split: first order in 1 ms


def test_an_asymmetric_body_loses_what_the_torque_takes() -> None:
    """dE/dt = -b |omega|^2, integrated over the run by the trapezoid."""
    body = DAMPED.object.model_copy(update={"inertia": UNEQUAL})
    world = started(DAMPED.model_copy(update={"object": body}), np.array([0, 0, 0, 0.5, 0.8, -0.4]))
    energies, rates = [], []
    for k in range(0, 2001, 5):
        world.advance(START_NS + k * MS)
        state = world.state(START_NS + k * MS)
        omega = state.twist_world_object[3:]
        w, x, y, z = state.quat_world_object
        R = np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])  # fmt: skip
        spin = R.T @ omega
        energies.append(0.5 * spin @ (UNEQUAL * spin))
        rates.append(SPIN_DRAG * omega @ omega)
    assert (np.diff(energies) < 0.0).all()
    lost = np.trapezoid(rates, dx=0.005)
    assert energies[0] - energies[-1] == pytest.approx(lost, rel=1e-3)


def test_a_late_slice_gives_the_same_as_one_in_time() -> None:
    """Rewinding passes the damping again: 150 ms late, the state is the same to 1e-12."""
    impulse = [1.0, -2.0, 0.5, 0.1, 0.0, 0.2]
    early, late = started(DAMPED), started(DAMPED)
    early.apply(push(200, impulse))
    run_until(late, 350)
    late.apply(push(200, impulse))
    a, b = run_until(early, 500), run_until(late, 500)
    assert b.twist_world_object == pytest.approx(a.twist_world_object, abs=1e-12)
    assert b.p_world_object == pytest.approx(a.p_world_object, abs=1e-12)
    assert a.twist_world_object[0] > 1.05 * TWIST[0] * math.exp(-DRAG / MASS * 0.5)


def test_what_is_foreseen_comes_true() -> None:
    """Nodes of a prediction, in steps of 20 ms, are where the body then is, as fast as it then is."""
    world = started(DAMPED)
    run_until(world, 200)
    foreseen = world.predict(START_NS + 200 * MS)
    node = round((0.8 - foreseen.object_time_0) / foreseen.step)
    state = run_until(world, 800)
    assert state.p_world_object == pytest.approx(foreseen.p_world_object[node], abs=2e-5)  # steps of 1 ms
    assert state.twist_world_object == pytest.approx(foreseen.twist_world_object[node], abs=1e-6)


def test_a_prediction_begins_on_the_path_that_leads_to_now() -> None:
    """Back by less than a node and forward again: a slice in between is on both ways."""
    world = started(DAMPED)
    world.apply(push(205, [3.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
    state = run_until(world, 215)
    foreseen = world.predict(START_NS + 215 * MS)
    ahead = 0.215 - foreseen.object_time_0
    slower = math.exp(-DRAG / MASS * ahead)
    assert foreseen.twist_world_object[0, 0] * slower == pytest.approx(state.twist_world_object[0], rel=1e-9)


def test_stops_still_turn_the_body_back() -> None:
    """Damped, it bounces off the stops and comes back slower."""
    within = CUBE.model_copy(update={"admittance": LAW})
    world = started(within, np.array([0.1, 0.0, 0.0, 0.0, 0.0, 0.0]))
    state = run_until(world, 2000)
    assert -0.1 < state.twist_world_object[0] < -0.05
    assert isinstance(world, World)


def test_between_two_grid_points_it_is_damped_as_well() -> None:
    """Read 0.4 ms behind a grid point the velocity has decayed until then, to 1e-9."""
    world = started(DAMPED)
    t_ns = START_NS + 300 * MS + 400_000
    world.advance(t_ns)
    slower = math.exp(-DRAG / MASS * 0.3004)
    assert world.state(t_ns).twist_world_object[:3] == pytest.approx(TWIST[:3] * slower, rel=1e-9)
