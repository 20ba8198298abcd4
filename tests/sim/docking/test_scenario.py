"""Docking from beginning to end: outcomes, conservation laws, and what a state must say."""

import math
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest
from scipy.integrate import solve_ivp

from hil.common.arrays import Array
from hil.common.errors import ConfigurationError, InterfaceError, SceneError, SimulationError
from hil.configuration import Configuration, load_configuration
from hil.configuration.loading import configuration_from, table_of, text_of
from hil.configuration.overrides import overridden
from sim.docking.coasting import coast
from sim.docking.judge import Verdict
from sim.docking.scenario import DockingScenario
from sim.orbit.clohessy_wiltshire import relative_acceleration, transition

ROOT = Path(__file__).parents[3]
FILE = ROOT / "configs/docking.toml"
STIFFNESS = "[400.0, 400.0, 300.0, 300.0, 100.0, 60.0, 40.0]"


def configured(*settings: str, joint: bool = False) -> Configuration:
    """The shipped configuration with other values; `joint`: with joint impedance instead of Cartesian."""
    data: dict[str, Any] = table_of(text_of(FILE), FILE)
    if joint:
        del data["docking"]["cartesian_impedance"]
        settings = (f"docking.joint_impedance.stiffness_n_m_per_rad = {STIFFNESS}", *settings)
    return configuration_from(
        overridden(data, [f"docking.{s.removeprefix('docking.')}" for s in settings]), FILE
    )


def played(*settings: str, joint: bool = False) -> tuple[DockingScenario, Verdict]:
    scenario = DockingScenario(configured(*settings, joint=joint))
    return scenario, scenario.play()


TWENTY = 'interfaces = "scenes/docking20.toml"'
REACH = 'approach.by = "reach"'


@pytest.mark.parametrize(
    ("settings", "joint"),
    [
        ([], False),
        ([TWENTY], False),
        ([], True),
        ([TWENTY], True),
        ([REACH], False),
        ([REACH], True),
        (["latch = true", "push.force_n = 0.0"], False),
    ],
    ids=["4 pins", "20 pins", "4 pins, joints", "20 pins, joints", "reach", "reach, joints", "latch alone"],
)
def test_docks(settings: list[str], joint: bool) -> None:
    """Both patterns, both impedances, both ways to come; the rules of docked hold over the last second."""
    scenario, found = played(*settings, joint=joint)
    assert found.word == "docked"
    seen = scenario.history.until(found.time)
    last = seen.time > found.time - 0.999
    assert (seen.depth[last] >= 0.95).all() and (seen.depth[last] < 1.01).all()
    assert seen.tilt[last].max() < math.radians(0.2)
    assert seen.speed[last].max() < 1e-3
    assert seen.penetration.max() < 0.4e-3
    assert found.time >= scenario.full_push + 1.0


def test_a_push_in_line_is_shared_by_mass() -> None:
    """Seated, both accelerate together: what the contacts carry is push times module over all."""
    scenario, found = played("outcome.hold_s = 4.0")
    seen = scenario.history.until(found.time)
    model = scenario.bodies.model
    module, servicer = (model.body_subtreemass[b] for b in (scenario.bodies.module, scenario.bodies.base))
    assert found.word == "docked"
    assert seen.axial[seen.time > found.time - 2.0].mean() == pytest.approx(
        10.0 * module / (module + servicer), rel=0.03
    )


def momenta(scenario: DockingScenario) -> tuple[Array, Array]:
    """Linear and angular momentum of everything, about the world's origin."""
    model, data = scenario.bodies.model, scenario.scene.data
    mujoco.mj_forward(model, data)
    mujoco.mj_subtreeVel(model, data)
    linear, angular = np.zeros(3), np.zeros(3)
    for root in (scenario.bodies.module, scenario.bodies.base):
        p = model.body_subtreemass[root] * data.subtree_linvel[root]
        linear += p
        angular += data.subtree_angmom[root] + np.cross(data.subtree_com[root], p)
    return linear, angular


@pytest.mark.parametrize("joint", [False, True], ids=["Cartesian", "joints"])
def test_contacts_and_impedance_keep_momentum(joint: bool) -> None:
    """Without a push: 3 s of approach, hits and friction; both momenta stay to 1e-6 of what was brought."""
    scenario = DockingScenario(configured("push.force_n = 0.0", joint=joint))
    before = momenta(scenario)
    scenario.run(3000)
    after = momenta(scenario)
    seen = scenario.history
    brought = np.linalg.norm(before[0])
    assert seen.force.max() > 1.0
    assert np.linalg.norm(after[0] - before[0]) < 1e-6 * brought
    assert np.linalg.norm(after[1] - before[1]) < 1e-6 * brought  # times 1 m


def test_too_far_beside_jams_on_the_face() -> None:
    """9 mm beside holes of 8.15 mm: the tips stand on the face, pressed and still."""
    scenario, found = played("approach.lateral_mm = [9.0, 0.0]")
    seen = scenario.history.until(found.time)
    assert found.word == "jammed"
    assert abs(seen.insertion[-1]) < 0.2e-3
    assert seen.axial[-1] > 2.0


