"""A docking with an O-ring seal and snap latches: what holds, energy, momentum, and what a state must say."""

import math
from pathlib import Path

import mujoco
import numpy as np
import pytest

from hil.common.arrays import Array
from hil.common.errors import ConfigurationError, InterfaceError
from hil.configuration import Configuration, load_configuration
from sim.contact.interface import load_interfaces
from sim.docking.scenario import DockingScenario
from sim.mating.packed import LOAD, POWER, WIDTH, WORK, stored_energy

ROOT = Path(__file__).parents[3]
FILE = ROOT / "configs/docking_snap.toml"
FAST = ("push.force_n=0", "approach.speed_mm_s=80")
PARTS = ROOT / "configs/scenes/docking_snap.toml"


def configured(*settings: str) -> Configuration:
    return load_configuration(FILE, [f"docking.{s}" for s in settings])


def edited(tmp_path: Path, *changes: tuple[str, str]) -> str:
    """A setting that names the shipped interface with some lines changed."""
    text = PARTS.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "parts.toml").write_text(text)
    return f'interfaces="{tmp_path / "parts.toml"}"'


def rows(scenario: DockingScenario) -> Array:
    return scenario.scene.data.userdata.reshape(-1, WIDTH)


def test_it_docks_seals_and_latches() -> None:
    """Docked with all latches closed and the seal reached; they press, and then hold."""
    scenario = DockingScenario(configured())
    found = scenario.play()
    seen = scenario.history.until(found.time)
    assert found.word == "docked"
    assert (seen.sealed[-1], seen.closed[-1]) == (1.0, 4.0)
    last = seen.time > found.time - 0.999
    assert (seen.sealed[last] == 1.0).all() and (seen.closed[last] == 4.0).all()
    assert seen.parts_force.max() > 5.0
    assert not seen.parts_force[seen.insertion < 25e-3].any()  # the pins guide long before


def test_latches_hold_what_pins_do_not() -> None:
    """Docked by its own way, then 3 N pulling: with latches it stays; with none of them it comes apart."""
    pulled, pins = [], f'interfaces="{PARTS.with_name("docking4.toml")}"'
    for scenario in (DockingScenario(configured(*FAST)), DockingScenario(configured(*FAST, pins))):
        scenario.run(2000)
        scenario.scene.data.xfrc_applied[scenario.bodies.base, 2] = 3.0  # the servicer comes along -z
        scenario.run(1500)
        pulled.append(scenario.history.depth[-1].min())
    assert pulled[0] > 0.95 > 0.5 > pulled[1]


def test_a_seal_too_tight_jams(tmp_path: Path) -> None:
    """A push that the seal's friction takes up leaves the pins half way, latches open, and that is told."""
    harder = ("hole_mm = 43.6", "hole_mm = 43.3"), ("shore_a = 40.0", "shore_a = 70.0")
    tight = edited(tmp_path, *harder, ("slip_mm_s = 4.0", "slip_mm_s = 20.0"))
    scenario = DockingScenario(configured(tight))
    assert scenario.play().word == "jammed"
    assert scenario.history.closed[-1] == 0.0


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


def test_momentum_is_kept() -> None:
    """Without a push: seal and latches act between the bodies; both momenta stay to 1e-6 of the brought."""
    scenario = DockingScenario(configured(*FAST))
    before = momenta(scenario)
    scenario.run(2000)
    after = momenta(scenario)
    assert scenario.history.closed[-1] == 4.0
    brought = np.linalg.norm(before[0])
    assert np.linalg.norm(after[0] - before[0]) < 1e-6 * brought
    assert np.linalg.norm(after[1] - before[1]) < 1e-6 * brought  # times 1 m


def test_energy_is_accounted_for() -> None:
    """The work on the parts is what their generalised forces took from the motion, and it is heat and store.

    The forces are those in joint coordinates, the parts' own account is kept in poses and twists.
    """
    scenario = DockingScenario(configured())
    data, forces = scenario.scene.data, scenario.scene.forces
    scenario.scene.run(900)
    taken, heat, most = 0.0, [], 0.0
    for _ in range(900):
        before = data.qvel.copy()
        told = rows(scenario)[:, WORK].sum()
        taken_before = taken
        scenario.scene.run(1)
        taken -= 0.5 * scenario.scene.step * forces.by_parts @ (before + data.qvel)
        # what is told is of the steps before the one just done
        assert rows(scenario)[:, WORK].sum() == pytest.approx(taken_before, rel=2e-3, abs=2e-5)
        most = max(most, told)
        heat.append(rows(scenario)[:, WORK].sum() - stored(scenario))
    assert most > 0.03
    assert heat[-1] > 0.4 * most and min(heat) > -1e-4
    assert np.diff(heat).min() > -2e-4


