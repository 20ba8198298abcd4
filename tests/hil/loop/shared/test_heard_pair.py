"""What two live runs say on their buses, put together."""

from dataclasses import replace

import numpy as np
import pytest

from hil.common.errors import LinkError
from hil.loop.shared.flown_pair import relative_error
from hil.loop.shared.heard_pair import HeardArm, flown_pair
from hil.messaging.messages import PortBlock, SimState, TruthBlock
from sim.world.flight.free import NO_DOCKING, NOWHERE
from tests.hil.loop.shared.test_shared_planner import PAIR

T_NS, T_0 = 2_000_000, 10**12  # a cycle, and the first cycle's begin
NONE = np.zeros((0, 6))
STILL = np.array([1.0, 0.0, 0.0, 0.0])


def state(t_ns: int, x: float, epoch: int = 1, rate: float = 1.0) -> SimState:
    """A body at x with 0.1 m/s."""
    twist = np.array([0.1, 0.0, 0.0, 0.0, 0.0, 0.0])
    return SimState(
        t_ns, epoch, 1e-9 * (t_ns - T_0), rate, np.array([x, 0.0, 0.0]), STILL, twist, False, 0.0,
        np.zeros((0, 3), np.int64), NONE, 0.0, np.zeros((0, 7), np.float32), NOWHERE, False, *NO_DOCKING,
    )  # fmt: skip


def heard(index: int, first: int, late_ns: np.ndarray) -> HeardArm:
    """An arm whose cycles, counted from `first`, are sent so late; it shows its body by 3 mm off along z."""
    cycles = np.arange(first, first + len(late_ns))
    starts = T_0 + T_NS * (cycles - 65_500)
    x = index + 0.1e-9 * (starts - T_0)
    n = len(cycles)
    p = np.stack((x, np.zeros(n), np.full(n, 0.003 * index)), axis=1)
    truths, ports = [], []
    for part in np.array_split(np.arange(n), 7):
        stamps = np.stack((starts + late_ns, starts), axis=1)[part]
        twist = np.tile([0.1, 0.0, 0.0, 0.0, 0.0, 0.0], (len(part), 1))
        truths.append(
            TruthBlock(
                int(stamps[-1, 0]),
                cycles[part] % 65_536,
                stamps,
                np.zeros((len(part), 7)),
                p[part],
                np.tile(STILL, (len(part), 1)),
                twist,
                0.0 * twist,
                0,
                "",
            )
        )
        pressed = (cycles[part] >= 65_560) & (cycles[part] < 65_580)
        wrench = np.zeros((len(part), 6))
        wrench[:, 0] = -4.0 * pressed
        ports.append(
            PortBlock(
                int(stamps[-1, 0]),
                cycles[part] % 65_536,
                stamps[:, 0],
                wrench,
                1e-3 * pressed,
                *(np.zeros((len(part), 3)) for _ in range(3)),
                wrench,
            )
        )
    # every third cycle, at instants of its own
    turns = starts[::3] + 700_000 * index
    states = [state(int(t), index + 0.1e-9 * (t - T_0)) for t in turns.tolist()]
    before = [state(T_0 - 10**9, 0.0, epoch=0), state(T_0 - 10**8, 0.0, rate=0.0)]
    return HeardArm(truths, ports, [*before, *states])


def test_rows_are_cycles_of_both_controllers_by_the_time_of_their_begin() -> None:
    """The counter on the wire begins anew, one arm is heard from later on, and packets leave late: each row
    is one cycle of both, the bodies where they were at its begin, the noses' force and touch beside."""
    rng = np.random.default_rng(3)
    arms = [
        heard(0, 65_500, rng.integers(30_000, 4_000_000, 150)), heard(1, 65_507, rng.integers(0, 10, 150)),
    ]  # fmt: skip
    run = flown_pair(PAIR, arms, "held")
    assert run.ended == "held"
    assert np.allclose(np.diff(run.t), 2e-3, atol=1e-12) and len(run.t) > 130
    off, turned = relative_error(run)
    assert off == pytest.approx(np.full(len(off), 0.003), abs=2e-9) and turned.max() == 0.0
    assert run.body(1).p[:, 0] - run.body(0).p[:, 0] == pytest.approx(1.0, abs=1e-9)
    assert run.clocks_apart == pytest.approx(0.0, abs=1e-9)
    (touch,) = run.touches
    assert touch.impulse_world[0] == pytest.approx(-4.0 * 20 * 2e-3)
    assert touch.peak_world[0] == -4.0
    began = 65_560 - 65_500
    assert touch.t_start - run.began == pytest.approx(2e-3 * (began - 1) - (run.began - 1e-9 * T_0), abs=4e-5)


def test_what_never_floated_together_is_told_with_its_reason() -> None:
    """One arm's object time never ran."""
    arms = [heard(0, 65_500, np.zeros(150, np.int64)), heard(1, 65_500, np.zeros(150, np.int64))]
    arms[1].states = [replace(known, time_rate=0.0) for known in arms[1].states]
    with pytest.raises(LinkError, match="both were held before they floated: HOLDING: why"):
        flown_pair(PAIR, arms, "HOLDING: why")
