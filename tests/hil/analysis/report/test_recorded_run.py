"""A recording gives the trace that the same run gives, but for how finely the true force is known."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest
from mcap.reader import NonSeekingReader, make_reader
from mcap.writer import Writer

from hil.analysis.figures import figures
from hil.analysis.figures.impulses import impulse_figures
from hil.analysis.latency.motion import Motion
from hil.analysis.recorded.push import RecordedPushes
from hil.analysis.recorded.run import load_run
from hil.commands.figures_table import flattened
from hil.common.errors import RecordingError
from hil.loop.trace.fields import COLUMNS
from hil.recording.repair import repair

# of the pushes of the run: peak force [N], duration [s], point [m]; see conftest
PUSHES = (((25.0, 10.0, 0.0), 0.06, (0.0, 0.03, 0.0)), ((-10.0, 20.0, 5.0), 0.04, (0.0, 0.0, 0.02)))
APART = 1.413 - 0.5  # [s]
FROM_FORCE = (
    "error",
    "overshoot",
    "reaction",
    "coasting.energy",
)  # in the keys of figures that rest on the true force
SAME = (
    "q_command", "commanded", "p_world_object_sim", "quat_world_object_sim", "twist_world_object_sim", "rate",
    "epoch", "state", "contact_sim",
)  # fmt: skip
SINGLE = ("q_measured", "p_world_object_arm", "quat_world_object_arm", "wrench_measured", "wrench_true")
ROUNDING = 1e-3  # [mm], [deg], [mm/s2]; the arm's place is recorded in single precision: 3e-8 m


def thinned(
    path: Path, target: Path, channel: str, keep: int, change=lambda data: data, end_ns: float = math.inf
) -> Path:
    """Copy a recording up to `end_ns` with one message of `keep` on a channel, changed; none for 0."""
    with open(path, "rb") as source, open(target, "wb") as out:
        writer = Writer(out)
        writer.start()
        schemas, channels, count = {}, {}, 0
        reader = NonSeekingReader(source)
        for schema, told, message in reader.iter_messages(log_time_order=False):
            if schema.id not in schemas:
                schemas[schema.id] = writer.register_schema(schema.name, schema.encoding, schema.data)
            if told.id not in channels:
                channels[told.id] = writer.register_channel(told.topic, "protobuf", schemas[schema.id])
            if told.topic == channel:
                count += 1
                if keep == 0 or count % keep:
                    continue
            if message.log_time > end_ns:
                continue
            data = change(message.data) if told.topic == channel else message.data
            writer.add_message(
                channels[told.id], message.log_time, data, message.publish_time, message.sequence
            )
        source.seek(0)
        for record in NonSeekingReader(source).iter_metadata():
            writer.add_metadata(record.name, record.metadata)
        writer.finish()
    return target


def agree(found, expected, relative: float) -> None:
    """Figures of two traces are the same; those that rest on the true force to a share."""
    a, b = dict(flattened(found)), dict(flattened(expected))
    assert a.keys() == b.keys()
    for key in a.keys() - {"virtual_time_s", "wall_time_s"}:
        if a[key] is None or b[key] is None:
            assert a[key] is b[key], key
        else:
            share = relative if any(word in key for word in FROM_FORCE) else 1e-9
            rounding = ROUNDING if key.endswith(("_mm", "_deg", "_mm_s2")) else 1e-12
            assert a[key] == pytest.approx(b[key], rel=share, abs=rounding), key


def test_the_recordings_rows_are_the_traces(both) -> None:
    """To the bit they are recorded with, but for the last block of cycles, which a run does not fill."""
    n = len(both.recorded.trace.t)
    assert len(both.trace.t) - 50 <= n <= len(both.trace.t)
    np.testing.assert_allclose(both.recorded.trace.t, both.trace.t[:n], atol=1e-12)
    for name in SAME:
        np.testing.assert_array_equal(
            getattr(both.recorded.trace, name), getattr(both.trace, name)[:n], err_msg=name
        )
    for name in SINGLE:
        recorded, traced = getattr(both.recorded.trace, name), getattr(both.trace, name)[:n]
        np.testing.assert_array_equal(recorded, traced.astype(np.float32), err_msg=name)
    assert both.recorded.trace.contact_sim.any() and not both.recorded.live
    assert both.recorded.missing == {}
    for name in ("impulse_id", "impulse_value", "slice_t", "push_value"):
        np.testing.assert_allclose(
            getattr(both.recorded.trace, name), getattr(both.trace, name), atol=1e-4, err_msg=name
        )


def test_the_recordings_figures_are_the_traces(both) -> None:
    """Those that rest on the true force, which is known once a cycle only, to 1 % of their value."""
    n = len(both.recorded.trace.t)
    rows = {name: getattr(both.trace, name)[:n] for name in COLUMNS if COLUMNS[name].shape.startswith("n")}
    agree(figures(both.recorded.trace), figures(dataclasses.replace(both.trace, **rows)), 0.01)


def test_true_pushes_are_the_scripted_ones(both) -> None:
    """A half-sine of peak F and duration D is 2 F D / pi; begins and ends are found between the samples."""
    trace = both.recorded.trace
    np.testing.assert_allclose(trace.push_t_end - trace.push_t_start, [d for _, d, _ in PUSHES], atol=1e-4)
    assert trace.push_t_start[1] - trace.push_t_start[0] == pytest.approx(APART, abs=1e-4)
    for value, (force, duration, _) in zip(trace.push_value, PUSHES, strict=True):
        expected = 2.0 / math.pi * duration * np.array(force)
        np.testing.assert_allclose(value[:3], expected, atol=2e-4 * np.linalg.norm(expected))


@pytest.mark.parametrize("offset", [0.0, 0.1, 0.5, 0.8])
def test_a_sampled_half_sine_is_known_between_its_samples(offset) -> None:
    """Wherever it begins between two samples: its impulse to 5e-4, the force to 0.6 % of its peak."""
    dt, duration = 0.002, 0.03
    start = 0.1 + offset * dt

    def force(t):
        u = (t - start) / duration
        return np.where((u > 0.0) & (u < 1.0), np.sin(np.pi * u), 0.0)

    t = np.arange(200) * dt
    wrench = force(t)[:, None] * np.array([1.0, 0.0, 2.0, 0.0, 0.3, 0.0])
    motion = Motion(
        True, t, np.zeros(200), np.zeros((200, 3)), np.zeros((200, 4)), np.zeros((200, 6)), wrench
    )
    pushes = RecordedPushes(motion)
    (push,) = pushes.times
    assert not pushes.endless
    assert push.start == pytest.approx(start, abs=1e-4)
    np.testing.assert_allclose(pushes.impulses[0, 2], 2.0 * 2.0 / np.pi * duration, rtol=5e-4)
    parts = pushes.at_parts(t)
    assert parts.shape == (200, 4, 6)
    instants = t[1:, None] - dt + dt * np.arange(1, 5) / 4
    np.testing.assert_allclose(parts[1:, :, 0], force(instants), atol=0.006)


def test_states_of_the_simulation_that_come_seldom_are_brought_to_the_cycle(both, tmp_path) -> None:
    """With one state in five, as live, the believed motion is the same between two that come in time."""
    thin = load_run(thinned(both.path, tmp_path / "thin.mcap", "/sim_state", 5))
    n = len(thin.trace.t)
    first = int(np.searchsorted(both.trace.t, thin.trace.t[0] - 1e-9))
    rows = slice(first, first + n)
    # within 8 ms after a slice was reported the newest state may not know of it yet
    newest = np.searchsorted(both.trace.slice_t, thin.trace.t, side="right") - 1
    since = thin.trace.t - np.concatenate([both.trace.slice_t, [-np.inf]])[newest]
    quiet = (since > 0.02) & (thin.trace.rate == 1.0)
    assert quiet.mean() > 0.5
    p = both.trace.p_world_object_sim[rows]
    np.testing.assert_allclose(thin.trace.p_world_object_sim[quiet], p[quiet], atol=1e-6)
    drifts = ("energy_drift", "tracking.bounce_max_mm")
    found, expected = (dict(flattened(figures(trace))) for trace in (thin.trace, both.trace))
    assert expected["energy_drift"] is not None
    for key in drifts:
        assert found[key] == pytest.approx(expected[key], rel=0.05, abs=1e-5), key


def test_a_push_that_the_end_cuts_off_is_none_and_neither_is_what_was_found_of_it(both, tmp_path) -> None:
    """Its true impulse is not known whole: it is neither missed, nor is its impulse a false one."""
    start = both.trace.push_t_start[1]
    cut = load_run(thinned(both.path, tmp_path / "cut.mcap", "", 1, end_ns=1e9 * (start + 0.03))).trace
    assert len(cut.push_t_start) == 1 and len(cut.impulse_id) == 2
    assert cut.t[-1] > start + 0.02
    assert cut.cut_from == pytest.approx(start, abs=0.002)
    found = impulse_figures(cut)
    assert (found["true"], found["missed"], found["false"]) == (1, 0, 0)


def test_a_recording_ends_with_the_run(both) -> None:
    """The driver's cycles and the emulator's truth reach to the last row, whatever does not fill a block."""
    assert both.recorded.trace.t[-1] == pytest.approx(both.trace.t[-1], abs=1e-9)
    assert len(both.recorded.trace.t) == len(both.trace.t)
    assert len(both.trace.t) % 25, "the run must not end with a block by chance"
    assert both.recorded.trace.cut_from == pytest.approx(both.trace.cut_from, abs=1e-9)


def test_edges_of_contacts_count_as_contact_where_states_come_seldom(both, tmp_path) -> None:
    """States as a live run has them, 10 ms apart: angular momentum drifts no more than with all of them."""
    thin = load_run(thinned(both.path, tmp_path / "thin.mcap", "/sim_state", 5)).trace
    first = int(np.searchsorted(both.trace.t, thin.t[0] - 1e-9))
    missed = both.trace.contact_sim[first : first + len(thin.t)] & ~thin.contact_sim
    assert thin.contact_sim.any() and missed.sum() <= 1
    assert figures(thin)["momentum_drift"] < 1e-6


@pytest.mark.parametrize(
    ("channel", "key", "words"),
    [
        ("/truth", "force", "no truth of the emulated arm"),
        ("/sim_state", "simulation", "no states of the simulation"),
        ("/cycle", "cycles", "no cycles"),
        ("/plan", "plans", "no plans"),
    ],
)
def test_what_a_recording_lacks_is_said(both, tmp_path, channel, key, words) -> None:
    """A channel that is not there is named; what does not need it is there all the same."""
    run = load_run(thinned(both.path, tmp_path / "less.mcap", channel, 0))
    assert words in run.missing[key]
    assert (len(run.trace.t) > 0) == (channel in ("/truth", "/plan"))
    if channel == "/truth":
        assert not len(run.trace.push_value) and len(run.trace.impulse_value) == 2
        n = len(run.trace.t)
        gap = np.linalg.norm(run.trace.p_world_object_arm - both.trace.p_world_object_arm[:n], axis=1)
        assert gap.max() < 1e-4, "the measured joints place it"


def test_a_broken_recording_is_read_as_far_as_it_goes(both, tmp_path) -> None:
    """A cut file gives a beginning of the whole trace and says so; a foreign one is refused."""
    cut = tmp_path / "cut.mcap"
    data = both.path.read_bytes()
    cut.write_bytes(data[: len(data) * 6 // 10])
    run = load_run(cut)
    n = len(run.trace.t)
    assert "broken off" in run.missing["end"] and "rows" not in run.missing
    assert 0 < n < len(both.recorded.trace.t)
    np.testing.assert_array_equal(run.trace.q_command, both.trace.q_command[:n])
    cut.write_bytes(b"nothing of the kind")
    with pytest.raises(RecordingError, match="no recording"):
        load_run(cut)


def test_time_counts_by_the_robots_clock(both, tmp_path) -> None:
    """Stamps that follow the packets' arrival by some 10 us leave times even and commands within limits."""
    from hil.analysis.recorded.motion import robot_clock
    from hil.recording.protobuf import coder_of
    from hil.recording.rows import Cycle

    rng, coder = np.random.default_rng(5), coder_of(Cycle)

    def late(data: bytes) -> bytes:
        cycle = coder.decode(data)
        return coder.encode(dataclasses.replace(cycle, t_ns=cycle.t_ns + int(rng.integers(0, 20_000))))

    changed = thinned(both.path, tmp_path / "late.mcap", "/cycle", 1, late)
    run = load_run(changed)
    np.testing.assert_allclose(np.diff(run.trace.t), 0.002, atol=1e-9)
    assert figures(run.trace)["limits"]["violations"] == 0
    uneven = dataclasses.replace(run.trace, t=run.latency.cycles.stamps[-len(run.trace.t) :, 0] * 1e-9)
    assert figures(uneven)["limits"]["violations"] > 0, "otherwise this test proves nothing"
    t_ns, counts = np.array([5, 2_000_010, 8_000_002, 9_000_000, 11_000_007]), np.array([7, 8, 11, 0, 1])
    assert robot_clock(t_ns, counts, 0.002).tolist() == [5, 2_000_005, 8_000_005, 9_000_003, 11_000_003]


