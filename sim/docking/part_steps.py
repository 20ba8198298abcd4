"""Whether a step is short enough for the loads of seals and latches, which act explicitly."""

from collections.abc import Iterator

import mujoco
import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ConfigurationError
from sim.contact.interface import Interface
from sim.contact.parts import Parts
from sim.mating.o_ring import ORing
from sim.mating.o_ring_schema import ORingSection
from sim.mating.snap import SnapFastener
from sim.mating.snap_schema import SnapSection
from sim.mating.wrench import Derivative

STABLE = 1.0  # sum over the parts of the largest |A D| times the step; it diverges above 2
STIFF = 0.25  # the same of |A K| times the step squared; it diverges above 4
LOOKS = 60  # poses on the way in


def check_steps(
    model: mujoco.MjModel, data: mujoco.MjData, interface: Interface, parts: Parts, step: float
) -> None:
    """Refuse parts whose loads a step cannot follow.

    Args:
        model: the compiled scene.
        data: where everything is: the arm's mobility A between both bodies is taken there.
        interface: whose parts they are.
        parts: their tables.
        step: of the simulation [s].

    Raises:
        ConfigurationError: it is too long, with what would do.
    """
    damped = stiff = 0.0
    for i, section in enumerate(_sections(interface)):
        A = _mobility(model, data, parts, i)
        found = [(_largest(A @ d.by_twist), _largest(A @ d.by_pose)) for d in _derivatives(section)]
        damped += step * max(f[0] for f in found)
        stiff += step**2 * max(f[1] for f in found)
    if damped > STABLE or stiff > STIFF:
        raise ConfigurationError(
            f"interface {interface.name!r}: its seals and latches are too stiff, or their friction sets in "
            f"too sharply, for simulation.step_ms = {1e3 * step:g}: |A D| dt = {damped:.3g} must be at most "
            f"{STABLE:g} and |A K| dt^2 = {stiff:.3g} at most {STIFF:g}; raise slip_mm_s, soften the parts, "
            "or shorten the step"
        )


def _sections(interface: Interface) -> list[ORingSection | SnapSection]:
    """Return the parts of an interface in the order of their tables."""
    snaps = [s.fastener for s in interface.snaps for _ in s.edges]
    return [*(seal.o_ring for seal in interface.seals), *snaps]


def _derivatives(section: ORingSection | SnapSection) -> Iterator[Derivative]:
    """Yield a law's derivatives on its way in, where friction changes fastest: standing."""
    T, rest = np.eye(4), np.zeros(6)
    if isinstance(section, ORingSection):
        ring, reach = ORing(section), section.chamfer + 0.5 * section.section
        for T[2, 3] in np.linspace(reach, -section.length, LOOKS):
            yield ring.derivative(T, rest)
        return
    snap = SnapFastener(section)
    state, slow = snap.begin(), np.array([section.slip, 0.0, 0.0, 0.0, 0.0, 0.0])
    for T[0, 3] in np.linspace(-snap.front, section.counterpart, LOOKS):
        _, state = snap.step(state, T, slow)
        yield snap.derivative(state, T, rest)


def _mobility(model: mujoco.MjModel, data: mujoco.MjData, parts: Parts, i: int) -> Array:
    """Return what a part's motion in its counterpart answers to a load, counterpart's axes, shape (6, 6)."""
    a, b = int(parts.moving[i]), int(parts.counterpart[i])
    point = data.xpos[a] + data.xmat[a].reshape(3, 3) @ parts.p_moving[i]
    R = data.xmat[b].reshape(3, 3) @ parts.R_counterpart[i]
    own, other = np.zeros((6, model.nv)), np.zeros((6, model.nv))
    for J, body in ((own, a), (other, b)):
        mujoco.mj_jac(model, data, J[:3], J[3:], point, body)
    J, M = own - other, np.zeros((model.nv, model.nv))
    J[:3], J[3:] = R.T @ J[:3], R.T @ J[3:]
    mujoco.mj_makeM(model, data)
    mujoco.mj_fullM(model, data, M)
    return np.asarray(J @ np.linalg.solve(M, J.T), np.float64)


def _largest(A: Array) -> float:
    return float(np.abs(np.linalg.eigvals(A)).max())
