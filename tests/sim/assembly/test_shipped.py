"""The shipped components and arms: sources, masses, and published dynamics that our chains must give."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from bench.link_values import difference, links
from sim.assembly.assembly_file import load_assembly
from sim.assembly.checks import check
from sim.assembly.database import SHIPPED, Database, load_database
from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.chain.dynamics import inverse_dynamics, mass_matrix
from sim.chain.kinematics import jacobian, tip_pose

ASSEMBLIES = SHIPPED.parent / "assemblies"
ARMS = ("lwr4", "iiwa7", "iiwa14", "fr3", "ur10e", "puma560", "robot_r3")
PUBLISHED = 1e-4  # what printed digits of published values allow
# kg of links 0 to n as published
MASSES = {
    "iiwa14": (7.050378, 5.289529, 5.688888, 3.461245, 4.122995, 1.563756, 2.457878, 0.265331),
    "iiwa7": (4.855658, 3.394011, 4.031991, 3.394011, 4.031989, 1.529239, 2.403626, 0.259474),
    "fr3": (2.3966, 2.9275, 2.9355, 2.2449, 2.6156, 2.3271, 1.8170, 0.6271),
    "ur10e": (4.0, 7.369, 13.051, 3.989, 2.1, 1.98, 0.615),
}


@pytest.fixture(scope="module")
def database() -> Database:
    """All shipped components."""
    return load_database()


def arm(name: str, database: Database) -> Manipulator:
    """A shipped arm."""
    return manipulator_of(load_assembly(ASSEMBLIES / f"{name}.toml", database))


def test_the_database_has_what_arms_are_made_of(database: Database) -> None:
    """At least 60 components of every kind; gears of all sizes from 14 to 50; links in three sizes."""
    kinds = Counter(component.kind for component in database)
    assert len(database) >= 60
    assert set(kinds) == {
        "link",
        "joint",
        "wrist",
        "base",
        "tool",
        "unit",
        "motor",
        "gear",
        "brake",
        "torque_sensor",
    }
    for size in (14, 17, 20, 25, 32, 40, 45, 50):
        assert f"hd-{size}-50" in database
    shapes = [f"link-{shape}-{way}" for shape in "lcs" for way in ("symmetric", "asymmetric")]
    for name in (*shapes, "link-straight"):
        assert all(f"{name}-{size}" in database for size in "sml")
    assert any(joint.type == "linear" for c in database.of_kind("joint") for joint in c.joints)


def test_a_file_is_named_as_its_component(database: Database) -> None:
    """So that one finds it; and each says where its values come from, or that they are assumed."""
    for path in SHIPPED.rglob("*.toml"):
        component = database[path.stem]
        assert component.source and component.text
        if component.source.startswith("none"):
            assert component.assumed, path


def test_links_are_what_their_dimensions_say() -> None:
    """Mass, centre and inertia of every tube link follow from its dimensions."""
    for link in links():
        assert difference(link) < 1e-5, link.name


@pytest.mark.parametrize("name", ARMS)
def test_arms_are_sound(name: str, database: Database) -> None:
    """No finding is an error; every drive that is named is there."""
    chain = load_assembly(ASSEMBLIES / f"{name}.toml", database)
    assert [str(f) for f in check(chain) if f.level == "error"] == []


@pytest.mark.parametrize("name", MASSES)
def test_masses_are_the_published_ones(name: str, database: Database) -> None:
    """Link by link, base first."""
    np.testing.assert_allclose(arm(name, database).chain.masses, MASSES[name], rtol=0.0, atol=6e-5)


def test_the_light_weight_arm_has_its_dimensions(database: Database) -> None:
    """310.5, 400, 390 and 78 mm; axes z, -y, z, y, z, -y, z, as in the loop's own model."""
    made = arm("lwr4", database)
    bent = tip_pose(made.chain, np.radians([0.0, -90.0, 0.0, -90.0, 0.0, 0.0, 0.0]))
    np.testing.assert_allclose(tip_pose(made.chain, np.zeros(7))[:3, 3], [0.0, 0.0, 1.1785], atol=1e-12)
    # shoulder forwards, elbow up again: the upper arm lies along x
    np.testing.assert_allclose(bent[:3, 3], [0.4, 0.0, 0.3105 + 0.39 + 0.078], atol=1e-12)


# --- PUMA 560: values printed by the Robotics Toolbox for Python for these parameters
POSE = np.array([0.0, np.pi / 4, np.pi, 0.0, np.pi / 4, 0.0])
NOTHING = np.zeros(6)
FAST = np.array([0.1, 0.2, 0.8, 0.2, 0.5, 1.0])
# motor-side friction, direction by direction, as that program has it (the components hold the mean)
VISCOUS = np.array([1.48e-3, 0.817e-3, 1.38e-3, 71.2e-6, 82.6e-6, 36.7e-6])
COULOMB = np.array([0.395, 0.126, 0.132, 0.0112, 0.00926, 0.00396])  # both cases here move forwards


def friction(database: Database, dq: np.ndarray) -> np.ndarray:
    """The joints' friction while all move forwards [N m]."""
    gears = [database[f"puma560-gear-{i}"].gear for i in range(1, 7)]
    ratio = np.array([gear.ratio for gear in gears if gear is not None])
    return ratio**2 * VISCOUS * dq + ratio * COULOMB