def test_beside_the_plate_is_lost() -> None:
    """Nothing is touched, and the time limit ends it."""
    scenario, found = played("approach.lateral_mm = [400.0, 0.0]", "outcome.time_limit_s = 3.0")
    assert (found.word, found.time) == ("lost", pytest.approx(3.0, abs=2e-3))
    assert scenario.history.force.max() == 0.0


def test_a_module_that_leaves_is_lost() -> None:
    """It flies away faster than the servicer comes: out of reach at 100 mm more than at the start."""
    scenario = DockingScenario(configured())
    scenario.place(twist_world_module=np.zeros(6))
    scenario.scene.data.qvel[scenario.bodies.module_dof + 2] = -0.12
    assert scenario.play().word == "lost"
    assert scenario.history.insertion[-1] < -0.12


def test_place_has_the_misalignment() -> None:
    """In any pose of the module: middle of the tips, tilt and closing speed are the configured ones."""
    scenario = DockingScenario(
        configured("approach.lateral_mm = [3.0, -4.0]", "approach.tilt_deg = [1.5, 2.0]")
    )
    T = np.eye(4)
    T[:3, :3] = np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    T[:3, 3] = [0.79, 0.1, 0.15]
    scenario.place(T, np.array([0.01, 0.02, 0.0, 0.0, 0.0, 0.1]))
    data, bodies = scenario.scene.data, scenario.bodies
    middle = data.xpos[bodies.effector] + data.xmat[bodies.effector].reshape(3, 3) @ scenario.mating.middle
    local = T[:3, :3].T @ (middle - T[:3, 3]) - [0.0, 0.0, 0.15]
    assert local == pytest.approx([3e-3, -4e-3, 0.02], abs=1e-9)
    seen = scenario.history
    assert seen.tilt[0] == pytest.approx(math.radians(2.5), rel=1e-4)
    assert seen.speed[0] == pytest.approx(0.02, rel=1e-9)  # moving along with the module, less the approach
    assert seen.insertion[0] == pytest.approx(-0.02, abs=1e-5)  # of the half spheres' ends


def test_the_latch_closes_once_all_are_deep_and_straight() -> None:
    """In one compiled call, without looking; then the effector stays seated against a pull of its arm."""
    scenario = DockingScenario(configured("latch = true"))
    scenario.scene.run(1000)
    assert not scenario.scene.data.eq_active[scenario.bodies.latch]
    scenario.scene.run(3000)
    assert scenario.scene.data.eq_active[scenario.bodies.latch]
    scenario.scene.data.xfrc_applied[scenario.bodies.base, :3] = [0.0, 0.0, 40.0]
    scenario.run(1500)
    assert scenario.history.depth[-1].min() > 0.95
    scenario.place()
    assert not scenario.scene.data.eq_active[scenario.bodies.latch]


@pytest.mark.parametrize("settings", [[], [REACH], ["latch = true"]], ids=["drift", "reach", "latch"])
def test_state_and_time_say_all(settings: list[str]) -> None:
    """Run on from a saved state in another scene: the same to the bit, impedance, push and contacts too."""
    first, second = (DockingScenario(configured(*settings)) for _ in range(2))
    state = np.empty(first.scene.state_size)
    first.scene.run(1500)
    first.scene.state_into(state)
    first.scene.run(1000)
    second.scene.run(700)
    second.scene.set_state(state)
    second.scene.run(1000)
    assert first.scene.data.time == second.scene.data.time
    assert first.scene.data.qpos.tobytes() == second.scene.data.qpos.tobytes()
    assert first.scene.data.qvel.tobytes() == second.scene.data.qvel.tobytes()


def test_placing_anew_repeats_to_the_bit() -> None:
    """What was before leaves no trace."""
    scenario = DockingScenario(configured())
    scenario.run(2500)
    once = scenario.scene.data.qpos.copy()
    scenario.place()
    scenario.run(2500)
    assert once.tobytes() == scenario.scene.data.qpos.tobytes()


ORBIT = ("orbit.altitude_km = 400.0", "approach.distance_mm = 2000.0", "outcome.time_limit_s = 200.0")


def test_from_afar_in_orbit_it_arrives() -> None:
    """2 m in 100 s on an orbit at 400 km, aimed: docked all the same; straight ahead it would miss by far."""
    scenario, found = played(*ORBIT)
    assert found.word == "docked"
    assert 101.0 < found.time < 110.0
    n = scenario.rate
    straight = transition(n, 100.0) @ np.array([0.0, 0.0, 2.0, 0.0, 0.0, -0.02])
    assert abs(straight[2]) > 5e-3  # along z alone; the other axes are worse


