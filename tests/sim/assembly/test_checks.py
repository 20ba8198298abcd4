"""Findings and figures: by hand for small arms, by brute force for large ones."""

import dataclasses
import math

import numpy as np
import pytest

from sim.assembly.assembly_file import load_assembly
from sim.assembly.chain import Chain
from sim.assembly.checks import check, figures
from sim.assembly.component_schema import ComponentFile
from sim.assembly.database import SHIPPED, Database, load_database
from sim.assembly.extremes import static_effort
from sim.assembly.figures import continuous_effort
from sim.assembly.manipulator import manipulator_of
from sim.chain.dynamics import inverse_dynamics
from sim.chain.kinematics import tip_pose

G = 9.81
FLANGE = {"gender": "both", "type": "flange", "size_mm": 80.0}


def component(name: str, kind: str, **more: object) -> ComponentFile:
    """A component of this name."""
    return ComponentFile.model_validate({"name": name, "kind": kind, "source": "made up", **more})


def out(x: float = 0.0, z: float = 0.0) -> dict[str, object]:
    """An output there [mm]."""
    return {**FLANGE, "position_mm": [x, 0.0, z]}


def lump(mass: float, x: float = 0.0) -> dict[str, object]:
    """A small body [kg, mm]."""
    return {"mass_kg": mass, "centre_mm": [x, 0.0, 0.0], "inertia_kg_m2": [1e-3, 1e-3, 1e-3, 0.0, 0.0, 0.0]}


def swing(**more: object) -> dict[str, object]:
    """A joint about y."""
    return {"type": "revolute", "axis": [0.0, 1.0, 0.0], "lower_deg": -180.0, "upper_deg": 180.0,
            "speed_deg_s": 90.0, "torque_n_m": 100.0, **more}  # fmt: skip


MOTOR = {"torque_constant_n_m_per_a": 0.1, "resistance_ohm": 1.0, "inductance_mh": 1.0, "rotor_inertia_kg_m2": 1e-4,  # noqa: E501
         "mass_kg": 0.5, "current_a": 5.0, "torque_max_n_m": 1.0, "winding_resistance_k_per_w": 1.0,
         "housing_resistance_k_per_w": 1.0, "winding_capacity_j_per_k": 10.0, "housing_capacity_j_per_k": 100.0}  # fmt: skip  # noqa: E501
GEAR = {"ratio": 100.0, "efficiency": 0.8, "torque_peak_n_m": 60.0}


def arm(joint: dict[str, object], *drives: ComponentFile, second: dict[str, object] | None = None) -> Chain:
    """A base, a rod of 1 m and 2 kg at a joint, and perhaps another one at its end."""
    rod = {
        "bodies": [lump(0.0) | {"inertia_kg_m2": [0.0] * 6}, lump(2.0, 500.0)],
        "input": FLANGE,
        "output": out(1000.0),
    }
    parts = [
        component("base", "base", bodies=[lump(5.0)], output=out()),
        component("rod", "joint", joints=[joint], **rod),
    ]
    chain = Chain(
        "arm", Database([*parts, *drives, component("other", "joint", joints=[second or joint], **rod)])
    )
    chain = chain.add("base").add("rod")
    return chain if second is None else chain.add("other")


def test_a_rod_holds_what_its_joint_gives() -> None:
    """Reach 1 m; at rest 2 kg half a metre out; payload from what is left."""
    values = figures(arm(swing()))
    assert values["joints"] == 1 and values["mass_kg"] == pytest.approx(7.0)
    assert values["reach_m"] == pytest.approx(1.0, rel=1e-12)
    assert values["margins"][0]["static"] == pytest.approx(2.0 * G * 0.5, rel=1e-9)
    assert values["payload_kg"] == pytest.approx((100.0 - G) / G, rel=1e-7)


def test_limits_bound_the_worst_pose() -> None:
    """A rod that only moves between 60 and 90 degrees down never lies flat; it reaches less, too."""
    values = figures(arm(swing(lower_deg=60.0, upper_deg=90.0)))
    assert values["margins"][0]["static"] == pytest.approx(G * math.cos(math.radians(60.0)), rel=1e-9)
    assert values["reach_m"] == pytest.approx(1.0)  # from the axis


