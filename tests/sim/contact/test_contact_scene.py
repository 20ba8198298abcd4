"""Contact handling: balance, friction, restitution, energy, momentum, determinism, mistakes."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

from bench.contact_handling import shaken
from bench.contact_scenes import (
    kinetic_energy,
    momenta,
    on_plane,
    pattern,
    pushed_together,
    restitution_material,
    room,
    spring_material,
    two_bodies,
)
from hil.common.errors import InterfaceError, SceneError, SimulationError
from sim.contact.contact_scene import ContactScene
from sim.contact.material import SHIPPED
from tests.sim.contact.plain_stepping import plain_step

STEP = 1e-3
PRESS = 20.0  # [N]
LIMIT = 0.3 * PRESS  # of friction
MASS = 2.0  # [kg] of the body on the plane


def test_a_compiled_step_is_the_plain_one() -> None:
    """The compiled steps and the same pipeline over MuJoCo's public API agree, in and out of contact."""
    compiled, plain = (two_bodies(4, SHIPPED, STEP) for _ in range(2))
    touching = 0
    for scene in (compiled, plain):
        scene.model.opt.tolerance = 1e-15  # or both stop anywhere within MuJoCo's own tolerance
        pushed_together(scene, np.array([20.0, 5.0, -10.0]), np.array([0.0, 2.0, 0.3]))
    for _ in range(150):
        compiled.run(1)
        plain_step(plain)
        touching += len(compiled.contacts()) > 0
        np.testing.assert_allclose(compiled.data.qpos, plain.data.qpos, rtol=0.0, atol=1e-9)
    assert 50 < touching


@pytest.mark.parametrize("contacts", [1, 2, 4])
def test_static_balance(contacts: int) -> None:
    """The forces of a pressed body at rest are the load, to 1e-3, and shared among its contacts."""
    scene = on_plane(contacts, SHIPPED, STEP, turning=contacts == 4)
    scene.data.xfrc_applied[1, :3] = 0.5 * LIMIT, 0.2 * LIMIT, -PRESS
    scene.run(1500)
    rows = scene.contacts()
    assert len(rows) == contacts
    axes = np.concatenate([rows["normal"][:, None], rows["tangents"]], axis=1)
    total = np.einsum("ni,nij->j", rows["force"], axes)
    np.testing.assert_allclose(total, [-0.5 * LIMIT, -0.2 * LIMIT, PRESS], rtol=1e-3)


@pytest.mark.parametrize("contacts", [1, 2, 4])
@pytest.mark.parametrize("stiffness", [2e4, 1e6])
def test_stiffness_is_that_of_the_contact(contacts: int, stiffness: float) -> None:
    """The depth under a load is F / K, whatever the mass: two halves in series, `contacts` side by side."""
    scene = on_plane(contacts, spring_material(2.0 * stiffness, 400.0), STEP)
    scene.data.xfrc_applied[1, 2] = -PRESS
    scene.run(3000)
    np.testing.assert_allclose(scene.contacts()["depth"], PRESS / contacts / stiffness, rtol=1e-3)


@pytest.mark.parametrize("contacts", [1, 2, 4])
def test_coulomb_friction(contacts: int) -> None:
    """Below the limit nothing creeps, above it slides, and beyond it accelerates as Coulomb says."""
    found = {}
    for load in (0.98, 1.02, 1.33):
        scene = on_plane(contacts, SHIPPED, STEP, turning=contacts == 4)
        scene.data.xfrc_applied[1, 2] = -PRESS
        scene.run(1000)
        scene.data.xfrc_applied[1, 0] = load * LIMIT
        scene.run(500)
        before = scene.data.qvel[0]
        scene.run(400)
        found[load] = (scene.data.qvel[0] - before) / 0.4, scene.data.qvel[0]
    assert abs(found[0.98][1]) < 1e-4
    assert found[1.02][0] == pytest.approx(0.02 * LIMIT / MASS, rel=0.05)
    assert found[1.33][0] == pytest.approx(0.33 * LIMIT / MASS, rel=0.01)


