"""The live world with a virtual servicer: rewind, foresight and the same physics as the docking alone."""

from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import SimulationError
from hil.common.geometry import matrix_from_quat
from hil.configuration import Configuration, load_configuration
from hil.configuration.schema import Stops
from hil.configuration.stops_axis import nominal_quat
from hil.messaging.messages import ImpulseSlice
from sim.docking.scenario import DockingScenario
from sim.world.world import World

ROOT = Path(__file__).parents[3]
MS = 1_000_000
SAME = 1e-9


@pytest.fixture(scope="module")
def docking() -> Configuration:
    """The shipped docking, brought close so that it touches within half a second."""
    file = ROOT / "configs" / "docking.toml"
    return load_configuration(file, ["docking.approach.distance_mm=6", "docking.outcome.time_limit_s=60"])


@pytest.fixture(scope="module")
def free(docking: Configuration) -> Configuration:
    """The same without stops."""
    return docking.model_copy(update={"stops": Stops(enabled=False)})


def begun(configuration: Configuration) -> World:
    world = World(configuration)
    stops = configuration.stops
    world.restart(0, 1, stops.centre, nominal_quat(stops), np.zeros(6))
    return world


def push(number: int, t_ns: int, impulse: list[float]) -> ImpulseSlice:
    times = (t_ns, t_ns, t_ns)
    return ImpulseSlice(t_ns, number, 0, 0, True, True, False, False, *times, np.array(impulse), np.zeros(6))


@pytest.fixture(scope="module")
def latched() -> Configuration:
    """The docking with seal and latches, as close."""
    file = ROOT / "configs" / "docking_snap.toml"
    return load_configuration(file, ["docking.approach.distance_mm=6", "docking.outcome.time_limit_s=60"])


@pytest.mark.parametrize("name", ["docking", "latched"])
def test_a_late_push_is_as_one_in_time(name: str, request: pytest.FixtureRequest) -> None:
    """Pushes on a module in contact, told 150 ms late and out of order: the same bits as told at once.

    The latches close while the world goes on without the pushes, and again after it has gone back.
    """
    docking: Configuration = request.getfixturevalue(name)
    pushes = [push(1, 700 * MS, [1.5, 0.5, 0, 0, 0.02, 0]), push(2, 790 * MS, [0, -1.0, 0.8, 0.03, 0, 0])]
    ends = []
    for late in (False, True):
        world = begun(docking)
        for item in [] if late else pushes:
            world.apply(item)
        for t_ms in range(10, 1500, 10):
            if late and t_ms == 940:
                for item in reversed(pushes):
                    world.apply(item)
            world.advance(t_ms * MS)
        ends.append(world.state(1500 * MS))
        assert world.late_slices == 0
    keys = ("p_world_object", "quat_world_object", "twist_world_object", "other_poses", "contact_work")
    for key in (*keys, "fastened", "latch_force"):
        assert np.array_equal(getattr(ends[0], key), getattr(ends[1], key)), key
    assert ends[0].contact_work > 0.0
    assert ends[0].fastened.tolist() == ([1, 1, 4, 4] if name == "latched" else [0, 0, 0, 0])


def test_the_path_foreseen_is_the_path_flown(docking: Configuration) -> None:
    """The same to 1e-9 up to the first touch; from there, in longer steps, within 0.3 mm for 0.4 s."""
    world = begun(docking)
    world.advance(100 * MS)
    foreseen = world.predict(100 * MS)
    assert len(foreseen.bounces) and 0.1 < foreseen.bounces[0] < 0.6
    apart = []
    for k in range(len(foreseen.p_world_object)):
        s = foreseen.object_time_0 + k * foreseen.step
        flown = world.state(round(1e9 * s))
        apart.append(np.abs(flown.p_world_object - foreseen.p_world_object[k]).max())
        if s < foreseen.bounces[0]:
            assert apart[-1] <= SAME
            assert np.abs(flown.twist_world_object - foreseen.twist_world_object[k]).max() <= SAME
    assert flown.pressed and 0.0 < max(apart) < 3e-4
    assert np.abs(flown.p_world_object - foreseen.p_world_object[0]).max() > 1e-4


