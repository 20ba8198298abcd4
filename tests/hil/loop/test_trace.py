"""The recorder, its file, the ideal body's resets, and the documented table of arrays."""

import dataclasses
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from hil.analysis.figures import figures, figures_json
from hil.common.errors import TraceError
from hil.configuration.frames import Frames
from hil.configuration.loading import load_configuration
from hil.loop.trace.fields import COLUMNS
from hil.loop.trace.recorder import Trace, TraceRecorder
from hil.messaging.messages import ImpulseSlice, Plan, SimState
from sim.world.flight.free import NO_DOCKING, NOBODY, NOWHERE
from tests.hil.loop.synthetic_trace import quiet_arrays

ROOT = Path(__file__).parents[3]
MS = 1_000_000
QUARTER_TURN = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # about z


@pytest.fixture(scope="module")
def configuration():
    return load_configuration(ROOT / "configs/cube.toml")


@pytest.fixture
def recorder(configuration):
    return TraceRecorder(configuration, Frames.from_configuration(configuration), 4)


def fill(recorder, n=400, force=None, state=lambda k: "FLOATING", epoch=lambda k: 1, velocity=0.01):
    """Rows of a body that the simulation believes to drift along y, whatever the force."""
    for k in range(n):
        t = k * 0.002
        sim = SimState(
            k * 2 * MS, epoch(k), t, 1.0, np.array([0.8, velocity * t, 0.2]),
            np.array([np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0]), np.array([0, velocity, 0, 0, 0, 0.0]), False,
            0.0, np.zeros((0, 3), np.int64), np.zeros((0, 6)), 0.0, NOBODY, NOWHERE, False, *NO_DOCKING,
        )  # fmt: skip
        wrench = np.zeros((2, 6)) if force is None else force(k)
        sign = -1.0 if k % 7 == 3 else 1.0
        recorder.row(
            k * 2 * MS, wrench, np.full(6, k), np.full(7, 0.1), np.full(7, 0.2), sim, sim.p_world_object,
            sign * sim.quat_world_object, state(k), 1.0,
        )  # fmt: skip


def slice_of(identifier, index, revision, value, t_ms=100, **more):
    fields = {"final": True, "ended": True, "sustained": False, "uncertain": False} | more
    return ImpulseSlice(
        t_ns=t_ms * MS, impulse_id=identifier, slice_index=index, revision=revision,
        t_start_ns=(t_ms - 50) * MS, t_end_ns=t_ms * MS, t_centroid_ns=(t_ms - 25) * MS,
        impulse_object=np.array(value, float), deviation_object=np.full(6, 0.01 * (index + 1)), **fields,
    )  # fmt: skip


def plan_of(number, s0):
    n = 101
    return Plan(
        t_ns=number * 40 * MS, epoch=1, number=number, object_time_0=s0, step=0.02,
        time_map=np.array([0.0, s0, 1.0, 1.0]), q=np.zeros((n, 7)), dq=np.zeros((n, 7)),
        ddq=np.zeros((n, 7)), arm_angle=s0 + 0.02 * np.arange(n), branch=2,
        slices=np.array([[1, 0, number]]), policy="RUN", reason="", time_rate=1.0, depth=2.0,
    )  # fmt: skip


def test_rows_come_back_as_given_beyond_the_estimate(recorder, configuration):
    """400 rows where 4 were expected; values in place, attitudes continuous, constants there."""
    fill(recorder)
    trace = recorder.finish()
    assert len(trace.t) == 400
    assert trace.t[-1] == pytest.approx(0.798)
    assert trace.wrench_measured[123].tolist() == [123.0] * 6
    assert trace.p_world_object_arm[200] == pytest.approx([0.8, 0.004, 0.2])
    assert np.sum(trace.quat_world_object_arm[1:] * trace.quat_world_object_arm[:-1], axis=1).min() > 0.9
    assert set(trace.state) == {"FLOATING"}
    assert float(trace.mass_kg) == 60.0
    assert trace.inertia_object.tolist() == np.diag([3.0, 3.0, 3.0]).tolist()
    assert trace.T_tcp_object[2, 3] == pytest.approx(0.15)
    assert trace.limit_upper[0] == pytest.approx(np.deg2rad(169.0))
    assert trace.commanded.all()