def stored(scenario: DockingScenario) -> float:
    """What the parts hold, at the poses in which they were looked at last [J]."""
    from sim.contact.parts import relative_motion

    data, tree = scenario.scene.data, scenario.scene.forces.tables.tree
    total = 0.0
    for i, row in enumerate(rows(scenario)):
        T = relative_motion(
            scenario.parts, i, data.xpos, data.xmat.reshape(-1, 9), data.cvel, data.subtree_com, tree.root
        )[0]
        total += stored_energy(row, scenario.parts.packed, i, T)
    return total


def test_generalised_forces_do_the_parts_power() -> None:
    """Virtual work, with everything moving: joint forces times joint speeds are loads times twists."""
    scenario = DockingScenario(configured())
    scenario.scene.run(1200)
    before = scenario.scene.data.qvel.copy()
    scenario.scene.run(1)
    powers = rows(scenario)[:, POWER]
    assert np.abs(rows(scenario)[1:, LOAD]).max() > 0.5
    assert scenario.scene.forces.by_parts @ before == pytest.approx(powers.sum(), rel=1e-9)


@pytest.mark.parametrize("at", [1180, 1260, 1400], ids=["on the ramps", "snapping in", "closed"])
def test_state_and_time_say_all(at: int) -> None:
    """Run on from a saved state in another scene that has gone ahead: the same to the bit, parts too."""
    first, second = (DockingScenario(configured()) for _ in range(2))
    state = np.empty(first.scene.state_size)
    first.scene.run(at)
    first.scene.state_into(state)
    first.scene.run(500)
    second.scene.run(1700)
    second.scene.set_state(state)
    second.scene.run(500)
    for name in ("qpos", "qvel", "userdata"):
        assert getattr(first.scene.data, name).tobytes() == getattr(second.scene.data, name).tobytes()
    assert rows(first)[:, WORK].sum() > 0.0
    first.place()
    assert not rows(first).any()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("travel_mm = 3.3", "travel_mm = 2.5"), r"snap\[0\].travel_mm = 2.5 must be at least 3"),
        (("exit_deg = 55.0", "exit_deg = 88.0"), r"fastener.mu = 0.2: friction on the hook's exit ramp"),
        (("entry_deg = 30.0", "entry_deg = 85.0"), r"friction on the hook's entry ramp holds it, or"),
        (("mu = 0.2\nslip_mm_s = 4.0   ", "mu = 0.9\nslip_mm_s = 4.0   "), r"o_ring.mu = 0.9: friction"),
        (("depth_mm = 4.0", "depth_mm = 9.0"), r"depth_mm = 9 must be at most o_ring.length_mm = 8"),
        (("[0.0, -1.0]]", "[0.0, 0.0]]"), r"snap\[0\].facing has a row without a direction"),
        ((", [0.0, -1.0]]", "]"), r"4 edges \(edges_mm\) but 3 directions"),
        (("hole_mm = 43.6", "hole_mm = 45.0"), r"the ring is squeezed by -0.5 mm"),
        (("modulus_mpa = 2700.0", "modulus_mpa = -1.0"), r"modulus_mpa = -1.0 must be above 0"),
    ],
)  # fmt: skip
def test_bad_parts_are_refused(change: tuple[str, str], message: str, tmp_path: Path) -> None:
    """Each with the key, the value and what would do."""
    edited(tmp_path, change)
    with pytest.raises(InterfaceError, match=message):
        load_interfaces(tmp_path / "parts.toml")


def test_a_step_too_long_for_the_parts_is_refused(tmp_path: Path) -> None:
    """Friction that sets in at once acts explicitly: told with both figures and bounds."""
    sharp = edited(tmp_path, ("slip_mm_s = 4.0", "slip_mm_s = 0.1"))
    with pytest.raises(ConfigurationError, match=r"\|A D\| dt = .* must be at most 1 and .*raise slip_mm_s"):
        DockingScenario(configured(sharp))
    assert math.isfinite(DockingScenario(configured()).scene.step)
