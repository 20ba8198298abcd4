"""The parameters of a simulated experiment that a real one may differ in: drawn, varied, fitted."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np

from drivers.robot.stiffness_arm import JointControl
from drivers.robot.urdf_for_physics import JOINTS
from hil.common.arrays import Array, frozen_array

BY_JOINT = ("stiffness", "damping", "coulomb", "viscous")
CONTACT = ("contact_friction", "contact_stiffness", "contact_damping")
NAMES = (*(f"{kind}_{joint}" for kind in BY_JOINT for joint in JOINTS), *CONTACT, "tool_mass")
UNITS = {
    "stiffness": "N m/rad",
    "damping": "N m s/rad",
    "coulomb": "N m",
    "viscous": "N m s/rad",
    "contact_friction": "1",
    "contact_stiffness": "N/m",
    "contact_damping": "N s/m",
    "tool_mass": "kg",
}


@dataclass(frozen=True, eq=False)
class Parameters:
    """All of them as one vector, in the order of `NAMES`; all are above zero.

    Attributes:
        values: SI, shape (32,).
    """

    values: Array

    @classmethod
    def of(
        cls, control: JointControl, friction: float, stiffness: float, damping: float, mass: float
    ) -> "Parameters":
        """Return the vector of these parts: joints, the contact's material, and the tool's mass [kg]."""
        joints = (control.stiffness, control.damping, control.coulomb, control.viscous)
        return cls(frozen_array([*np.concatenate(joints), friction, stiffness, damping, mass]))

    def __getitem__(self, name: str) -> float:
        """Return one by its name."""
        return float(self.values[NAMES.index(name)])

    @property
    def control(self) -> JointControl:
        """How the joints are held and how they rub."""
        return JointControl(*self.values[:28].reshape(4, 7))

    def scaled(self, factors: Array) -> "Parameters":
        """Return parameters that are `factors` (32,) times these."""
        return Parameters(frozen_array(self.values * factors))

    def drawn(self, seed: int, spread: float, names: Collection[str] = NAMES) -> "Parameters":
        """Return parameters of which the named are drawn evenly within `spread` of these."""
        factors = np.random.default_rng(seed).uniform(1.0 - spread, 1.0 + spread, len(NAMES))
        return self.scaled(np.where([name in names for name in NAMES], factors, 1.0))


def unit_of(name: str) -> str:
    """Return the unit of a parameter."""
    return UNITS[kind_of(name)]


def indices_of(names: Iterable[str]) -> list[int]:
    """Return where the named parameters stand in the vector."""
    return [NAMES.index(name) for name in names]


def named(names: Iterable[str]) -> tuple[str, ...]:
    """Return the parameters that `names` mean, each a name or a kind; none given: all of them."""
    wanted = set(names)
    return tuple(name for name in NAMES if not wanted or {name, kind_of(name)} & wanted)


def kind_of(name: str) -> str:
    """Return a parameter's name without its joint."""
    return name.rsplit("_A", 1)[0]