def test_puma_rests_and_accelerates_as_published(database: Database) -> None:
    """Gravity load, mass matrix, accelerations of one without motion."""
    made = arm("puma560", database)
    rest, _ = inverse_dynamics(made.chain, POSE, NOTHING, NOTHING, made.gravity, NOTHING)
    np.testing.assert_allclose(rest, [0.0, 31.6399, 6.0351, 0.0, 0.0283, 0.0], atol=PUBLISHED)
    M = mass_matrix(made.chain, POSE)
    np.testing.assert_allclose(np.diag(M), [3.6594, 4.4137, 0.9378, 0.1925, 0.1713, 0.1941], atol=PUBLISHED)
    np.testing.assert_allclose([M[0, 1], M[0, 2], M[1, 2]], [-0.4044, 0.1006, 0.3509], atol=PUBLISHED)
    pushed, _ = inverse_dynamics(made.chain, POSE, NOTHING, np.ones(6), made.gravity, NOTHING)
    np.testing.assert_allclose(
        pushed, [3.35311, 36.0025, 7.42596, 0.190043, 0.203441, 0.194133], atol=PUBLISHED
    )


def test_puma_moves_as_published(database: Database) -> None:
    """Torques of a motion, accelerations of torques, with the gears' friction; inertia at the hand."""
    made = arm("puma560", database)
    ones = np.ones(6)
    tau, _ = inverse_dynamics(made.chain, POSE, ones, ones, made.gravity, NOTHING)
    np.testing.assert_allclose(
        tau + friction(database, ones), [32.4952, 60.867, 17.7436, 1.45452, 1.29911, 0.713781], atol=PUBLISHED
    )
    M = mass_matrix(made.chain, POSE)
    bias, _ = inverse_dynamics(made.chain, POSE, FAST, NOTHING, made.gravity, NOTHING)
    given = np.array([1.0, 3.2, 1.8, 0.1, 0.7, 4.6])
    # the program takes friction with the sign of the motor's torque; it stands against the motion
    ddq = np.linalg.solve(M, given - bias - friction(database, FAST))
    np.testing.assert_allclose(
        ddq, [-7.4102, -9.8432, -10.9694, -4.4314, -0.9881, 21.0228], rtol=0.0, atol=PUBLISHED
    )
    back = np.linalg.inv(jacobian(made.chain, POSE))
    at_hand = np.diag(back.T @ M @ back)
    np.testing.assert_allclose(at_hand, [17.2954, 12.1909, 13.3348, 0.1941, 0.1713, 0.5791], atol=PUBLISHED)


def test_puma_friction_is_the_mean_of_both_directions(database: Database) -> None:
    """Published at the motor, stored at the joint."""
    gear = database["puma560-gear-1"].gear
    assert gear is not None
    np.testing.assert_allclose(gear.coulomb, 62.6111 * 0.5 * (0.395 + 0.435), rtol=1e-5)
    np.testing.assert_allclose(gear.viscous, 62.6111**2 * 1.48e-3, rtol=1e-5)


def test_robot_r3_is_the_librarys(database: Database) -> None:
    """Places of its joints, axes, masses; drives: rotor by ratio squared, springs on the joint's side."""
    made = arm("robot_r3", database)
    places = [(0, 0.351, 0), (0, 0.324, 0.3), (0, 0.65, 0), (0, 0.414, -0.155), (0, 0.186, 0), (0, 0.125, 0)]
    np.testing.assert_allclose(made.chain.placements[:, :3, 3], places, atol=1e-15)
    np.testing.assert_array_equal(np.argmax(made.chain.axes, axis=1), [1, 0, 0, 1, 0, 1])
    np.testing.assert_allclose(made.chain.masses[2:], [56.5, 26.4, 28.7, 5.2, 15.5])
    np.testing.assert_allclose(made.gravity, [0.0, -9.81, 0.0])
    rotors = np.array([1.3e-3, 1.3e-3, 1.3e-3, 1.6e-4, 1.8e-4, 4.3e-5])
    ratios = np.array([105.0, 210.0, 60.0, 99.0, 79.2, 99.0])
    np.testing.assert_allclose(made.chain.armatures, rotors * ratios**2, rtol=1e-12)
    for number, ratio, spring in ((1, 105.0, 43.0), (2, 210.0, 8.0), (3, 60.0, 58.0)):
        gear = database[f"robot-r3-gear-{number}"].gear
        assert gear is not None and gear.stiffness is not None
        np.testing.assert_allclose(gear.stiffness / ratio**2, [spring] * 3)
    rigid = database["robot-r3-gear-4"].gear
    assert rigid is not None and rigid.stiffness is None and (rigid.coulomb, rigid.stick) == (21.8, 26.7)


def test_robot_r3_holds_itself_as_the_reference_begins(database: Database) -> None:
    """At the start of the reference the springs of axes 2 and 3 hold gravity: by the principle of work.

    The torque of a joint at rest is the slope of the potential energy along it; here by differences.
    """
    from sim.chain.dynamics import energy

    made = arm("robot_r3", database)
    q = np.radians([-60.0, 20.0, 90.0, 0.0, -110.0, 0.0])
    rest, _ = inverse_dynamics(made.chain, q, NOTHING, NOTHING, made.gravity, NOTHING)
    for i in range(6):
        step = np.zeros(6)
        step[i] = 1e-5
        slope = energy(made.chain, q + step, NOTHING, made.gravity)[1]
        slope -= energy(made.chain, q - step, NOTHING, made.gravity)[1]
        assert rest[i] == pytest.approx(slope / 2e-5, abs=1e-5)


def test_assemblies_are_all_listed() -> None:
    """One file an arm."""
    assert {path.stem for path in Path(ASSEMBLIES).glob("*.toml")} >= set(ARMS)