@pytest.mark.parametrize("contacts", [1, 2, 4])
@pytest.mark.parametrize("restitution", [0.1, 0.5, 1.0])
@pytest.mark.parametrize("sliding", [0.0, 0.5])
def test_restitution_and_impulse_of_friction(contacts: int, restitution: float, sliding: float) -> None:
    """A hit comes back with the restitution, and sliding costs `mu (1 + e) v_n`, no less and no more."""
    ratios, lost = [], []
    for phase in (0.2, 0.8):
        scene = on_plane(contacts, restitution_material(restitution, 0.02), STEP)
        scene.data.qpos[2] = 0.1 + 0.2 * STEP * (2.0 + phase)
        scene.data.qvel[[0, 2]] = sliding, -0.2
        scene.run(150)
        assert len(scene.contacts()) == 0
        ratios.append(scene.data.qvel[2] / 0.2)
        lost.append(sliding - scene.data.qvel[0])
    assert np.mean(ratios) == pytest.approx(restitution, abs=0.02)
    if sliding:
        assert np.mean(lost) == pytest.approx(0.3 * 0.2 * (1.0 + restitution), rel=0.02)


@pytest.mark.parametrize(
    ("restitution", "friction", "bound"), [(1.0, 0.0, 5e-3), (1.0, 0.3, 5e-3), (0.9, 0.3, 1e-3)]
)
def test_energy_is_not_made(restitution: float, friction: float, bound: float) -> None:
    """In a closed room a tumbling box never has more than it began with; without losses it keeps it."""
    scene = room(restitution_material(restitution, 0.02, friction), STEP)
    scene.data.qvel[:] = 0.25, 0.17, -0.21, 0.5, -0.4, 0.3
    start = kinetic_energy(scene)
    highest, last, hits = start, start, 0
    touched = False
    for _ in range(10_000):
        scene.run(1)
        touching = len(scene.data.contact) > 0
        if touched and not touching:
            hits += 1
            now = kinetic_energy(scene)
            assert now < last + bound * start
            highest, last = max(highest, now), now
        touched = touching
    assert hits >= 5
    assert highest <= (1.0 + bound) * start
    if restitution == 1.0 and friction == 0.0:
        assert last == pytest.approx(start, rel=bound)


def test_momentum_is_kept_through_contacts() -> None:
    """Two free bodies with friction between their pins and holes, centres of mass off their frames."""
    scene = two_bodies(4, SHIPPED, STEP)
    scene.data.qvel[:] = [0.05, 0.02, 0.1, 0.2, 0.1, 0.3, -0.1, 0.03, -0.2, 0.1, -0.3, 0.2]
    start, touching, rubbed = momenta(scene), 0, 0.0
    for _ in range(1000):
        scene.run(1)
        rows = scene.contacts()
        touching += len(rows) > 0
        rubbed += float(np.abs(rows["force"][:, 1:]).sum())
    assert touching > 100
    assert rubbed > 10.0
    np.testing.assert_allclose(momenta(scene), start, rtol=0.0, atol=1e-10)


def test_a_replay_repeats_bit_by_bit() -> None:
    """From a saved state in contact, in the same scene, in other pieces, and in a second scene."""
    first, second = (two_bodies(4, SHIPPED, STEP) for _ in range(2))
    pushed_together(first, np.array([20.0, 5.0, -10.0]), np.array([0.0, 2.0, 0.3]))
    first.run(150)
    states = [np.zeros(first.state_size) for _ in range(4)]
    first.state_into(states[0])
    first.run(200)
    assert len(first.contacts()) > 0
    first.state_into(states[1])
    first.set_state(states[0])
    first.run(120)
    first.run(80)
    first.state_into(states[2])
    second.run(77)
    second.set_state(states[0])
    second.run(200)
    second.state_into(states[3])
    for state in states[2:]:
        np.testing.assert_array_equal(state, states[1])