@pytest.mark.parametrize("parts", [1, 2])
def test_the_true_wrench_is_that_at_the_row(recorder, parts):
    """Samples of 2 N and 4 N in a cycle: the row says the last; one sample a cycle is taken as well."""
    samples = np.array([[2.0, 0, 0, 0, 0, 0], [4.0, 0, 0, 0, 0, 0]])
    fill(recorder, force=lambda k: samples if parts == 2 else samples[1])
    trace = recorder.finish()
    assert np.all(trace.wrench_true[:, 0] == 4.0)
    mean_force = 4.0 if parts == 1 else 3.0
    assert trace.twist_world_object_ideal[-1, 0] == pytest.approx(mean_force / 60.0 * 399 * 0.002)


def test_the_ideal_body_is_set_50_ms_before_each_push_and_then_follows_the_force(recorder):
    """The simulation misses the push; the ideal body has it, from the simulated state 50 ms before."""

    def force(k):
        return np.tile([0, 0, 30.0 if 200 < k <= 250 else 0.0, 0, 0, 0], (2, 1))

    recorder.push(400 * MS, 500 * MS, np.array([0, 0, 3.0, 0, 0, 0]))
    fill(recorder, force=force)
    trace = recorder.finish()
    assert np.flatnonzero(trace.ideal_reset).tolist() == [0, 175]
    assert trace.p_world_object_ideal[175].tolist() == trace.p_world_object_sim[175].tolist()
    assert trace.twist_world_object_ideal[-1] == pytest.approx([0, 0.01, 0.05, 0, 0, 0], abs=1e-12)
    centroid = 0.4505  # between samples 1 ms apart the force rises and falls linearly
    assert trace.p_world_object_ideal[-1, 2] == pytest.approx(0.2 + 0.05 * (0.798 - centroid), abs=1e-9)
    assert trace.push_t_start.tolist() == [0.4]


def test_the_ideal_body_stays_with_the_simulated_one_until_it_floats(recorder):
    """READY for 100 rows, a new epoch at row 300: reset throughout the first, and at that row."""
    fill(
        recorder,
        state=lambda k: "READY" if k < 100 else "FLOATING",
        epoch=lambda k: 0 if k < 100 else 1 + (k >= 300),
        force=lambda k: np.tile([0, 0, 6.0, 0, 0, 0], (2, 1)),
    )
    trace = recorder.finish()
    assert np.flatnonzero(trace.ideal_reset).tolist() == [*range(101), 300]
    assert trace.twist_world_object_ideal[299, 2] == pytest.approx(0.1 * 199 * 0.002)


def test_contacts_are_those_of_the_stops(recorder):
    """The simulated body drifts through the stop at y = 0.13 m, 1 s per m; the ideal one turns there."""
    fill(recorder, velocity=0.25)
    trace = recorder.finish()
    y = trace.p_world_object_sim[:, 1]
    assert np.array_equal(trace.contact_sim, y > 0.13)
    assert trace.contact_sim.any()
    assert trace.contact_ideal.any()
    assert trace.twist_world_object_ideal[-1, 1] < 0.25


