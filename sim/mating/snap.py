"""A snap fastener: a compliant part whose load depends on where its hook rests, and so on the way it came."""

from dataclasses import dataclass, replace

import numpy as np

from hil.common.arrays import Array, IntArray
from sim.mating.snap_equilibrium import APART, Settled, SnapNumbers, settle, settle_at
from sim.mating.snap_schema import Beam, SnapSection, Torsion
from sim.mating.snap_stiffness import PHI_X, beam_strain
from sim.mating.wrench import Derivative, Wrench, derivative

MIRROR = np.diag([1.0, 1.0, -1.0])  # the lower half of a fastener is the upper one, seen from below


@dataclass(frozen=True)
class SnapState:
    """Where the hooks of all halves rest.

    Attributes:
        contacts: by half and side, shape (h, s), see `sim.mating.snap_equilibrium`.
        deformations: of the supports, shape (h, 6) [m, rad].
        forces: normal forces, shape (h, s) [N].
        points: where they act, in the counterpart, shape (h, s, 3) [m].
        held: where along x friction came to hold a hook [m], nan: it does not. There is no equilibrium then:
            the last one stands, and only the way back from there lets go.
        forth: whether it was held on its way along x (1) or against it (-1).
    """

    contacts: IntArray
    deformations: Array
    forces: Array
    points: Array
    held: float = np.nan
    forth: float = 1.0


def numbers_of(section: SnapSection) -> SnapNumbers:
    """Return a snap's numbers for the kernels."""
    K = section.support.K
    flexible = np.array([k for k in range(6) if K[k, k] > 0.0], dtype=np.int64)
    lever = section.support.lever if isinstance(section.support, Torsion) else 0.0
    half = 0.5 * section.hook.width
    sides = np.array([-half, half]) if PHI_X in flexible else np.zeros(1)
    hook = section.hook.corners(lever)
    whole = section.rule == "whole"
    size = section.hook.height
    arm = float(hook[0, 0])  # of a force at the hook's front about the support's turns
    force = size * max(K[k, k] / (1.0 if k < 3 else arm**2) for k in flexible)
    return SnapNumbers(
        K, flexible, hook, sides, section.counterpart, section.mu, section.slip, whole, size, force
    )


