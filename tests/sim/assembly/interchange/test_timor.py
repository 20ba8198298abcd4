"""Timor's modules as components, against pinocchio on the same numbers; and back."""

import json
import math
import os
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin
import pytest

from hil.common.errors import AssemblyError
from sim.assembly.chain import Chain
from sim.assembly.component_schema import ComponentFile
from sim.assembly.database import Database, load_database
from sim.assembly.interchange.timor_in import components_of_timor
from sim.assembly.interchange.timor_out import timor_json
from sim.assembly.manipulator import manipulator_of
from sim.chain.dynamics import bias, mass_matrix
from sim.chain.kinematics import tip_pose
from tests.sim.assembly.interchange.timor_oracle import HALF_TURN, pin_model

EXACT = 1e-9
SET = Path(os.environ.get("TIMOR_IMPROV", "IMPROV/modules.json"))  # of timor-python's source archive
ARM = ("base", "PB21", "L1", "PB22", "L4", "L2", "PB23", "L5", "PB24", "L11")  # one arm out of it


def pose(rng: np.random.Generator) -> np.ndarray:
    """A random pose."""
    return pin.SE3(pin.exp3(rng.uniform(-2.0, 2.0, 3)), rng.uniform(-0.3, 0.3, 3)).homogeneous


def body(rng: np.random.Generator, name: str, connectors: list[dict[str, Any]]) -> dict[str, Any]:
    """A random body."""
    a = rng.normal(size=(3, 3))
    spread = a @ a.T + np.eye(3)  # of mass; an inertia made of it keeps the triangle inequality
    inertia = 1e-3 * (np.trace(spread) * np.eye(3) - spread)
    return {"ID": name, "mass": float(rng.uniform(0.5, 3.0)), "inertia": inertia.tolist(),
            "r_com": rng.uniform(-0.1, 0.1, 3).tolist(), "connectors": connectors,
            "collision": [{"type": "cylinder", "parameters": {"r": 0.04, "z": 0.1}, "pose": np.eye(4).tolist()}]}  # fmt: skip  # noqa: E501


def connector(
    name: str, gender: str, at: np.ndarray, kind: str = "plate", size: float = 0.08
) -> dict[str, Any]:
    """A connector."""
    return {"ID": name, "pose": at.tolist(), "gender": gender, "type": kind, "size": [size]}


def joint(rng: np.random.Generator, name: str, parent: str, child: str, kind: str) -> dict[str, Any]:
    """A driven joint between two bodies."""
    limits = {
        "positionLower": -1.5,
        "positionUpper": 1.5,
        "peakTorque": 80.0,
        "velocity": 1.2,
        "acceleration": math.inf,
    }
    return {"ID": name, "parent": parent, "child": child, "type": kind, "passive": False, "limits": limits,
            "poseParent": pose(rng).tolist(), "poseChild": pose(rng).tolist(), "gearRatio": 100.0,
            "motorInertia": 3e-5, "frictionCoulomb": 2.0, "frictionViscous": 4.0}  # fmt: skip


@pytest.fixture
def modules() -> list[dict[str, Any]]:
    """A base, a link, a joint, a slide, and two joints in one, all poses at random."""
    rng = np.random.default_rng(3)
    base = {"header": {"ID": "1", "name": "ground"}, "joints": [],
            "bodies": [body(rng, "b", [connector("w", "f", HALF_TURN, "base"), connector("o", "m", pose(rng))])]}  # fmt: skip  # noqa: E501

    def part(name: str, kinds: list[str]) -> dict[str, Any]:
        ids = [f"{name}{k}" for k in range(len(kinds) + 1)]
        ends: list[list[dict[str, Any]]] = [[] for _ in ids]
        ends[0].append(connector("proximal", "f", pose(rng)))
        ends[-1].append(connector("distal", "m", pose(rng)))
        joints = [joint(rng, f"{name}j{k}", ids[k], ids[k + 1], kind) for k, kind in enumerate(kinds)]
        bodies = [body(rng, identity, end) for identity, end in zip(ids, ends, strict=True)]
        return {"header": {"ID": name, "name": name}, "bodies": bodies[::-1], "joints": joints[::-1]}

    return [base, part("link", []), part("turn", ["revolute"]), part("slide", ["prismatic"]),
            part("two", ["revolute", "revolute"])]  # fmt: skip


def arm_of(components: list[ComponentFile]) -> Chain:
    """The kinematic ones joined in their order."""
    chain = Chain("arm", Database(components))
    for component in components:
        if component.bodies:
            chain = chain.add(component.name)
    return chain


