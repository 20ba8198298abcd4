"""The certificate's rows on impulses: what is judged, against which noise, and in which words."""

from dataclasses import replace

import numpy as np
import pytest

from bench.fidelity import changed
from hil.analysis.report.certificate import certificate
from hil.analysis.report.impulse_lines import NOISE, impulse_lines
from hil.analysis.report.impulse_metrics import IMPULSE_METRICS
from hil.analysis.report.push_evidence import ENDS, judged_pushes
from hil.analysis.report.run_evidence import RunEvidence, evidence_of
from hil.analysis.report.verdict import Verdict
from hil.loop.trace.fields import trace_from
from hil.wrench.worth.bound import Swing, impulse_deviation
from hil.wrench.worth.noise_model import NoiseModel
from tests.hil.analysis.report.synthetic_run import pushed_run, quiet_configuration, run_of

WHITE = 0.065  # [N] what the quiet configuration explains, mean over six axes about the centre
DT, LASTS = 0.002, 0.08  # [s]


def evidence(count=8, white=WHITE, seed=0, change=lambda arrays: None, c=None, **more) -> RunEvidence:
    """A run of pushes 2 s apart in white noise of the wrench."""
    arrays = pushed_run(count=count, **more).arrays
    rng = np.random.default_rng(seed)
    noise = white * rng.standard_normal(arrays["wrench_measured"].shape)
    arrays["wrench_measured"] = noise * np.repeat([1.0, 0.2], 3)
    change(arrays)
    return evidence_of(run_of(trace_from(arrays), c or white_only()))


def white_only(**errors):
    """A configuration that explains white noise, and what is named, and nothing that comes of the motion."""
    errors = {"offset_gradient_force": 0.0, "offset_gradient_torque": 0.0} | errors
    c = changed(quiet_configuration(), "emulator.wrench", **errors)
    return changed(c, "mockup", uncompensated=0.0)


def line(lines, name):
    return next(item for item in lines if item.name == name)


def missed_by(error):
    """Let each impulse be off by an error across it [N s]."""

    def change(arrays):
        arrays["impulse_value"][:, 1] += error

    return change


def test_the_bound_is_that_of_the_runs_own_noise() -> None:
    """White noise of 65 mN on all axes, pushes of 80 ms whose ends are known to 5 ms."""
    run = evidence(count=12)
    (judged,), _ = judged_pushes([(run.configuration, run.pushes)])
    model = NoiseModel(WHITE**2, np.zeros(0), np.zeros(0))
    swing = Swing.of(run.configuration.detector)
    expected = np.sqrt(6.0) * impulse_deviation(model, LASTS + 2.0 * ENDS, DT, swing)
    assert np.mean(judged.bound) == pytest.approx(expected, rel=0.03)


def test_twice_the_noise_near_by_a_push_is_twice_its_bound() -> None:
    """And of no other push."""

    def louder(arrays):
        start, end, t = arrays["push_t_start"][3], arrays["push_t_end"][3], arrays["t"]
        arrays["wrench_measured"][(t > start - 0.7) & (t < end + 0.9)] *= 2.0

    plain, loud = (
        judged_pushes([(run.configuration, run.pushes)])[0][0]
        for run in (evidence(count=12), evidence(count=12, change=louder))
    )
    ratio = loud.bound / plain.bound
    assert ratio[3] == pytest.approx(2.0, rel=0.1)
    assert np.delete(ratio, 3) == pytest.approx(1.0, rel=0.1)


@pytest.mark.parametrize(("count", "words"), [(7, "7 pushes that can be judged: 8 tell"), (0, "no push")])
def test_fewer_than_eight_pushes_judge_nothing(count, words) -> None:
    """But the noise is measured all the same."""
    arrays = pushed_run(count=8).arrays
    for name in [name for name in arrays if name.startswith(("push_", "impulse_"))]:
        arrays[name] = arrays[name][:count]
    lines = impulse_lines([evidence_of(run_of(trace_from(arrays)))], {})
    for item in lines[:-1]:
        assert (item.verdict, item.value) == (Verdict.NOT_MEASURED, None), item.name
    assert any(words in item.remark for item in lines[:-1])
    assert line(lines, NOISE).verdict is Verdict.PASS


def briefly(arrays):
    """Let the object float around its pushes only."""
    near = np.min(np.abs(arrays["t"][:, None] - arrays["push_t_start"]), axis=1) < 0.3
    arrays["state"] = np.where(near, "FLOATING", "READY")


def test_less_than_five_seconds_of_rest_judge_nothing() -> None:
    """Pushes enough, but afloat only around them."""
    lines = impulse_lines([evidence(change=briefly)], {})
    assert {item.verdict for item in lines} == {Verdict.NOT_MEASURED}
    assert all("less than 5 s without a push" in item.remark for item in lines)


def test_words_say_where_a_value_stands() -> None:
    """5 mN s across 3.2 N s meets the goal; 2 % of it does not pass for this sensor's limit here."""
    good, bad = (impulse_lines([evidence(change=missed_by(error))], {}) for error in (0.005, 0.08))
    median = line(good, "impulse_error_median")
    assert median.verdict is Verdict.PASS and median.remark.startswith("meets the goal (1 %); the best")
    assert "in this noise" in median.remark
    median = line(bad, "impulse_error_median")
    assert median.verdict is Verdict.FAIL and median.remark.startswith("fails (goal 1 %)")
    assert line(bad, "impulse_ratio_median").verdict is Verdict.FAIL
    noisy = {"white": 0.8, "change": missed_by(0.05)}
    median = line(impulse_lines([evidence(**noisy)], {}), "impulse_error_median")
    assert median.verdict is Verdict.PASS and median.remark.startswith("at this sensor's limit (goal 1 %)")