def test_two_rods_stretch_out() -> None:
    """Reach 2 m; the first joint is the one that gives in."""
    values = figures(arm(swing(), second=swing(torque_n_m=90.0)))
    assert values["reach_m"] == pytest.approx(2.0, rel=1e-9)
    first, second = (100.0 - 2.0 * G * 2.0) / (2.0 * G), (90.0 - G) / G
    assert values["payload_kg"] == pytest.approx(min(first, second), rel=1e-7)


def test_a_slide_carries_along_its_axis() -> None:
    """Upright: force less weight."""
    slide = {"type": "linear", "lower_mm": 0.0, "upper_mm": 300.0, "speed_mm_s": 100.0, "force_n": 200.0}
    chain = arm(slide)
    values = figures(chain)
    assert values["margins"][0]["static"] == pytest.approx(2.0 * G)
    assert values["payload_kg"] == pytest.approx((200.0 - 2.0 * G) / G, rel=1e-7)
    assert values["reach_m"] == pytest.approx(math.hypot(1.0, 0.3))  # from the base's origin


def test_too_weak_an_arm_carries_nothing_and_free_fall_asks_for_nothing() -> None:
    """A warning with both values; no payload without gravity."""
    weak = arm(swing(torque_n_m=9.0))
    assert figures(weak)["payload_kg"] == 0.0
    text = " ".join(str(finding) for finding in check(weak))
    assert "asks for 9.81 at rest, the drive gives 9 for ever: take a stronger drive" in text
    afloat = dataclasses.replace(weak, gravity=(0.0, 0.0, 0.0))
    assert figures(afloat)["payload_kg"] is None and figures(afloat)["margins"][0]["margin"] == 1.0


def test_continuous_torque_is_the_weakest_of_motor_gear_and_joint() -> None:
    """k I N eta, the gear's average, the joint's own limit, and what the file says."""
    motor, gear = component("m", "motor", motor=MOTOR), component("g", "gear", gear=GEAR)
    driven = swing(motor="m", gear="g")
    chain = arm(driven, motor, gear)
    assert continuous_effort(chain, manipulator_of(chain).axes[0].joint) == pytest.approx(
        0.1 * 5.0 * 100.0 * 0.8
    )
    average = component("g", "gear", gear={**GEAR, "torque_average_n_m": 30.0})
    chain = arm(driven, motor, average)
    assert continuous_effort(chain, manipulator_of(chain).axes[0].joint) == 30.0
    chain = arm({**driven, "torque_n_m": 20.0}, motor, average)
    assert continuous_effort(chain, manipulator_of(chain).axes[0].joint) == 20.0
    chain = arm({**driven, "continuous_n_m": 25.0}, motor, average)
    assert continuous_effort(chain, manipulator_of(chain).axes[0].joint) == 25.0


@pytest.mark.parametrize(
    ("joint", "drives", "words"),
    [
        ({"motor": "m", "gear": "g"}, {"g": {"torque_peak_n_m": 200.0}},
         "warning: rod: the gear is stronger than its motor: 'g' bears 200 N m, 'm' gives 80 N m behind it"),
        ({"motor": "m", "gear": "g"}, {}, "it may give 100 N m, its gear 'g' bears 60 N m"),
        ({"motor": "m", "gear": "g"}, {"g": {"torque_peak_n_m": 200.0}}, "it may give 100 N m, its motor reaches 80 N m"),  # noqa: E501
        ({"motor": "none", "gear": "g"}, {}, "error: rod: motor: there is no component 'none'"),
        ({"motor": "g", "gear": "g"}, {}, "error: rod: motor: 'g' is a gear: name a component of kind 'motor' in 'rod'"),  # noqa: E501
        ({"gear": "g"}, {}, "a gear is named and no motor"),
        ({"motor": "m", "gear": "g", "brake": "b"}, {"b": {"torque_n_m": 0.05}}, "its brake holds 5, the arm alone asks for 9.81"),  # noqa: E501
        ({"motor": "m", "gear": "g", "torque_sensor": "s"}, {}, "its torque sensor measures up to 70"),
        ({}, {}, "no continuous torque is known of rod"),
    ],
)  # fmt: skip
def test_drives_that_do_not_suit(joint: dict, drives: dict, words: str) -> None:
    """Each with the part, both values and a remedy."""
    made = [
        component("m", "motor", motor=MOTOR),
        component("g", "gear", gear={**GEAR, **drives.get("g", {})}),
        component("b", "brake", brake={"torque_n_m": 1.0, **drives.get("b", {})}),
        component("s", "torque_sensor", torque_sensor={"stiffness_n_m_per_rad": 1e4, "limit_n_m": 70.0}),
    ]
    found = [str(finding) for finding in check(arm(swing(**joint), *made))]
    assert any(words in text for text in found), found


