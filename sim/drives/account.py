"""Where the energy of a driven arm went: what came in, what is stored, what became heat."""

from dataclasses import dataclass

import numpy as np
from numba import njit

from hil.common.arrays import YES, Array
from sim.chain.dynamics import energy, free_mass_matrix_at
from sim.chain.kinematics import body_poses
from sim.chain.serial_chain import SerialChain
from sim.drives.base import Base, turned_into
from sim.drives.drive import Drives
from sim.drives.end_stop import stop_energy
from sim.drives.rotors import spin_energy
from sim.drives.spring import torque_of
from sim.drives.state import States


@dataclass(frozen=True)
class EnergyAccount:
    """Energies since the beginning [J].

    Attributes:
        electric: into the motors' terminals.
        outside: work of the wrench at the tip.
        kinetic: of bodies and rotors, at present.
        potential: of the weight, at present.
        springs: in the gears and the end stops, at present.
        magnetic: in the windings, at present.
        copper: heat of the windings.
        friction: heat of dry and viscous friction, of brakes and of gears.
        damping: heat of the gears' dampers and of the end stops, and of windings that were opened.
        warmth: of the copper's heat what windings and housings hold, at present.
        begun: what was stored at the beginning.
    """

    electric: float
    outside: float
    kinetic: float
    potential: float
    springs: float
    magnetic: float
    copper: float
    friction: float
    damping: float
    warmth: float
    begun: float

    @property
    def stored(self) -> float:
        """All that can come back [J]."""
        return self.kinetic + self.potential + self.springs + self.magnetic

    @property
    def heat(self) -> float:
        """All that cannot [J]."""
        return self.copper + self.friction + self.damping

    @property
    def missing(self) -> float:
        """What came in less what is there [J]; 0 for a step of no length."""
        return self.electric + self.outside - (self.stored - self.begun) - self.heat

    @property
    def turned_over(self) -> float:
        """The size to measure `missing` by [J]: all that came in, that was stored or that became heat."""
        return max(
            abs(self.electric) + abs(self.outside), abs(self.stored - self.begun), self.heat, self.kinetic
        )


@njit(cache=True)
def _stored(
    chain: SerialChain,
    drives: Drives,
    states: States,
    base: Base,
    q: Array,
    dq: Array,
    gravity: Array,
    spins: Array,
) -> tuple[float, float, float, float, float]:
    n, motion, poses = q.shape[0], np.zeros(6 + q.shape[0]), body_poses(chain, q)
    own, M = np.empty(3), free_mass_matrix_at(chain, poses)
    turned_into(own, base.pose, gravity, YES)
    turned_into(motion[:3], base.pose, base.twist[:3], YES)
    motion[3:6], motion[6:] = base.twist[3:], dq
    kinetic = spin_energy(chain, poses, spins, dq, base.twist[3:].copy())
    for i in range(6 + n):
        for j in range(6 + n):
            kinetic += 0.5 * motion[i] * M[i, j] * motion[j]
    potential = energy(chain, q, dq, own)[1]
    for k in range(3):
        potential -= chain.masses.sum() * gravity[k] * base.pose[k, 3]
    springs, magnetic, warmth = 0.0, 0.0, 0.0
    for i in range(n):
        d, s = drives[i], states[i]
        if d.elastic != 0:
            kinetic += 0.5 * d.rotor_inertia * s.omega * s.omega
            springs += torque_of(d, s.theta / d.ratio - s.q)[1]
        springs += stop_energy(d, s.q)
        magnetic += 0.5 * d.inductance * s.current * s.current
        warmth += d.winding_capacity * s.winding + d.housing_capacity * s.housing
    return kinetic, potential, springs, magnetic, warmth


def account_of(
    chain: SerialChain,
    drives: Drives,
    states: States,
    base: Base,
    gravity: Array,
    spins: Array,
    begun: float | None,
) -> EnergyAccount:
    """Return the account of an arm; without what was stored at the beginning, that is the present.

    Args:
        chain: of the whole.
        drives: records (n,).
        states: records (n,).
        base: see there.
        gravity: in world axes [m/s2], shape (3,).
        spins: of the rotors beside what carries them [N m s], shape (n,); zeros: not looked at.
        begun: what was stored at the beginning [J].
    """
    q, dq = states["q"].copy(), states["dq"].copy()
    kinetic, potential, springs, magnetic, warmth = _stored(
        chain, drives, states, base, q, dq, gravity, spins
    )
    present = kinetic + potential + springs + magnetic
    return EnergyAccount(
        float(states["electric"].sum()),
        float(base.outside[0]),
        float(kinetic),
        float(potential),
        float(springs),
        float(magnetic),
        float(states["copper"].sum()),
        float(states["friction_heat"].sum()),
        float((states["damper_heat"] + states["core_heat"] + states["stop_heat"]).sum()),
        float(warmth),
        present if begun is None else begun,
    )