def test_one_row_an_impulse_its_slices_summed(recorder):
    """Newest revisions only, in any order; world axes by each slice's attitude; retracted ones vanish."""
    fill(recorder, 10)
    recorder.slice(slice_of(2, 0, 0, [9, 9, 9, 9, 9, 9]), np.eye(3))
    recorder.slice(slice_of(2, 0, 3, [1, 0, 0, 0, 0, 0.5], t_ms=100), np.eye(3))
    recorder.slice(slice_of(2, 0, 1, [7, 7, 7, 7, 7, 7]), np.eye(3))
    recorder.slice(slice_of(2, 1, 0, [3, 0, 0, 1.5, 0, 0], t_ms=200, sustained=True), QUARTER_TURN)
    recorder.slice(slice_of(1, 0, 0, [0, 0, 2, 0, 0, 0], t_ms=60), np.eye(3))
    recorder.slice(slice_of(3, 0, 0, [0.1, 0, 0, 0, 0, 0]), np.eye(3))
    recorder.slice(slice_of(3, 0, 1, [0.0] * 6), np.eye(3))
    trace = recorder.finish()
    assert trace.impulse_id.tolist() == [1, 2]
    assert trace.impulse_value[1] == pytest.approx([1, 3, 0, 0, 1.5, 0.5])
    assert trace.impulse_t_start == pytest.approx([0.010, 0.050])
    assert trace.impulse_t_end == pytest.approx([0.060, 0.200])
    # shares along the sum, torques over 0.2 m: 7.25 at 75 ms and 65.25 at 175 ms, so 1 to 9
    assert trace.impulse_t_centroid == pytest.approx([0.035, 0.165])
    assert trace.impulse_sustained.tolist() == [False, True]
    assert trace.impulse_deviation == pytest.approx([0.01, 0.02])
    assert len(trace.slice_t) == 7


def test_plans_are_kept_for_their_first_second(recorder):
    """Two plans of 2 s: 51 arm angles each, in place; slices by plan."""
    fill(recorder, 10)
    recorder.plan(plan_of(1, 0.0))
    recorder.plan(plan_of(2, 0.04))
    trace = recorder.finish()
    assert trace.plan_arm_angle_end.tolist() == [51, 102]
    assert trace.plan_arm_angle[51] == pytest.approx(0.04)
    assert trace.plan_slices.tolist() == [[1, 0, 1], [1, 0, 2]]
    assert trace.plan_number.tolist() == [1, 2]
    assert trace.plan_policy.tolist() == ["RUN", "RUN"]


def test_an_unknown_state_is_refused(recorder):
    """A state that the machine does not have must not enter a trace."""
    with pytest.raises(KeyError, match="DREAMING"):
        fill(recorder, 1, state=lambda k: "DREAMING")


def test_equal_runs_give_equal_bytes_and_the_file_gives_the_trace_back(configuration, tmp_path):
    """Two recorders fed alike: the same bytes; loading restores every array with dtype and shape."""
    paths = [tmp_path / "a.npz", tmp_path / "b.npz"]
    for path in paths:
        recorder = TraceRecorder(configuration, Frames.from_configuration(configuration), 4)
        recorder.push(400 * MS, 500 * MS, np.ones(6))
        recorder.slice(slice_of(1, 0, 0, [0, 0, 2, 0, 0, 0], t_ms=60), np.eye(3))
        recorder.plan(plan_of(1, 0.0))
        fill(recorder)
        trace = recorder.finish()
        trace.save(path)
    assert paths[0].read_bytes() == paths[1].read_bytes()
    with zipfile.ZipFile(paths[0]) as archive:
        assert {entry.date_time for entry in archive.infolist()} == {(1980, 1, 1, 0, 0, 0)}
    loaded = Trace.load(paths[0])
    for name in COLUMNS:
        before, after = getattr(trace, name), getattr(loaded, name)
        assert before.dtype == after.dtype
        assert np.array_equal(before, after), name
    with np.load(paths[0]) as archive:  # plain numpy reads it as well
        assert sorted(archive.files) == sorted(name for name in COLUMNS if not COLUMNS[name].of)
    recorder.push(600 * MS, 700 * MS, np.ones(6))
    recorder.finish().save(paths[1])
    assert paths[0].read_bytes() != paths[1].read_bytes()


def test_a_run_without_events_or_rows_can_be_saved_and_judged(recorder, tmp_path):
    """Nothing recorded at all: a file, and figures that are 0 or None."""
    trace = recorder.finish()
    trace.save(tmp_path / "empty.npz")
    found = figures(Trace.load(tmp_path / "empty.npz"))
    assert found["impulses"]["true"] == 0
    assert found["reaction_ms"] is None
    assert found["virtual_time_s"] == 0.0