@pytest.mark.parametrize("altitude", [400.0, 35_786.0], ids=["low", "geostationary"])
def test_one_orbit_apart_is_the_closed_forms_drift(altitude: float) -> None:
    """Both drift for a whole orbit; DOP853 on the equations of motion agrees to 1e-7 of the drift."""
    scenario = DockingScenario(configured(f"orbit.altitude_km = {altitude}"))
    data, bodies, n = scenario.scene.data, scenario.bodies, scenario.rate
    period = 2.0 * math.pi / n
    data.qpos[bodies.module_qpos : bodies.module_qpos + 3] += [1.0, -3.0, 0.5]
    data.qvel[bodies.base_dof : bodies.base_dof + 3] = [2e-4, -1e-4, 3e-4]
    mujoco.mj_forward(bodies.model, data)
    mujoco.mj_subtreeVel(bodies.model, data)
    roots = (bodies.module, bodies.base)
    before = [np.concatenate((data.subtree_com[r], data.subtree_linvel[r])) for r in roots]
    coast(bodies, data, n, period)
    mujoco.mj_forward(bodies.model, data)
    for root, start in zip(roots, before, strict=True):
        run = solve_ivp(
            lambda _, s: np.concatenate((s[3:], relative_acceleration(s, n))),
            (0.0, period), start, method="DOP853", rtol=1e-12, atol=1e-13,
        )  # fmt: skip
        drift = np.linalg.norm(run.y[:3, -1] - start[:3])
        assert drift > 1.0
        assert np.linalg.norm(data.subtree_com[root] - run.y[:3, -1]) < 1e-7 * drift


@pytest.mark.parametrize("altitude", [400.0, 35_786.0], ids=["low", "geostationary"])
def test_coasting_is_what_the_steps_do(altitude: float) -> None:
    """20 s in one step, or in 20 000 with the arm's springs at work: the same to 1e-5 of the way."""
    far = (
        f"orbit.altitude_km = {altitude}",
        "approach.distance_mm = 450.0",
        "module_rotvec_deg = [0.0, 90.0, 0.0]",
    )
    coasted = DockingScenario(configured(*far))
    stepped = DockingScenario(configured(*far, "approach.near_mm = 500.0"))
    begin = stepped.scene.data.qpos.copy()
    stepped.scene.run(20_000)
    assert coasted.scene.data.time == pytest.approx(20.0)
    way = np.linalg.norm(stepped.scene.data.qpos[:3] - begin[:3])
    way = max(way, np.linalg.norm(stepped.scene.data.qpos[7:10] - begin[7:10]))
    assert way > 0.3
    for start in (coasted.bodies.module_qpos, coasted.bodies.base_qpos):
        place = slice(start, start + 3)
        assert coasted.scene.data.qpos[place] == pytest.approx(stepped.scene.data.qpos[place], abs=1e-5 * way)
        quats = slice(start + 3, start + 7)
        turned = abs(coasted.scene.data.qpos[quats] @ stepped.scene.data.qpos[quats])
        assert 2.0 * math.acos(min(1.0, turned)) < 1e-5


def test_a_fixed_base_stays() -> None:
    """The arm reaches, the base does not move at all, the contact force is felt by the module."""
    scenario = DockingScenario(configured(REACH, "servicer.base_fixed = true", "approach.speed_mm_s = 50.0"))
    base = scenario.scene.data.xpos[scenario.bodies.base].copy()
    scenario.run(1500)
    assert (scenario.scene.data.xpos[scenario.bodies.base] == base).all()
    assert scenario.history.force.max() > 1.0
    assert np.abs(scenario.scene.data.qvel[:6]).max() > 0.005


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (["cartesian_impedance.translation_n_per_m = [1e5, 1e5, 1e5]", "cartesian_impedance.damping = 3.0"],
         r"docking.cartesian_impedance: too stiff or too damped for simulation.step_ms = 1: .*at most 1"),
        ([REACH, "approach.distance_mm = 900.0"], "the arm cannot reach .* mm from its base"),
        (['module_body = "modul"'], r"there is no body 'modul' \(docking.module_body\); bodies: 'module', "),
        (['effector_body = "module"'], "'module' .* is no part of 'servicer'|0 interfaces have their pins"),
        (['scene = "scenes/box.xml"'], r"no body 'module' \(docking.module_body\); bodies: 'object'"),
        (['scene = "docking.toml"'], "MuJoCo refuses the scene"),
        (['interfaces = "docking.toml"'], "is the configuration of a run"),
    ],
)  # fmt: skip
def test_bad_input_is_refused(settings: list[str], message: str) -> None:
    """Each with the key, the value and what would do."""
    joint = REACH in settings
    with pytest.raises((ConfigurationError, SceneError, InterfaceError), match=message):
        DockingScenario(configured(*settings, joint=joint))


def test_a_divergence_stops_with_its_state(tmp_path: Path) -> None:
    """A servicer far too fast: the state before is on disk and named."""
    scenario = DockingScenario(configured(), tmp_path)
    scenario.scene.data.qvel[scenario.bodies.base_dof] = 200.0
    with pytest.raises(SimulationError, match="the state before that step is in") as caught:
        scenario.play()
    (file,) = tmp_path.glob("*.npz")
    assert str(file) in str(caught.value)
    assert np.load(file)["qvel"][scenario.bodies.base_dof] == 200.0


def test_a_configuration_without_the_table_is_refused() -> None:
    """The default run has no servicer."""
    with pytest.raises(ConfigurationError, match=r"there is no table \[docking\]"):
        DockingScenario(load_configuration(ROOT / "configs/cube.toml"))
