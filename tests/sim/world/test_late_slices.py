"""Slices that come late, revised and out of order, against the same in time."""

from pathlib import Path

import numpy as np
import pytest

from hil.configuration import load_configuration
from hil.configuration.schema import Scene, Stops
from hil.configuration.stops_axis import nominal_quat
from hil.messaging.messages import ImpulseSlice
from sim.world.world import World

CONFIGS = Path(__file__).parents[3] / "configs"
CUBE = load_configuration(CONFIGS / "cube.toml")
TUMBLING = CUBE.model_copy(
    update={"object": CUBE.object.model_copy(update={"inertia": np.array([2.0, 3.5, 4.5])})}
)
ROOM = CUBE.model_copy(
    update={
        "stops": Stops(enabled=False),
        "scene": Scene(file=CONFIGS / "scenes" / "room.xml", restitution=0.9, friction=0.3),
    }
)
MS = 1_000_000
SAME = 1e-9
LATEST_MS = 200.0


def slices_of(rng, configuration):
    """Return three revisions each of a dozen slices between 50 ms and 2 s; revision 2 counts."""
    scale = np.array([2.0, 2.0, 2.0, 0.2, 0.2, 0.2])
    if configuration is ROOM:
        scale *= 6.0
    found = []
    for number in range(12):
        t_ns = round(rng.uniform(50.0, 2000.0) * MS)
        for revision in range(3):
            shifted = t_ns + 3 * MS * revision
            value = np.zeros(6) if number == 5 and revision == 2 else rng.normal(size=6) * scale
            key, times = (number // 3, number % 3, revision), (shifted,) * 3
            found.append(
                ImpulseSlice(shifted, *key, revision == 2, False, False, False, *times, value, np.zeros(6))
            )
    return found


def final_state(configuration, arrivals, rates):
    """Run 2.5 s by cycles of 5 ms with slices at their times of arrival; return the state."""
    world = World(configuration)
    twist = np.array([0.15, -0.1, 0.05, 0.3, 0.2, -0.3])
    world.restart(0, 1, CUBE.stops.centre, nominal_quat(CUBE.stops), twist)
    waiting = sorted(arrivals, key=lambda pair: pair[0])
    for t_ns in range(5 * MS, 2501 * MS, 5 * MS):
        while waiting and waiting[0][0] <= t_ns:
            world.apply(waiting.pop(0)[1])
        if t_ns in rates:
            world.set_time_rate(t_ns, rates[t_ns])
        world.advance(t_ns)
    assert world.late_slices == 0
    return world.state(2500 * MS)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("rates", [{}, {600 * MS: 0.3, 1100 * MS: 0.0, 1500 * MS: 1.0}], ids=["run", "slow"])
@pytest.mark.parametrize("configuration", [CUBE, TUMBLING, ROOM], ids=["sphere", "asymmetric", "room"])
def test_late_is_the_same_as_in_time(configuration, rates, seed):
    """Up to 200 ms late, all revisions, any order, stops and walls on the way: the same state to 1e-9."""
    rng = np.random.default_rng(seed)
    slices = slices_of(rng, configuration)
    late = [(item.t_ns + round(rng.uniform(0.0, LATEST_MS) * MS), item) for item in slices]
    in_time = [(0, item) for item in slices if item.revision == 2]
    a, b = (final_state(configuration, arrivals, rates) for arrivals in (late, in_time))
    assert np.abs(a.p_world_object - b.p_world_object).max() <= SAME, seed
    assert np.abs(a.quat_world_object - b.quat_world_object).max() <= SAME, seed
    assert np.abs(a.twist_world_object - b.twist_world_object).max() <= SAME, seed
    assert a.capped == b.capped