@pytest.mark.parametrize(
    ("damage", "text"),
    [
        (lambda a: a.pop("rate"), "lacks the arrays rate"),
        (lambda a: a.update(q_command=np.zeros((500, 6))), r"q_command has shape \(500, 6\), expected"),
        (lambda a: a.update(rate=np.zeros(3)), r"rate has shape \(3,\), expected \(500,\)"),
        (lambda a: a.update(mass_kg=np.zeros(1)), r"mass_kg has shape \(1,\), expected \(\)"),
    ],
)
def test_arrays_that_do_not_fit_are_refused_by_name(tmp_path, damage, text):
    """A file of another version, or damaged: one line that names file and array."""
    arrays = quiet_arrays()
    damage(arrays)
    np.savez(tmp_path / "bad.npz", **arrays)
    with pytest.raises(TraceError, match=f"bad.npz.*{text}"):
        Trace.load(tmp_path / "bad.npz")


@pytest.mark.parametrize("content", [b"", b"no zip at all", None])
def test_a_file_that_is_no_trace_is_refused(tmp_path, content):
    """Empty, garbage, or not there: TraceError, never another exception."""
    path = tmp_path / "bad.npz"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(TraceError, match=r"bad\.npz"):
        Trace.load(path)


def test_a_trace_that_cannot_be_written_says_so(recorder, tmp_path):
    """A folder that does not exist."""
    with pytest.raises(TraceError, match="cannot be written"):
        recorder.finish().save(tmp_path / "nowhere" / "a.npz")


def test_the_json_has_every_key_sorted_and_null_for_nothing(recorder):
    """All keys of the figures; equal but for the wall time; NaN becomes null."""
    fill(recorder)
    trace = recorder.finish()
    text = figures_json(figures(trace, wall_time=1.5))
    found = json.loads(text)
    shape = {key: sorted(value) if isinstance(value, dict) else None for key, value in found.items()}
    assert shape == {
        "impulses": ["detected", "error_median", "error_p95", "false", "missed", "true"],
        "velocity_error": ["arm", "sim"],
        "velocity_overshoot": ["median", "p95"],
        "reaction_ms": None,
        "tracking": ["bounce_max_mm", "free_rms_deg", "free_rms_mm"],
        "plan": ["changed_plans", "configuration_changes", "holds", "max_speed_ratio", "time_kept"],
        "limits": ["violations"],
        "bounces": ["count", "restitution_least", "restitution_most"],
        "residual_acceleration": ["median_mm_s2", "most_mm_s2", "segments"],
        "coasting": ["drift_mm", "energy_median"],
        "energy_drift": None,
        "momentum_drift": None,
        "virtual_time_s": None,
        "wall_time_s": None,
    }
    assert sorted(found["velocity_error"]["sim"]) == ["median", "p95"]
    assert list(found) == sorted(found)
    assert found["virtual_time_s"] == pytest.approx(0.8)
    assert found["wall_time_s"] == 1.5
    other = json.loads(figures_json(figures(trace, wall_time=9.0)))
    assert {k for k in found if found[k] != other[k]} == {"wall_time_s"}
    assert figures_json({"b": float("nan"), "a": {"c": float("inf")}}).split() == [
        "{", '"a":', "{", '"c":', "null", "},", '"b":', "null", "}"
    ]  # fmt: skip


def test_the_document_lists_every_array_with_shape_and_unit():
    """docs/understand/trace.md has a row for each array: shape, unit and meaning as in the code."""
    lines = (ROOT / "docs/understand/trace.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if line.startswith("| `")]
    documented = {row[0].strip("`"): row[1:4] for row in rows if len(row) == 4}
    for name, column in COLUMNS.items():
        shape = ", ".join(column.shape.split())
        assert documented.pop(name) == [f"({shape})", column.unit, column.meaning], name
    assert not documented
    assert [f.name for f in dataclasses.fields(Trace)] == list(COLUMNS)
