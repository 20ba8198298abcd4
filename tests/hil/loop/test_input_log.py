"""What cores consumed, by blocks: nothing twice, nothing left out, each row with its order and its plan."""

import dataclasses

import numpy as np

from drivers.fri.session import NONE_HEARD, FriSample
from hil.loop.echo_bits import KEPT, EchoBits, whole_echoes
from hil.loop.input_log import BLOCK_TIME, MOST_ROWS, DriverInputLog, SimTurnLog
from hil.loop.judging.state_machine import Machine
from hil.messaging.messages import (
    INPUT_ANSWERED,
    INPUT_COMMANDING,
    INPUT_GAP,
    INPUT_MIRRORED,
    INPUT_NEW_SESSION,
    INPUT_POWER,
    ImpulseSlice,
)
from tests.hil.loop.test_live_slices import PLAN

MS = 1_000_000
DT = 0.002


def sample(k: int, commanding: bool = True, new_session: bool = False) -> FriSample:
    """The k-th packet."""
    return FriSample(
        t_ns=(1 + 2 * k) * MS, arrival_ns=(2 + 2 * k) * MS, count=k,
        q_measured=np.full(7, k), q_commanded=np.full(7, -k),
        wrench=np.zeros(6), torque_external=np.zeros(7), state=2, quality=3, power_on=True,
        commanding=commanding, new_session=new_session, late=False, lost=0, missed_answers=0, sequence=k,
        gap=k == 3,
        heard=k - 1, warning=k % 2,
    )  # fmt: skip


def answer(k: int) -> np.ndarray:
    """The command that answers the k-th packet; the next one's echo."""
    return np.full(7, -k - 1.0)


def test_the_answered_packet_carries_the_order_and_the_plan() -> None:
    """Of packets taken at one go only the last is answered; order and plan are those that held then."""
    log, mode = DriverInputLog(DT, 5), Machine().mode(77)
    log.add([sample(0, commanding=False)], answer(0), None, None)
    log.add([sample(1, new_session=True)], answer(1), mode, None)
    log.add([sample(2), sample(3)], answer(3), mode, dataclasses.replace(PLAN, t_ns=55))
    block = log.rest()
    assert block is not None and log.rest() is None
    assert block.rows[:, 1].tolist() == [0, 1, 2, 3] and block.t_ns == sample(3).t_ns
    assert block.rows[:, 3].tolist() == [
        INPUT_POWER | INPUT_MIRRORED | INPUT_ANSWERED,
        INPUT_COMMANDING | INPUT_NEW_SESSION | INPUT_POWER | INPUT_MIRRORED | INPUT_ANSWERED,
        INPUT_COMMANDING | INPUT_POWER,
        INPUT_COMMANDING | INPUT_POWER | INPUT_GAP | INPUT_ANSWERED,
    ]
    assert block.arrival_stamps.tolist() == [2 * MS, 4 * MS, 6 * MS, 8 * MS]
    assert block.rows[:, 4].tolist() == [0, 77, 0, 77]
    assert block.rows[:, 5].tolist() == [0, 0, 0, 55]
    told = [whole_echoes(block.echoes)[row, 0] for row in (0, 1, 3)]  # mirrored twice; after a packet missed
    assert told == [0.0, -1.0, -3.0] and not block.echoes[2].any()
    np.testing.assert_array_equal(block.controller, [[0x7F, 1, 0, k % 2, (0, 1, 1, 1)[k]] for k in range(4)])
    np.testing.assert_array_equal(block.values[:, 0], [0.0, 1.0, 2.0, 3.0])


def test_an_echo_is_told_to_the_bit() -> None:
    """Whatever the controller commands, heard or not, near the answer or far: what is read is what it was."""
    rng, writes, reads = np.random.default_rng(4), EchoBits(), EchoBits()
    for k in range(3 * KEPT):
        q = rng.normal(size=7)
        far = rng.random() < 0.2
        heard = int(rng.choice([k - 1, k - 3, k - KEPT, k - KEPT - 1, NONE_HEARD]))
        echo = (rng.normal(size=7) if far else q).astype(np.float32).astype(np.float64)
        said = dataclasses.replace(sample(k), q_commanded=echo, heard=heard)
        mirrored = bool(rng.random() < 0.1)
        difference = writes.difference(said, mirrored)
        np.testing.assert_array_equal(reads.echo(difference, heard, mirrored), echo)
        if mirrored or not k - KEPT <= heard < k:  # no answer is known: the echo stands there whole
            np.testing.assert_array_equal(whole_echoes(difference[None])[0], echo)
        for side in (writes, reads):
            side.sent(k, q)


def test_blocks_follow_each_other_without_hole() -> None:
    """Each says how many samples came before it; a heap too large leaves its oldest out, and says so."""
    log, start, seen = DriverInputLog(DT, 5), 0, 0
    for k in range(200):
        block = log.add([sample(k)], answer(k), None, None)
        if block is not None:
            assert block.start == start and block.rows[0, 1] == start
            start, seen = start + len(block.rows), seen + 1
    assert seen >= 3
    rest = log.rest()
    start += 0 if rest is None else len(rest.rows)
    heap = [sample(200 + k) for k in range(MOST_ROWS + 7)]
    block = log.add(heap, answer(200 + len(heap) - 1), None, None)
    assert block is not None and block.start == start + 7 and len(block.rows) == MOST_ROWS


def test_turns_of_the_simulation_name_their_slices_once() -> None:
    """Two blocks: turns are counted on, and each slice stands in the block of its own turn."""
    log = SimTurnLog(5)
    blocks = []
    for k in range(120):
        item = ImpulseSlice(k * MS, k, 1, 2, False, False, False, False, 0, 1, 1, np.ones(6), np.zeros(6))
        block = log.add(k * 5 * MS, None, None, [item] if k % 2 else [], 3, None)
        blocks += [block] if block is not None else []
    assert len(blocks) >= 2
    assert blocks[0].rows[-1, 0] - blocks[0].rows[0, 0] >= 1e9 * BLOCK_TIME
    turns, named = 0, []
    for block in blocks:
        assert block.start == turns and block.rows[:, 4].sum() == len(block.slices)
        turns += len(block.rows)
        named += block.slices[:, 0].tolist()
    assert named == [k for k in range(turns) if k % 2]
    assert blocks[0].slices[0].tolist() == [1, 1, 2, MS]