def test_only_pins_against_their_plate_are_taken_from_mujoco() -> None:
    """Visible pins and plates that collide in MuJoCo are left to us against one another, and to it else."""
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><option gravity="0 0 0"/><worldbody>
        <body name="plate"><geom type="box" size="0.035 0.035 0.036" pos="0 0 -0.0362"/></body>
        <body name="pegs" pos="0 0 0.02"><freejoint/>
        <geom name="pin" type="capsule" size="0.017 0.03" pos="0 0 -0.03" mass="1"/>
        <geom name="flange" type="box" size="0.06 0.06 0.011" pos="0 0 0.001" mass="1"/></body>
        <geom name="post" size="0.01" pos="0.069 0 0.02"/></worldbody></mujoco>"""
    )
    scene = ContactScene(model, [pattern("one", 1, SHIPPED)], step=STEP)
    scene.data.xfrc_applied[2, :3] = 5.0, 0.0, -5.0
    scene.run(300)
    rows = scene.contacts()
    pin, flange, post = (model.geom(name).id for name in ("pin", "flange", "post"))
    by_mujoco = [set(geoms) for geoms in rows["geoms"][(rows["interface"] < 0) & (rows["force"][:, 0] > 0.0)]]
    assert {post, flange} in by_mujoco
    assert {0, flange} in by_mujoco
    assert {0, pin} not in by_mujoco
    assert np.sum(rows["interface"] == 0) > 0


def test_a_material_by_name_of_geom() -> None:
    """A named geom has its own material, also against the default one."""
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><geom name="ice" type="plane" size="5 5 0.1"/>
        <body pos="0 0 0.1"><freejoint/><geom type="box" size="0.1 0.1 0.1" mass="2"/></body>
        </worldbody></mujoco>"""
    )
    slippery = SHIPPED.model_copy(update={"friction": 0.03})
    scene = ContactScene(model, [], step=STEP, materials={"ice": slippery})
    scene.data.qvel[0] = 1.0
    scene.run(500)
    friction = (0.3 * 0.03) ** 0.5
    assert scene.contacts()["friction"] == pytest.approx(friction)
    assert scene.data.qvel[0] == pytest.approx(1.0 - 0.5 * friction * 9.81, rel=0.02)


def test_controls_act_step_by_step() -> None:
    """A motor's control is the row of the step; the last one stays."""
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><option gravity="0 0 0"/><worldbody><body><joint name="j" type="slide" axis="1 0 0"/>
        <geom size="0.1" mass="2"/></body></worldbody><actuator><motor joint="j"/></actuator></mujoco>"""
    )
    scene = ContactScene(model, [], step=STEP)
    controls = np.linspace(0.0, 4.0, 50)[:, None]
    scene.run(50, controls)
    assert scene.data.qvel[0] == pytest.approx(controls.sum() * STEP / 2.0)
    assert scene.data.ctrl[0] == 4.0
    with pytest.raises(SimulationError, match=r"shape \(3, 2\); expected \(3, 1\)"):
        scene.run(3, np.zeros((3, 2)))


def test_divergence_is_told_and_the_state_saved(tmp_path: Path) -> None:
    """The state in the file is that before the step, and runs again in a scene with another bound."""
    scene = two_bodies(1, SHIPPED, STEP)
    scene._folder = tmp_path
    scene.data.qvel[0] = 1.0
    scene.data.xfrc_applied[1, 0] = 1e5
    with pytest.raises(
        SimulationError, match=r"at 0.0200 s: .* above 100 m/s .* is in (.*)\.npz; look for"
    ) as error:
        scene.run(100)
    saved = np.load(str(error.value).split(" is in ")[1].split("; look")[0])
    assert 90.0 < saved["qvel"][0] < 100.0
    assert float(saved["time_s"]) == pytest.approx(0.02)
    again = two_bodies(1, SHIPPED, STEP)
    again.set_state(saved["state"])
    np.testing.assert_array_equal(again.data.qvel, saved["qvel"])


def test_a_velocity_that_is_no_number_is_told(tmp_path: Path) -> None:
    """NaN does not pass for small, and MuJoCo does not reset the scene behind our back."""
    scene = two_bodies(1, SHIPPED, STEP)
    scene._folder = tmp_path
    scene.data.xfrc_applied[1, 0] = np.nan
    with pytest.raises(SimulationError, match="no number"):
        scene.run(1)


@pytest.mark.parametrize(
    ("bodies", "message"),
    [
        (("plate", "pins"), "no body 'pins' .*; bodies: 'plate', 'pegs'"),
        (("plate", "pegs"), "body 'pegs' .* has no geom"),
    ],
)
def test_a_scene_that_lacks_a_body_or_geom_is_refused(bodies: tuple[str, str], message: str) -> None:
    """What is missing is named."""
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><body name="plate"><geom size="0.1"/></body>
        <body name="pegs"><freejoint/><inertial pos="0 0 0" mass="1" diaginertia="1 1 1"/></body>
        </worldbody></mujoco>"""
    )
    with pytest.raises((InterfaceError, SceneError), match=message):
        ContactScene(model, [pattern("one", 1, SHIPPED, bodies)], step=STEP)


