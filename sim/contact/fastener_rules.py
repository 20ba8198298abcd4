"""Rules between the keys of seals and latches: counts, where they sit, and friction that locks them."""

import numpy as np

from sim.contact.interface_schema import InterfaceSection, Seal, Snaps
from sim.mating.o_ring import ORing
from sim.mating.snap import SnapFastener

SPEED = 100.0  # times the slip speed: friction whole
MARGIN = 1.15  # times the friction with which a straight way must still let go: in a docking it is tilted
LOOKS = 400  # poses of a way in or out


def fastener_faults(key: str, section: InterfaceSection) -> list[str]:
    """Return why seals and latches of an interface cannot work."""
    faults = [fault for i, seal in enumerate(section.seal) for fault in _seal(f"{key}.seal[{i}]", seal)]
    for i, snaps in enumerate(section.snap):
        faults += _snaps(f"{key}.snap[{i}]", snaps)
    return faults


def _seal(key: str, seal: Seal) -> list[str]:
    ring = ORing(seal.o_ring)
    reach = seal.o_ring.chamfer + 0.5 * seal.o_ring.section
    T, twist = np.eye(4), np.zeros(6)
    twist[2] = -SPEED * seal.o_ring.slip
    phases = []
    for T[2, 3] in np.linspace(reach, -seal.o_ring.length, LOOKS):
        phases.append(ring.wrench(T, twist).phase)
    if "jammed" in phases:
        return [
            f"{key}.o_ring.mu = {seal.o_ring.mu:g}: friction on the chamfer holds the ring whatever pushes "
            "it; lower mu, squeeze the ring less or make chamfer_mm larger"
        ]
    if seal.depth > seal.o_ring.length:
        return [
            f"{key}.depth_mm = {1e3 * seal.depth:g} must be at most o_ring.length_mm = "
            f"{1e3 * seal.o_ring.length:g}, or the ring leaves its bore before the pins are seated"
        ]
    return []


def _snaps(key: str, snaps: Snaps) -> list[str]:
    if len(snaps.edges) != len(snaps.facing):
        return [
            f"{key}: {len(snaps.edges)} edges (edges_mm) but {len(snaps.facing)} directions (facing): give "
            "as many of one as of the other"
        ]
    if np.linalg.norm(snaps.facing, axis=1).min() < 1e-6:
        return [f"{key}.facing has a row without a direction: give x and y of the way to the hook's support"]
    law = SnapFastener(snaps.fastener)
    least = snaps.fastener.counterpart - float(law.numbers.hook[3, 0])
    if snaps.travel < least:
        return [
            f"{key}.travel_mm = {1e3 * snaps.travel:g} must be at least {1e3 * least:g}, where the hook's "
            "rear end passes the counterpart's rear edge, or the latch is not closed when the pins are seated"
        ]
    law = SnapFastener(snaps.fastener.model_copy(update={"mu": MARGIN * snaps.fastener.mu}))
    ways = np.linspace(-law.front - 1e-4, snaps.travel, LOOKS)
    for speed, way, what in ((1.0, ways, "entry"), (-1.0, ways[::-1], "exit")):
        if _held(law, way, speed * SPEED * snaps.fastener.slip):
            return [
                f"{key}.fastener.mu = {snaps.fastener.mu:g}: friction on the hook's {what} ramp holds it, or "
                f"nearly so, whatever pushes it, and no load of it is known; lower mu, hook.{what}_deg or "
                "hook.height_mm"
            ]
    return []


def _held(law: SnapFastener, way: np.ndarray, speed: float) -> bool:
    """Return whether friction holds the hook somewhere on a way at a speed."""
    state, T, twist = law.begin(), np.eye(4), np.zeros(6)
    twist[0] = speed
    for T[0, 3] in way:
        wrench, state = law.step(state, T, twist)
        if wrench.phase == "held":
            return True
    return False