def test_an_arm_without_joints_or_masses_is_an_error() -> None:
    """Nothing to move, nothing that moves, nothing at all."""
    chain = arm(swing())
    assert "no part has a joint" in str(check(chain.without_last())[0])
    assert "has no parts" in str(check(Chain("empty", chain.database))[0])
    hollow = component("rod", "joint", joints=[swing()], input=FLANGE, output=out(),
                       bodies=[{"mass_kg": 0.0, "inertia_kg_m2": [0.0] * 6}] * 2)  # fmt: skip
    bare = Chain("bare", chain.database.with_more([hollow])).add("base").add("rod")
    assert "nothing behind this joint has a mass" in str(check(bare)[0])


# --- by brute force
@pytest.fixture(scope="module")
def database() -> Database:
    """The shipped components."""
    return load_database()


@pytest.mark.parametrize("name", ["lwr4", "robot_r3", "ur10e"])
def test_no_random_pose_is_worse(name: str, database: Database) -> None:
    """Of 4000 poses none reaches farther, or overloads a joint with the payload; one nearly does."""
    chain = load_assembly(SHIPPED.parent / "assemblies" / f"{name}.toml", database)
    made, values = manipulator_of(chain), figures(chain)
    rng, n = np.random.default_rng(4), len(made.axes)
    first = tip_pose(made.chain, np.zeros(n))  # for its size only
    axis, base = made.chain.axes[0], made.chain.placements[0][:3, 3]
    push = np.concatenate([made.gravity * values["payload_kg"], np.zeros(3)])
    limits = np.array([margin["continuous"] for margin in values["margins"]])
    rest, reached, loaded = np.zeros(n), 0.0, np.zeros(n)
    for _ in range(4000):
        q = rng.uniform(np.maximum(made.lower, -np.pi), np.minimum(made.upper, np.pi))
        away = tip_pose(made.chain, q)[:3, 3] - base
        reached = max(reached, float(np.linalg.norm(away - axis * (axis @ away))))
        tau, _ = inverse_dynamics(made.chain, q, rest, rest, made.gravity, push)
        loaded = np.maximum(loaded, np.abs(tau) / limits)
    assert first.shape == (4, 4)
    assert 0.9 * values["reach_m"] < reached <= values["reach_m"] * (1.0 + 1e-9)
    assert 0.8 < loaded.max() <= 1.0 + 1e-6


def test_a_joint_at_rest_is_the_inverse_dynamics(database: Database) -> None:
    """The short sum of weights is what Newton and Euler give."""
    made = manipulator_of(load_assembly(SHIPPED.parent / "assemblies" / "fr3.toml", database))
    rng, rest = np.random.default_rng(6), np.zeros(7)
    for _ in range(5):
        q, push = rng.uniform(-2.0, 2.0, 7), rng.normal(size=6)
        tau, _ = inverse_dynamics(made.chain, q, rest, rest, made.gravity, push)
        held = [static_effort(made.chain, q, i, made.gravity, push) for i in range(7)]
        np.testing.assert_allclose(held, tau, atol=1e-12)
