"""Stages of the chain, from stamps whose differences are known."""

import dataclasses

import numpy as np
import pytest

from hil.analysis.latency.recording import LatencyRecording, packet_numbers, truth_rows
from hil.analysis.latency.stages import measured_stages
from hil.messaging.messages import PlannerTimes, SimTimes, SliceTimes, TruthBlock
from tests.hil.analysis.latency.recordings import START_NS, blocks, cycle_block

T = 0.002
FIRST = 65_000  # the counter on the wire turns over within the recording
ROWS = 1500
US = 1000


def truth_block(numbers, sent_ns, round_trip_ns=400 * US):
    """The emulation's rows for these packets; a round trip of 0 means no answer in time."""
    n = len(numbers)
    answered = np.where(np.broadcast_to(round_trip_ns, n) > 0, sent_ns + round_trip_ns, 0)
    quat = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1))
    stamps = np.column_stack([sent_ns, answered])
    zeros = np.zeros((n, 6))
    return TruthBlock(
        0, numbers % 65536, stamps, np.zeros((n, 7)), np.zeros((n, 3)), quat, zeros, zeros, 0, ""
    )


def ring_messages():
    """Two pushes. The first's slice is revised; its first prediction is never planned.

    Times in us after START: reported (sample, published), heard, corrected, predicted (number),
    planner heard and sent, first command sent.
    """
    ns = lambda *us: np.array([START_NS + t * US for t in us], np.int64)  # noqa: E731
    keys = np.array([[1, 0, 0], [1, 0, 1], [2, 0, 0]])
    slice_stamps = np.array([ns(0, 500), ns(2000, 2600), ns(900_000, 900_700)])
    plans, plan_stamps = np.array([11, 12, 30]), ns(8000, 12_000, 906_000)
    slices = SliceTimes(0, keys, slice_stamps, plans, plan_stamps)
    sim = SimTimes(
        0, keys, np.array([ns(900, 1400, 1600), ns(2900, 3300, 0), ns(901_700, 902_000, 902_250)]),
        np.array([10, -1, 29]),
    )  # fmt: skip
    also = SimTimes(
        0, np.array([[1, 0, 2]]), np.array([ns(3400, 3500, 3700)]), np.array([11])
    )  # a later revision whose prediction is the next to go out
    first = SimTimes(0, sim.slices[:2], sim.stamps[:2], sim.predictions[:2])
    last = SimTimes(0, sim.slices[2:], sim.stamps[2:], sim.predictions[2:])
    planner = PlannerTimes(
        0, np.array([11, 12, 29, 30]), np.array([ns(3900, 5900), ns(8000, 9900), ns(902_500, 904_000),
                                                   ns(904_500, 905_400)])
    )  # fmt: skip
    return [slices], [first, also, last], [planner]


def recording(cube, truth=True, missing=(), **more):
    """1500 cycles across the counter's turn; the driver wakes 300 us after each packet."""
    numbers = np.arange(FIRST, FIRST + ROWS)
    kept = np.setdiff1d(np.arange(ROWS), missing)
    block = cycle_block(numbers[kept], T, np.zeros((len(kept), 7)), np.zeros((len(kept), 7)))
    sent = START_NS + np.round(numbers * T * 1e9).astype(np.int64) + 40 * US
    told = blocks(truth_block(numbers, sent)) if truth else None
    slices, sim, planner = ring_messages()
    return LatencyRecording.from_messages(cube, blocks(block), slices, sim, planner, told, **more)


def test_a_cycle_is_measured_from_its_own_packet_across_the_turn_of_the_counter(cube):
    """Packets leave 40 us late; wake-up at 300, judged 360, decided 480, sent 500 us after the sample."""
    found = measured_stages(recording(cube))
    wanted = {
        "robot_to_driver": 0.27,
        "filter_and_detect": 0.05,
        "command_decided": 0.12,
        "command_sent": 0.02,
    }
    for name, value in wanted.items():
        assert len(found.stages[name]) == ROWS
        assert found.stages[name] == pytest.approx(value, abs=1e-6)
    assert found.own_share == pytest.approx(0.46, abs=1e-6)
    assert found.round_trip == pytest.approx(0.4, abs=1e-6)
    assert found.wake_up == pytest.approx(260.0) and found.compute == pytest.approx(190.0)
    assert found.slack == pytest.approx(1500.0, abs=0.01)
    assert (found.packets, found.answered, found.lost, found.overtaken) == (ROWS, ROWS, 0, 0)


