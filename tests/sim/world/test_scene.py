"""Scenes: refusals in plain words, and the world with walls in it."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from hil.common.errors import SceneError
from hil.common.geometry import matrix_from_quat
from hil.configuration import load_configuration
from hil.configuration.schema import Scene as SceneSection
from hil.configuration.schema import Stops
from sim.world.body import pack_body
from sim.world.scene.scene import Scene
from sim.world.stops import pack_stops
from sim.world.world import World

CONFIGS = Path(__file__).parents[3] / "configs"
CUBE = load_configuration(CONFIGS / "cube.toml")
ROOM = CONFIGS / "scenes" / "room.xml"
BODY = pack_body(CUBE.object)
NO_STOPS = pack_stops(Stops(enabled=False), CUBE.object.inertia)
MS = 1_000_000
CORNERS = 0.15 * np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


def in_room(restitution, friction):
    section = SceneSection(file=ROOM, restitution=restitution, friction=friction)
    return CUBE.model_copy(update={"stops": Stops(enabled=False), "scene": section})


REFUSED = {
    "no XML": ("<mujoco><worldbody>", "MuJoCo refuses the scene"),
    "unknown element": ("<mujoco><wall/></mujoco>", "MuJoCo refuses the scene.*wall"),
    "no body": (
        "<mujoco><worldbody><body name='box'><freejoint/><geom size='1'/></body></worldbody></mujoco>",
        "no body 'object' .*bodies: 'box'",
    ),
    "not free": (
        "<mujoco><worldbody><body name='object'><joint/><geom size='1'/></body></worldbody></mujoco>",
        "must have a free joint",
    ),
    "off centre": (
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='object'><freejoint/>"
        "<geom size='.1' pos='.01 0 0'/></body></worldbody></mujoco>",
        "centre of mass 10 mm from its frame",
    ),
    "second body moves": (
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/><body name='object'><freejoint/>"
        "<geom size='.1'/></body><body><joint/><geom size='.1'/></body></worldbody></mujoco>",
        "only the object may move",
    ),
    "nothing to touch": (
        "<mujoco><worldbody><body name='object'><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
        "can touch anything",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_scene_is_refused(case, tmp_path):
    """A scene that MuJoCo or one of our rules refuses is named with the reason."""
    text, expected = REFUSED[case]
    file = tmp_path / "scene.xml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SceneError, match=expected) as caught:
        Scene(SceneSection(file=file), BODY, NO_STOPS)
    assert str(file) in str(caught.value)


def test_room_is_a_scene_of_its_own():
    """The shipped room loads in plain MuJoCo, and the cube stands free in it."""
    model = mujoco.MjModel.from_xml_path(str(ROOM))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data)
    assert data.ncon == 0


def test_free_steps_are_free():
    """For as many steps as promised no corner of the cube comes to a wall, and the promise is not idle."""
    rng = np.random.default_rng(6)
    scene = Scene(SceneSection(file=ROOM), BODY, NO_STOPS)
    for _ in range(30):
        quat = rng.normal(size=4)
        row = np.zeros(15)
        row[:3], row[3:7] = CUBE.stops.centre, quat / np.linalg.norm(quat)
        row[7:10], row[10:13] = rng.uniform(-0.3, 0.3, 3), 3.0 * rng.uniform(-0.5, 0.5, 3)
        n = scene.clearance(1e-3).free_steps(row, 0, False)
        assert n > 100
        p = row[:3] + n * 1e-3 * row[7:10]
        corners = np.abs(p - CUBE.stops.centre + CORNERS @ matrix_from_quat(row[3:7]).T).max(axis=0)
        assert (corners < [0.8, 0.6, 0.6]).all()


@pytest.mark.parametrize("friction", [0.0, 0.3])
@pytest.mark.parametrize("e", [0.2, 0.8, 1.0])
def test_corner_that_hits_leaves_with_its_restitution(e, friction):
    """The corner that touches a wall leaves it e times as fast as it came, within 0.01."""
    rng = np.random.default_rng(8)
    world = World(in_room(e, friction))
    met = 0
    for _ in range(6):
        quat = rng.normal(size=4)
        quat /= np.linalg.norm(quat)
        lowest = (CORNERS @ matrix_from_quat(quat).T)[:, 2].min()
        twist = np.concatenate([[0.05, -0.05, -0.1], rng.uniform(-0.3, 0.3, 3)])
        world.restart(0, 1, np.array([0.8, 0.0, -0.4 - lowest + 0.002]), quat, twist)
        before = world.state(0)
        for n in range(1, 80):
            world.advance(n * MS)
            now = world.state(n * MS)
            if not np.allclose(now.twist_world_object, before.twist_world_object, atol=1e-6):
                break
            before = now
        levers = CORNERS @ matrix_from_quat(now.quat_world_object).T
        corner = levers[np.argmin(levers[:, 2])]
        speeds = [
            twist[2] + np.cross(twist[3:], corner)[2]
            for twist in (before.twist_world_object, now.twist_world_object)
        ]
        assert -speeds[1] / speeds[0] == pytest.approx(e, abs=0.01)
        met += 1
    assert met == 6


def test_elastic_room_keeps_the_energy():
    """With e = 1 and no friction 20 s of bouncing leave the kinetic energy as it was."""
    world = World(in_room(1.0, 0.0))
    twist = np.array([0.5, -0.6, 0.4, 0.5, 0.3, -0.6])
    world.restart(0, 1, CUBE.stops.centre, np.array([0.9, 0.1, 0.3, 0.3]), twist)
    inertia = 3.0
    energy = 30.0 * twist[:3] @ twist[:3] + 0.5 * inertia * twist[3:] @ twist[3:]
    changed = 0
    last = twist[:3]
    for n in range(50, 20_000, 50):
        world.advance(n * MS)
        now = world.state(n * MS).twist_world_object
        assert 30.0 * now[:3] @ now[:3] + 0.5 * inertia * now[3:] @ now[3:] == pytest.approx(energy, rel=1e-9)
        changed += not np.allclose(now[:3], last)
        last = now[:3]
    assert changed > 10


def test_prediction_foresees_bounces():
    """Poses over 2 s are met to rounding, and the times of the bounces are those of the velocity's jumps."""
    world = World(in_room(0.9, 0.3))
    world.restart(
        0, 1, CUBE.stops.centre, np.array([0.9, 0.1, 0.3, 0.3]), np.array([0.4, -0.3, 0.2, 0.2, 0.4, 0])
    )
    prediction = world.predict(0)
    assert len(prediction.bounces) >= 2
    previous, jumps = None, []
    for n in range(0, 2001):
        world.advance(n * MS)
        state = world.state(n * MS)
        if n % 20 == 0:
            assert np.allclose(state.p_world_object, prediction.p_world_object[n // 20], atol=1e-13)
            assert np.allclose(state.quat_world_object, prediction.quat_world_object[n // 20], atol=1e-13)
        if previous is not None and not np.allclose(state.twist_world_object, previous, atol=1e-6):
            jumps.append(n * 1e-3)
        previous = state.twist_world_object
    for bounce in prediction.bounces:
        assert np.min(np.abs(np.array(jumps) - bounce)) < 1e-9
    for jump in jumps:
        assert np.min(np.abs(prediction.bounces - jump)) < 0.1