class SnapFastener:
    """The law of a snap fastener.

    The part's origin is the hook's frame at rest; it moves along x. The counterpart's face is z = 0, its
    front edge x = 0. Two halves mirror each other: their side forces cancel.
    """

    def __init__(self, section: SnapSection) -> None:
        """Take the numbers of a file's section."""
        self.section = section
        self.numbers = numbers_of(section)
        self.annular = section.support.type == "ring"

    @property
    def front(self) -> float:
        """How far the hook reaches beyond the part's origin [m]: it touches when the origin is so far off."""
        return float(self.numbers.hook[0, 0])

    def begin(self) -> SnapState:
        """Return the state of hooks that hang free."""
        h, s = self.section.halves, self.numbers.sides.size
        return SnapState(np.full((h, s), APART), np.zeros((h, 6)), np.zeros((h, s)), np.zeros((h, s, 3)))

    def step(self, state: SnapState, T: Array, twist: Array) -> tuple[Wrench, SnapState]:
        """Return the load at a pose that follows on a state, and the state there.

        Args:
            state: the last one.
            T: pose of the part in the counterpart, shape (4, 4).
            twist: of the part, shape (6,) [m/s, rad/s]; friction acts against it.

        Where without friction, too, no equilibrium is found, the phase is `lost`: the load is not made up,
        and the state stays.
        """
        if state.forth * (T[0, 3] - state.held) >= 0.0:
            return Wrench(np.zeros(6), "held"), state
        if not (np.isfinite(T).all() and np.isfinite(twist).all()):
            return Wrench(np.zeros(6), "lost"), state
        found = self._settled(self.numbers, state, T, twist)
        if not all(one.found for one in found):
            slippery = self._settled(self.numbers._replace(mu=0.0), state, T, twist)
            if not all(one.found for one in slippery):
                return Wrench(np.zeros(6), "lost"), state
            forth = 1.0 if twist[0] >= 0.0 else -1.0
            return Wrench(np.zeros(6), "held"), replace(state, held=float(T[0, 3]), forth=forth)
        then = SnapState(
            np.array([one.contacts for one in found]),
            np.array([one.deformation for one in found]),
            np.array([one.forces for one in found]),
            np.array([one.points @ (MIRROR if half else np.eye(3)) for half, one in enumerate(found)]),
        )
        return Wrench(self._load(found), self.phase(then)), then

    def wrench(self, T: Array, twist: Array) -> Wrench:
        """Return the load at a pose that is reached from free hooks at once."""
        return self.step(self.begin(), T, twist)[0]

    def derivative(self, state: SnapState, T: Array, twist: Array) -> Derivative:
        """Return the load's derivative with the contacts of a state kept; zero where the hook is held."""
        if state.forth * (T[0, 3] - state.held) >= 0.0:
            return Derivative(np.zeros((6, 6)), np.zeros((6, 6)))

        def load(pose: Array, speed: Array) -> Array:
            return self._load(
                [
                    settle_at(
                        self.numbers,
                        *_seen(pose, speed, half),
                        state.contacts[half],
                        state.deformations[half],
                    )
                    for half in range(self.section.halves)
                ]
            )

        return derivative(load, T, twist)

    def phase(self, state: SnapState) -> str:
        """Return the name of what touches at the first half: that of the side that is farther on its way."""
        edges = self.numbers.hook.shape[0] - 1
        names = [_name(int(contact), edges) for contact in state.contacts[0]]
        return max(names, key=lambda name: ORDER.index(name))

    def strain(self, state: SnapState) -> float:
        """Return the greatest strain in a beam that carries a hook; 0 for other supports."""
        support = self.section.support
        if not isinstance(support, Beam):
            return 0.0
        loads = [self.numbers.K @ d for d in state.deformations]
        heights, widths = (support.height_clamp, support.height_tip), (support.width_clamp, support.width_tip)
        return max(
            beam_strain(support.length, heights, widths, support.modulus, (load[2], load[4]))
            for load in loads
        )

    def _settled(self, numbers: SnapNumbers, state: SnapState, T: Array, twist: Array) -> list[Settled]:
        return [
            settle(numbers, *_seen(T, twist, half), state.contacts[half], state.deformations[half])
            for half in range(self.section.halves)
        ]

    def _load(self, found: list[Settled]) -> Array:
        total = np.zeros(6)
        for half, one in enumerate(found):
            total += _mirrored(one.load) if half else one.load
        return total * np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0]) if self.annular else total


ORDER = ("", "ramp1", "corner1", "corner2", "ramp2", "other")


def _name(contact: int, edges: int) -> str:
    """Return a contact's name: of the entry's ramp, the flat's corners, the exit's ramp."""
    if contact == APART:
        return ""
    if contact == 0:
        return "ramp1"
    if contact in (2 * edges + 1, 1):  # the corner itself, or the flat on the counterpart's front edge
        return "corner1"
    if contact in (2 * edges + 2, edges + 1):
        return "corner2"
    return "ramp2" if contact == 2 * edges - 1 else "other"


def _mirrored(vector: Array) -> Array:
    """Return a force and moment, or a twist, seen from below."""
    return vector * np.array([1.0, 1.0, -1.0, -1.0, -1.0, 1.0])


def _seen(T: Array, twist: Array, half: int) -> tuple[Array, Array]:
    """Return pose and twist as a half sees them."""
    if half == 0:
        return T, twist
    out = T.copy()
    out[:3, :3], out[:3, 3] = MIRROR @ T[:3, :3] @ MIRROR, MIRROR @ T[:3, 3]
    return out, _mirrored(twist)
