"""Modes of an object: panels, tanks and shapes from structural analysis, as one set of numbers.

theory: each mode has a deflection `eta` of modal mass 1. Its speed gives the whole the linear momentum `dt`
and the angular momentum `dr` about the undeformed centre of mass. A panel on a hinge with axis a, its centre
`l` from the hinge and `r` from the whole's, has `J = a I a + m |a x l|^2`, `eta = sqrt(J) angle`,
`dt = m a x l / sqrt(J)` and `dr = (I a + m r x (a x l)) / sqrt(J)`. A mass on a spring along a at r has
`eta = sqrt(m) x`, `dt = sqrt(m) a`, `dr = sqrt(m) r x a`.
"""

from dataclasses import dataclass

import numpy as np

from hil.common.arrays import Array, plain_numbers
from hil.common.errors import ConfigurationError
from hil.configuration import Configuration
from hil.configuration.tables.inside import Panel

SAMPLES = 10.0  # of a prediction in a period, at least: the arm's path is made of its nodes


@dataclass(frozen=True, eq=False)
class Modes:
    """The modes of an object, and the object.

    Attributes:
        names: what each mode is, shape (n,).
        mass: of the whole [kg].
        inertia: of the whole, undeformed, about its centre, principal [kg m2], shape (3,).
        omega: cantilever angular frequencies [rad/s], shape (n,).
        damping: cantilever damping ratios, shape (n,).
        translation: `dt`, shape (3, n).
        rotation: `dr`, shape (3, n).
        start: deflections at the beginning, shape (n,).
    """

    names: tuple[str, ...]
    mass: float
    inertia: Array
    omega: Array
    damping: Array
    translation: Array
    rotation: Array
    start: Array

    @property
    def left(self) -> Array:
        """`Mr = 1 - dt' dt / m - dr' I^-1 dr`: the modal mass that a free object leaves, shape (n, n)."""
        moved = self.translation.T @ self.translation / self.mass
        turned = self.rotation.T @ (self.rotation / self.inertia[:, None])
        return np.asarray(np.eye(len(self.omega)) - moved - turned)

    def free(self) -> tuple[Array, Array, Array]:
        """Return angular frequencies [rad/s], damping ratios and shapes (n, n) of the free object, rising.

        theory: `Mr eta'' + 2 z W eta' + W^2 eta = 0`; of one mode `W / sqrt(Mr)` and `z / sqrt(Mr)`. Of
        several the damping is that of each free shape by itself.
        """
        root = np.linalg.inv(np.linalg.cholesky(self.left))
        squares, vectors = np.linalg.eigh(root @ np.diag(self.omega**2) @ root.T)
        shapes = root.T @ vectors
        omega = np.sqrt(squares)
        damped = np.einsum("ik,i,ik->k", shapes, 2.0 * self.damping * self.omega, shapes)
        return omega, damped / (2.0 * omega), shapes


def modes_of(configuration: Configuration) -> Modes:
    """Return the modes of a configuration.

    Raises:
        ConfigurationError: they take part in more than there is, or are faster than the arm can follow.
    """
    inside, body = configuration.object.inside, configuration.object
    assert inside is not None
    rows: list[tuple[str, float, float, Array, Array, float]] = []
    for k, panel in enumerate(inside.panel):
        rows.append((f"panel[{k}]", panel.frequency, panel.damping, *_of_panel(panel)))
    for k, tank in enumerate(inside.tank):
        axis, root = tank.axis / np.linalg.norm(tank.axis), float(np.sqrt(tank.mass))
        along, about = root * axis, root * np.cross(tank.place, axis)
        rows.append((f"tank[{k}]", tank.frequency, tank.damping, along, about, root * tank.start))
    for k, mode in enumerate(inside.mode):
        along, about = np.array(mode.translation), np.array(mode.rotation)
        rows.append((f"mode[{k}]", mode.frequency, mode.damping, along, about, mode.start))
    names, frequency, damping, alongs, abouts, start = zip(*rows, strict=True)
    modes = Modes(
        tuple(names), body.mass, np.array(body.inertia), 2.0 * np.pi * np.array(frequency), np.array(damping),
        np.array(alongs).T.copy(), np.array(abouts).T.copy(), np.array(start),
    )  # fmt: skip
    _check(modes, configuration)
    return modes


def _of_panel(panel: Panel) -> tuple[Array, Array, float]:
    """Return `dt`, `dr` and the deflection at the start of a panel."""
    axis = panel.axis / np.linalg.norm(panel.axis)
    lever, place = np.cross(axis, panel.centre), panel.hinge + panel.centre
    root = float(np.sqrt(about_hinge(panel)))
    about = (panel.inertia * axis + np.cross(place, panel.mass * lever)) / root
    return panel.mass * lever / root, about, root * panel.start


def about_hinge(panel: Panel) -> float:
    """Return a panel's inertia about its hinge [kg m2]."""
    axis = panel.axis / np.linalg.norm(panel.axis)
    lever = np.cross(axis, panel.centre)
    return float(axis @ (panel.inertia * axis)) + panel.mass * float(lever @ lever)


def _check(modes: Modes, configuration: Configuration) -> None:
    least = np.linalg.eigvalsh(modes.left)
    if not least[0] > 1e-9:
        raise ConfigurationError(
            f"object.inside: the modes {', '.join(modes.names)} leave the free object the modal masses "
            f"{plain_numbers(least)}, all must be above 0: they move more than object.mass_kg = "
            f"{modes.mass:g} and "
            f"object.inertia_kg_m2 = {plain_numbers(modes.inertia)}, which are the whole's, have; take "
            "smaller "
            "ones, or a heavier object"
        )
    most = 1.0 / (SAMPLES * configuration.simulation.prediction_step)
    fastest = float(modes.free()[0][-1]) / (2.0 * np.pi)
    if fastest > most:
        raise ConfigurationError(
            f"object.inside: the free object vibrates at {fastest:.4g} Hz, faster than the arm can follow, "
            f"{most:g} Hz ({SAMPLES:g} points of simulation.prediction_step_ms = "
            f"{1e3 * configuration.simulation.prediction_step:g} in a period): leave that mode out, or "
            "write a "
            "softer one"
        )