def assert_same(chain: Chain, model: pin.Model, tip: pin.SE3) -> None:
    """Kinematics, mass matrix and bias agree at random states."""
    made, data, rng = manipulator_of(chain), model.createData(), np.random.default_rng(5)
    model.gravity.linear = made.gravity
    for _ in range(10):
        q, dq = rng.uniform(-2.0, 2.0, model.nv), rng.uniform(-2.0, 2.0, model.nv)
        M = np.array(pin.crba(model, data, q))
        M = np.triu(M) + np.triu(M, 1).T
        h = pin.rnea(model, data, q, dq, np.zeros(model.nv))
        np.testing.assert_allclose(mass_matrix(made.chain, q), M, rtol=0.0, atol=EXACT)
        np.testing.assert_allclose(bias(made.chain, q, dq, made.gravity), h, rtol=0.0, atol=EXACT)
        pin.forwardKinematics(model, data, q)
        placed = (data.oMi[model.njoints - 1] * tip).homogeneous
        np.testing.assert_allclose(tip_pose(made.chain, q), placed, rtol=0.0, atol=EXACT)


def test_modules_are_the_arm_that_pinocchio_makes_of_them(modules, tmp_path: Path) -> None:
    """Own modules, with joints that turn and slide and frames at random: 1e-9."""
    path = tmp_path / "modules.json"
    path.write_text(json.dumps({"modules": modules}), encoding="utf-8")
    assert_same(arm_of(components_of_timor(path)), *pin_model(modules))


def test_modules_come_back(modules, tmp_path: Path) -> None:
    """Written and read again, the arm is the same: ratio, rotor and friction too; so is a shipped arm's."""
    path, again = tmp_path / "modules.json", tmp_path / "again.json"
    path.write_text(json.dumps({"modules": modules}), encoding="utf-8")
    read = components_of_timor(path)
    written = timor_json([c for c in read if c.bodies], Database(read))
    again.write_text(written, encoding="utf-8")
    back = components_of_timor(again)
    assert_same(arm_of(back), *pin_model(modules))
    assert_same(arm_of(back), *pin_model(json.loads(written)["modules"]))
    gears = [c.gear for c in back if c.gear is not None]
    assert [(g.ratio, g.coulomb, g.viscous) for g in gears] == [(100.0, 2.0, 4.0)] * 4


def test_shipped_components_become_modules(tmp_path: Path) -> None:
    """Axes across, wrists, a gimbal: what pinocchio makes of the written JSON is our chain, armature and all."""  # noqa: E501
    database = load_database()
    names = (
        "base-l",
        "joint-roll-l",
        "link-l-asymmetric-l",
        "joint-pitch-l",
        "link-reducer-l-m",
        "wrist-gimbaled-m",
    )
    chain = Chain("arm", database)
    for name in names:
        chain = chain.add(name)
    written = timor_json([database[name] for name in names], database)
    assert_same(chain, *pin_model(json.loads(written)["modules"]))


def test_the_improv_set() -> None:
    """All 16 modules of the set are read; an arm of ten of them is pinocchio's within 1e-9."""
    if not SET.is_file():
        pytest.skip("set TIMOR_IMPROV to the modules.json of timor-python's source archive (set IMPROV)")
    found = components_of_timor(SET)
    assert len([c for c in found if c.bodies]) == 16
    by_name = {c.name: c for c in found}
    listed = {m["header"]["name"]: m for m in json.loads(SET.read_text(encoding="utf-8"))["modules"]}
    # two kinds of ends close a chain in this set: only the last part may have one
    chain = Chain("arm", Database(found))
    for name in ARM:
        chain = chain.add(by_name[name.lower()].name)
    assert_same(chain, *pin_model([listed[name] for name in ARM]))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda m: m[1]["bodies"][0]["connectors"].append(connector("x", "m", np.eye(4))), "3 connectors"),
        (lambda m: m[2]["joints"][0].update(type="fixed"), "'turnj0' is fixed"),
        (lambda m: m[2]["joints"][0].update(passive=True), "passive"),
        (lambda m: m[2]["joints"][0].update(child="turn0"), "loop|branch"),
        (lambda m: m[2].pop("header"), "header is missing"),
        (lambda m: m[1]["bodies"][0].update(mass=-1.0), r"bodies\[0\].mass_kg = -1.0 must be at least 0"),
        (
            lambda m: m[1]["bodies"][0].update(inertia=np.diag([1.0, 1.0, -0.1]).tolist()),
            "is that of no body",
        ),
        (lambda m: m[1]["bodies"][0]["connectors"][0].update(size=[0.1, 0.2]), "has 2 sizes"),
        (lambda m: m[2]["joints"][0].update(poseParent=np.ones((4, 4)).tolist()), "a rotation in it"),
        (lambda m: m[2]["bodies"].pop(), "1 bodies and 1 joints are no chain"),
    ],
)
def test_what_components_cannot_say_is_refused(modules, tmp_path: Path, change, words: str) -> None:
    """One line with the file and the module."""
    change(modules)
    path = tmp_path / "modules.json"
    path.write_text(json.dumps({"modules": modules}), encoding="utf-8")
    with pytest.raises(AssemblyError, match=words) as caught:
        components_of_timor(path)
    assert str(caught.value).startswith(f"{path}: modules[") and "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "words"), [("{", "is no JSON"), ("{}", "no list of modules"), ("[]", "no list")]
)
def test_other_files_are_refused(tmp_path: Path, text: str, words: str) -> None:
    """Half a JSON, and one of something else."""
    path = tmp_path / "modules.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(AssemblyError, match=words):
        components_of_timor(path)