def test_a_touch_foreseen_comes(docking: Configuration) -> None:
    """Foreseen in steps of 5 ms, the first press comes within two of them."""
    world = begun(docking)
    world.advance(100 * MS)
    foreseen = world.predict(100 * MS).bounces[0]
    instants = [t for t in range(101, 700) if world.state(t * MS).pressed]
    assert abs(1e-3 * instants[0] - foreseen) <= 0.01


@pytest.mark.parametrize("name", ["docking", "latched"])
def test_the_module_moves_as_in_the_docking_alone(name: str, request: pytest.FixtureRequest) -> None:
    """The object flown in its own kernel, contacts apart, against the whole scene in one: 1e-7 m after 2 s.

    Oracle: the same scene stepped by the contact simulation alone, from the same pose.
    """
    free = request.getfixturevalue(name).model_copy(update={"stops": Stops(enabled=False)})
    world = begun(free)
    world.advance(2000 * MS)
    alone = DockingScenario(free)
    T = np.eye(4)
    stops = free.stops
    T[:3, :3], T[:3, 3] = matrix_from_quat(nominal_quat(stops)), stops.centre
    alone.place(T)
    alone.run(2000)
    state = world.state(2000 * MS)
    first = alone.bodies.module_qpos
    assert np.abs(state.p_world_object - alone.scene.data.qpos[first : first + 3]).max() < 1e-7
    assert np.abs(state.p_world_object - stops.centre).max() > 1e-3
    assert state.pressed


def test_a_latch_closes_in_the_loop_too(free: Configuration) -> None:
    """It belongs to the state: with a latch the module moves as in the docking alone, 2.5 s long."""
    assert free.docking is not None
    latched = free.model_copy(update={"docking": free.docking.model_copy(update={"latch": True})})
    world, alone = begun(latched), DockingScenario(latched)
    world.advance(2500 * MS)
    T = np.eye(4)
    stops = latched.stops
    T[:3, :3], T[:3, 3] = matrix_from_quat(nominal_quat(stops)), stops.centre
    alone.place(T)
    alone.run(2500)
    assert alone.scene.data.eq_active[alone.bodies.latch]
    first = alone.bodies.module_qpos
    moved = world.state(2500 * MS).p_world_object
    assert np.abs(moved - alone.scene.data.qpos[first : first + 3]).max() < 1e-6


def test_contact_work_is_the_kinetic_energy(free: Configuration) -> None:
    """Without stops and pushes the module's kinetic energy is the work told, at every look: to 1e-9 of it.

    Oracle: m v^2 / 2 + I w^2 / 2 of the state.
    """
    world, body = begun(free), free.object
    for t_ms in range(20, 2500, 20):
        world.advance(t_ms * MS)
        state = world.state(t_ms * MS)
        v, w = state.twist_world_object[:3], state.twist_world_object[3:]
        energy = 0.5 * body.mass * v @ v + 0.5 * body.inertia[0] * w @ w  # the same about all axes
        assert state.contact_work == pytest.approx(energy, rel=1e-9, abs=1e-15)
    assert energy > 1e-4


def test_a_scene_that_diverges_saves_the_state_before(docking: Configuration, tmp_path: Path) -> None:
    """A number that is none in the servicer's state ends the simulation; the message names the file."""
    run = docking.run.model_copy(update={"state_directory": str(tmp_path)})
    world = begun(docking.model_copy(update={"run": run}))
    world.advance(50 * MS)
    world._ring[50, -1] = np.nan
    world._ring[50, 17:] = np.nan
    with pytest.raises(SimulationError, match=str(tmp_path)) as raised:
        world.advance(60 * MS)
    saved = np.load(next(tmp_path.glob("*.npz")))
    assert saved["state"].size > 13 and next(tmp_path.glob("*.npz")).name in str(raised.value)


def test_a_docking_ends_with_its_word(docking: Configuration) -> None:
    """The pins seat in the loop as well: the word is `under way` first, then `docked`, and stays."""
    world = begun(docking)
    words = []
    for t_ms in range(10, 12_000, 10):
        world.advance(t_ms * MS)
        words.append(world.state(t_ms * MS).outcome)
    assert words[0] == "under way" and words[-1] == "docked"
    assert words.count("docked") + words.count("under way") == len(words)
    world.restart(12_000 * MS, 2, docking.stops.centre, nominal_quat(docking.stops), np.zeros(6))
    assert world.state(12_001 * MS).outcome == "under way"
