"""The mean twist of each slice, as it is told with the state, against sums by hand."""

from pathlib import Path

import numpy as np

from hil.common.geometry import matrix_from_quat
from hil.configuration import load_configuration
from hil.configuration.schema import Stops
from hil.configuration.stops_axis import nominal_quat
from hil.messaging.messages import ImpulseSlice
from sim.world.world import World

CUBE = load_configuration(Path(__file__).parents[3] / "configs" / "cube.toml")
FREE = CUBE.model_copy(update={"stops": Stops(enabled=False)})
MS = 1_000_000
MASS = 60.0
R = matrix_from_quat(nominal_quat(CUBE.stops))
START = np.array([0.1, -0.2, 0.3])  # [m/s] in object axes, which do not turn here


def push(number, t_ms, impulse, revision=0):
    """Return the only slice of a push by a force."""
    t_ns, value = t_ms * MS, np.array([*impulse, 0.0, 0.0, 0.0])
    return ImpulseSlice(
        t_ns, number, 0, revision, False, False, False, False, *(t_ns,) * 3, value, np.zeros(6)
    )


def told(world):
    """Return the mean velocity of each slice by its number, object axes, as the state at 300 ms tells it."""
    state = world.state(300 * MS)
    assert np.abs(state.slice_twists[:, 3:]).max() < 1e-12
    return {int(name[0]): twist[:3] for name, twist in zip(state.slices, state.slice_twists, strict=True)}


def test_a_push_from_before_changes_the_twists_after_it_only():
    """Means of before and after: with a push before them they gain its J / m, without it they lose it."""
    world = World(FREE)
    world.restart(0, 1, CUBE.stops.centre, nominal_quat(CUBE.stops), np.concatenate([R @ START, np.zeros(3)]))
    world.advance(300 * MS)
    first, between, last = np.array([[3.0, 0.0, 0.0], [0.0, 6.0, 0.0], [0.0, 0.0, 9.0]]) / MASS
    world.apply(push(1, 50, MASS * first))
    world.apply(push(3, 200, MASS * last))
    own = {1: START + first / 2, 3: START + first + last / 2}
    for revision, scale in enumerate((0.0, 1.0, -2.0, 0.0)):
        if revision:
            world.apply(push(2, 100, scale * MASS * between, revision))
        expected = {1: own[1], 3: own[3] + scale * between}
        if scale:
            expected[2] = START + first + scale * between / 2
        found = told(world)
        assert found.keys() == expected.keys()
        for number, velocity in expected.items():
            assert np.allclose(found[number], velocity, atol=1e-12), (revision, number)