def test_too_little_memory_is_refused() -> None:
    """MuJoCo's fatal error for lack of memory cannot happen inside a compiled step."""
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><size memory="100K"/><worldbody><body name="plate"><geom size="0.1"/></body>'
        '<body name="pegs"><freejoint/><geom size="0.1"/></body></worldbody></mujoco>'
    )
    with pytest.raises(SceneError, match=r'memory .* <size memory="200M"/>'):
        ContactScene(model, [pattern("one", 1, SHIPPED)], step=STEP)


def test_a_material_for_no_geom_is_refused() -> None:
    """The geoms that there are stand in the message."""
    model = mujoco.MjModel.from_xml_string(
        '<mujoco><worldbody><geom name="a" size="1"/></worldbody></mujoco>'
    )
    with pytest.raises(SceneError, match=r"no geom 'b' .*geoms: 'a'"):
        ContactScene(model, [], step=STEP, materials={"b": SHIPPED})


@pytest.mark.parametrize(("step", "bound"), [(1e-3, 1.5e-3), (2e-3, 1.5e-3), (5e-3, 4.5e-3)])
def test_no_peg_gets_through_the_material(step: float, bound: float) -> None:
    """20 free pegs in 20 free holes under random forces, 1.5 s at each step."""
    deepest, _, lost, _ = shaken(restitution_material(0.5, 0.005), step, 1.5)
    assert lost == 0
    assert 1e-4 < deepest.max() < bound


def test_flexible_bodies_are_refused() -> None:
    """They have no geom, and their contacts no law."""
    model = mujoco.MjModel.from_xml_string(
        """<mujoco><worldbody><flexcomp name="sheet" type="grid" count="3 3 1" spacing="0.1 0.1 0.1" dim="2"
        mass="1" radius="0.01"/></worldbody></mujoco>"""
    )
    with pytest.raises(SceneError, match="flexible bodies"):
        ContactScene(model, [], step=STEP)


def test_a_divergence_is_told_where_nothing_can_be_saved(tmp_path: Path) -> None:
    """A folder that cannot be made does not hide why the simulation stopped."""
    scene = two_bodies(1, SHIPPED, STEP)
    (tmp_path / "file").write_text("")
    scene._folder = tmp_path / "file" / "folder"
    scene.data.xfrc_applied[1, 0] = np.nan
    with pytest.raises(SimulationError, match=r"no number.* cannot be written to .*: Not a directory"):
        scene.run(3)
