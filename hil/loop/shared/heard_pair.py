"""What two live runs of arms that share a motion came to, from what they say on their buses. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from drivers.emulation.port.touches import Touches
from drivers.fri.layout import SEQUENCE_MODULUS
from hil.common.arrays import Array, IntArray
from hil.common.errors import LinkError
from hil.configuration.shared_pair import Pair
from hil.loop.shared.flown_pair import FlownPair
from hil.messaging.messages import PortBlock, SimState, TruthBlock
from planner.base.moving_observer import continuous

CLOCK = 1e-9  # [s]


@dataclass
class HeardArm:
    """What one arm's run has said: how its mock-up really moved and what it felt, and its body's states."""

    truths: list[TruthBlock] = field(default_factory=list)
    ports: list[PortBlock] = field(default_factory=list)
    states: list[SimState] = field(default_factory=list)


def flown_pair(pair: Pair, heard: Sequence[HeardArm], ended: str) -> FlownPair:
    """Return the run of a pair, a row a cycle of both controllers; times by the clock of the runs.

    From where both object times are at full pace, to where one of them no longer is. A body's state between
    two of its simulation's is taken to go straight from one to the other.

    Args:
        pair: whose.
        heard: of the first arm and the second one, from before floating began.
        ended: why it ended before its time; empty if it did not.

    Raises:
        LinkError: they never floated together.
    """
    T = pair.arms[0].fri.sample_time
    cycles = [_cycles(arm.truths) for arm in heard]
    turns = round(float(cycles[0][0] - cycles[1][0]) / SEQUENCE_MODULUS)
    cycles[1] = cycles[1] + SEQUENCE_MODULUS * turns
    both, in_first, in_second = np.intersect1d(cycles[0], cycles[1], return_indices=True)
    sent = _joined(heard[0].truths, "stamps")[in_first, 0]
    # a packet leaves at its cycle's start, or later: the least late tells when all of them begin
    nominal = both * round(T / CLOCK)
    t_ns = nominal + (sent - nominal).min()
    states = [[s for s in arm.states if s.epoch > 0 and s.time_rate == 1.0] for arm in heard]
    afloat = np.zeros(len(t_ns), bool)
    if min(map(len, states)) > 1:
        afloat = (t_ns >= max(s[0].t_ns for s in states)) & (t_ns <= min(s[-1].t_ns for s in states))
    if not afloat.any():
        raise LinkError(f"share: both were held before they floated: {ended}")
    t_ns = t_ns[afloat]
    rows = [CLOCK * (t_ns - t_ns[0])[:, None]]
    for arm, of_arm, known in zip(heard, (in_first, in_second), states, strict=True):
        held = [_joined(arm.truths, name)[of_arm][afloat] for name in _POSE]
        rows += [*held, *_body(known, t_ns)]
    port = [
        np.concatenate([getattr(b, name) for b in heard[0].ports]) for name in ("wrench_world", "penetration")
    ]
    at = np.searchsorted(np.concatenate([b.stamps for b in heard[0].ports]), sent[afloat])
    at = np.minimum(at, len(port[0]) - 1)
    rows += [port[0][at], port[1][at][:, None]]
    touches = Touches()
    for t, wrench in zip(CLOCK * t_ns, port[0][at], strict=True):
        touches.add(float(t) - T, float(t), wrench)
    return FlownPair(pair, np.hstack(rows), tuple(touches.records), CLOCK * float(t_ns[0]), ended)


_POSE = "p_world_object", "quat_world_object", "twist_world_object"


def _cycles(truths: Sequence[TruthBlock]) -> IntArray:
    """Return the controller's cycles, counted on where the counter on the wire begins anew."""
    sequences = np.concatenate([block.sequences for block in truths])
    return np.asarray(np.unwrap(sequences, period=SEQUENCE_MODULUS), dtype=np.int64)


def _joined(blocks: Sequence[TruthBlock], name: str) -> Array:
    return np.concatenate([getattr(block, name) for block in blocks])


def _body(states: Sequence[SimState], t_ns: IntArray) -> tuple[Array, Array, Array, Array]:
    """Return a body's places, orientations, twists and object times at instants [ns]."""
    known = np.array([s.t_ns for s in states])
    k = np.clip(np.searchsorted(known, t_ns) - 1, 0, len(known) - 2)
    u = ((t_ns - known[k]) / (known[k + 1] - known[k]))[:, None]

    def between(values: Array) -> Array:
        return (1.0 - u) * values[k] + u * values[k + 1]

    quats = np.array([s.quat_world_object for s in states])
    quat = between(continuous(quats, quats[0]))
    return (
        between(np.array([s.p_world_object for s in states])),
        quat / np.linalg.norm(quat, axis=1, keepdims=True),
        between(np.array([s.twist_world_object for s in states])),
        between(np.array([[s.object_time] for s in states])),
    )