def test_no_figure_spans_a_hole(both, tmp_path) -> None:
    """Without a chunk in the middle the longest stretch is judged, as in the whole run, and that is said."""
    data = bytearray(both.path.read_bytes())
    with open(both.path, "rb") as file:
        chunks = make_reader(file).get_summary().chunk_indexes
    middle = chunks[len(chunks) // 2]
    data[middle.chunk_start_offset + middle.chunk_length // 2] ^= 1
    holed = tmp_path / "holed.mcap"
    holed.write_bytes(data)
    mended = tmp_path / "mended.mcap"
    repair(holed, mended)
    assert "longest stretch" in load_run(mended).missing["holes"], "nor does one in its repaired copy"
    run = load_run(holed)
    assert "longest stretch" in run.missing["holes"] and "1 damaged chunks" in run.missing["chunks"]
    t, whole = run.trace.t, both.recorded.trace
    assert 0.5 < t[-1] - t[0] < whole.t[-1] - whole.t[0] - 0.3 and np.diff(t).max() < 0.01
    rows = np.searchsorted(whole.t, t - 1e-6)
    np.testing.assert_array_equal(run.trace.q_command, whole.q_command[rows])
    found = figures(run.trace)
    assert found["impulses"]["false"] == 0 and found["limits"]["violations"] == 0
    for push in run.trace.push_value:
        assert np.abs(whole.push_value - push).max(axis=1).min() < 1e-9