def test_the_ring_is_followed_by_keys_and_numbers(cube):
    """Each stage is the difference of its stamps; a revision counts until a plan that contains it."""
    found = measured_stages(recording(cube))
    assert sorted(found.stages["impulse_to_sim"]) == pytest.approx([0.4, 1.0])  # first slices only
    assert found.stages["world_corrected"] == pytest.approx([0.5, 0.4, 0.1, 0.3])
    assert found.stages["prediction_out"] == pytest.approx([0.2, 0.2, 0.25])
    assert found.stages["plan_out"] == pytest.approx([2.2, 1.75])  # 10 was overtaken by 11
    assert found.stages["plan_in_effect"] == pytest.approx([2.1, 2.1, 0.6])
    # 10 was not planned: the first plan with slice (1, 0, 0) is 11; that also has the revision whose own
    # prediction did not go out; the second push's 29 was replaced by 30 before it came into effect
    assert found.ring == pytest.approx([8.0, 6.0, 6.0])


def test_a_revision_whose_session_ended_is_in_no_ring(cube):
    """The robot left command mode 5 ms after the touch: the first push's plan came too late for it."""
    idle = cycle_block(np.array([0]), T, np.zeros((1, 7)), np.zeros((1, 7)), flags=0)
    idle = dataclasses.replace(idle, stamps=idle.stamps + 5_000 * US)
    told = recording(cube)
    joined = {
        name: np.concatenate([getattr(idle, name), getattr(told.cycles, name)])
        for name in ("stamps", "counts", "q_command", "q_measured", "wrench_object")
    }
    found = measured_stages(dataclasses.replace(told, cycles=dataclasses.replace(told.cycles, **joined)))
    assert found.ring == pytest.approx([6.0])


def test_lost_and_overtaken_packets_are_counted_apart(cube):
    """Three rows are missing of which the robot's count says one was lost: two were overtaken."""
    made = recording(cube, missing=(700, 701, 900))
    made.cycles.counts[:, 2] = np.where(np.arange(ROWS - 3) >= 898, 1, 0)
    made.cycles.counts[1000:, 3] = 4
    found = measured_stages(made)
    assert (found.lost, found.overtaken, found.missed) == (1, 2, 4)
    assert found.packets == ROWS and found.answered == ROWS - 3
    assert found.own_share == pytest.approx(0.46, abs=1e-6)


def test_an_answer_that_was_not_in_time_has_no_round_trip(cube):
    """The emulated robot tells 0 for it."""
    made = recording(cube)
    made.truth.stamps[10:15, 1] = 0
    assert len(measured_stages(made).round_trip) == ROWS - 5


def test_a_real_arm_counts_from_the_smooth_stamp_and_says_so(cube):
    """Its clock is not ours: own share counts from the sample's stamp, and there is no round trip."""
    found = measured_stages(recording(cube, truth=False))
    assert found.own_share == pytest.approx(0.5, abs=1e-6) and not len(found.round_trip)
    assert any("its clock is not ours" in reason for reason in found.not_measured)


def test_clocks_are_never_mixed(cube):
    """With the simulation elsewhere and its clock unknown, ways between the machines are left out."""
    found = measured_stages(recording(cube, remote_uncertainty=np.inf))
    assert not len(found.stages["impulse_to_sim"]) and not len(found.stages["plan_in_effect"])
    assert len(found.stages["world_corrected"]) and len(found.ring) == 3  # both ends on one clock
    assert any("two machines" in reason for reason in found.not_measured)


def test_a_lost_block_is_told(cube):
    """A block of cycles, or of truth, that did not come is a doubt of the recording; a hole within is not."""
    whole = recording(cube)
    assert whole.doubts == ()
    slices, sim, planner = ring_messages()
    holed = LatencyRecording.from_messages(
        cube, [b for i, b in enumerate(blocks(whole.cycles)) if i != 7], slices, sim, planner,
        [b for i, b in enumerate(blocks(whole.truth)) if i not in (9, 10)], lost={"cycles": 1, "truth": 0},
    )  # fmt: skip
    assert [doubt[:10] for doubt in holed.doubts] == ["1 messages", "50 cycles ", "100 cycles"]
    assert np.sum(truth_rows(holed) < 0) == 100
    assert recording(cube, missing=(700, 701, 702)).doubts == ()


def test_counters_are_unwrapped_through_long_silence():
    """A hole of 300 s (twice around the counter) is bridged by the clock."""
    true = np.concatenate([np.arange(100, 200), np.arange(150_200, 150_300)])
    stamps = START_NS + np.round(true * T * 1e9).astype(np.int64)
    assert np.array_equal(packet_numbers(true % 65536, stamps, T), true)


def test_a_recording_of_nothing_measures_nothing(cube):
    """No messages: every distribution is empty, and nothing raises."""
    found = measured_stages(LatencyRecording.from_messages(cube, [], [], [], [], []))
    assert not len(found.own_share) and not len(found.ring) and found.packets == 0