def test_a_sensor_noisier_than_configured_fails_by_that_alone() -> None:
    """Its noise excuses every error, and so is itself one: 1.2 times passes, 1.5 times fails."""
    for factor, verdict in ((1.2, Verdict.PASS), (1.5, Verdict.FAIL)):
        lines = impulse_lines([evidence(white=factor * WHITE)], {})
        assert line(lines, NOISE).value == pytest.approx(factor, rel=0.08)
        assert line(lines, NOISE).verdict is verdict
        assert {item.verdict for item in lines[:-1]} <= {Verdict.PASS, Verdict.NOT_MEASURED}
    assert line(impulse_lines([evidence(white=1.5 * WHITE)], {NOISE: 2.0}), NOISE).looser


def test_noise_near_by_the_pushes_alone_is_seen_too() -> None:
    """Quiet where nobody looks, loud where the local noise would excuse the errors."""

    def louder(arrays):
        t = arrays["t"]
        for start, end in zip(arrays["push_t_start"], arrays["push_t_end"], strict=True):
            arrays["wrench_measured"][(t > start - 0.6) & (t < end + 0.8)] *= 1.5

    run = evidence(change=louder, count=8)
    found = line(impulse_lines([run], {}), NOISE)
    assert found.verdict is Verdict.FAIL and found.value == pytest.approx(1.5, rel=0.1)


def test_small_pushes_are_judged_apart_under_motion_noise() -> None:
    """In newton seconds, never against a fixed number of them."""
    c = white_only(motion_noise=True)

    def small(arrays):
        for name in ("push_value", "impulse_value"):
            arrays[name][:3] *= 0.2
        missed_by(0.02)(arrays)

    lines = impulse_lines([evidence(change=small, c=c)], {})
    apart = line(lines, "small_impulse_error")
    assert apart.count == 3 and apart.value == pytest.approx(0.02)
    assert apart.tolerance < 0.05 and apart.verdict is Verdict.FAIL
    assert line(lines, "impulse_error_median").count == 5
    loud = impulse_lines([evidence(change=small, c=c, white=0.3)], {})
    assert line(loud, "small_impulse_error").tolerance > 0.02
    assert line(loud, "small_impulse_error").verdict is Verdict.PASS


def test_short_trials_are_judged_together() -> None:
    """Four trials of two pushes: none by itself, all as one run of eight would be."""
    trials = [evidence(count=2, seed=seed, detected=1.02) for seed in range(4)]
    assert line(impulse_lines(trials[:1], {}), "impulse_scale").verdict is Verdict.NOT_MEASURED
    found = line(impulse_lines(trials, {}), "impulse_scale")
    assert found.verdict is Verdict.FAIL and found.count == 8
    assert found.value == pytest.approx(2.0, abs=0.01)


def test_trials_of_different_noise_keep_their_own() -> None:
    """A quiet and a noisy configuration: the noisy one's rest does not excuse the quiet one's errors."""
    loud_c = white_only(noise_force=0.6, noise_torque=0.12)
    quiet, loud = evidence(seed=1), evidence(seed=2, white=10 * WHITE, c=loud_c)
    pairs = [(run.configuration, run.pushes) for run in (quiet, loud)]
    (a, b), excess = judged_pushes(pairs)
    assert np.median(b.bound) == pytest.approx(10 * np.median(a.bound), rel=0.1)
    assert excess < 1.2
    brief = evidence(seed=1, change=briefly)
    pairs[0] = brief.configuration, brief.pushes
    assert judged_pushes(pairs)[0][0] is None, "the rest of another noise tells nothing of its own"


def test_trials_that_tell_nothing_are_counted() -> None:
    """One without truth beside one of ten pushes: the row is of the one, and says so."""
    silent = evidence_of(run_of(trace_from(pushed_run(count=8).arrays), missing={"force": "nobody knows"}))
    found = line(impulse_lines([evidence(count=10), silent], {}), "impulse_error_median")
    assert found.count == 10 and found.remark.endswith("not measured in 1 of 2: nobody knows")
    assert certificate([silent], {}).counts[Verdict.FAIL] == 0


def test_a_push_that_was_not_found_has_no_error() -> None:
    """It is missed, which is a row of its own; what is left is judged."""

    def late(arrays):
        arrays["impulse_t_start"] = arrays["impulse_t_start"] + 0.5 * (np.arange(9) == 2)

    lines = impulse_lines([evidence(count=9, change=late)], {})
    assert {line(lines, name).count for name in ("impulse_scale", "impulse_ratio_median")} == {8}


def test_given_tolerances_stand_in_for_what_the_noise_allows() -> None:
    for name in IMPULSE_METRICS:
        if name == "small_impulse_error":
            continue
        tight = line(impulse_lines([evidence(change=missed_by(0.004))], {name: 0.0}), name)
        assert tight.tolerance == 0.0 and tight.default > 0.0 and not tight.looser
        assert line(impulse_lines([evidence()], {name: 100.0}), name).looser


def test_evidence_of_a_window_is_judged_in_the_noise_of_the_whole_run() -> None:
    """As the benchmark cuts it: fewer pushes, the same bound."""
    run = evidence(count=12)
    p, rows = run.pushes, slice(2, 10)
    few = replace(
        p, error=p.error[rows], along=p.along[rows], size=p.size[rows], duration=p.duration[rows],
        counted=p.counted[rows], free=p.free[rows], near=p.near[rows],
    )  # fmt: skip
    (whole,), _ = judged_pushes([(run.configuration, p)])
    (part,), _ = judged_pushes([(run.configuration, few)])
    assert part.bound == pytest.approx(whole.bound[rows])
