"""The certificate says what was put in: known errors give their numbers and verdicts."""

import math

import pytest

from hil.analysis.figures import figures
from hil.analysis.report.certificate import Certificate, certificate
from hil.analysis.report.contact_lines import CONTACT_METRICS
from hil.analysis.report.impulse_lines import MOST_EXCESS, NOISE
from hil.analysis.report.impulse_metrics import IMPULSE_METRICS
from hil.analysis.report.metrics import METRICS
from hil.analysis.report.momentum_lines import ANGULAR, LINEAR, MOST
from hil.analysis.report.run_evidence import PUSHES_NEED, evidence_of
from hil.analysis.report.tolerances import parsed
from hil.analysis.report.trace_digest import digest
from hil.analysis.report.verdict import Verdict, judge
from hil.common.errors import ReportError
from hil.loop.trace.fields import trace_from
from tests.hil.analysis.report.synthetic_run import made_up, pushed_run, quiet_configuration, run_of
from tests.hil.loop.synthetic_trace import quiet_arrays


def judged(run, tolerances=None, expected=None) -> Certificate:
    return certificate([evidence_of(run)], tolerances or {}, expected)


def line(found: Certificate, name: str):
    return next(item for item in found.lines if item.name == name)


def test_a_known_impulse_error_is_its_number_and_verdict() -> None:
    """Without noise: 0.5 % passes, 1.7 % fails the median and the scale, and passes the 95th percentile."""
    good, bad = (judged(made_up(pushed_run(detected=d).arrays)) for d in (1.005, 0.983))
    assert line(good, "impulse_error_median").value == pytest.approx(0.5)
    assert line(good, "impulse_error_median").verdict is Verdict.PASS and not good.failed
    assert line(bad, "impulse_error_median").value == pytest.approx(1.7)
    assert line(bad, "impulse_error_median").verdict is Verdict.FAIL and bad.failed
    assert line(bad, "impulse_error_p95").verdict is Verdict.PASS
    assert line(bad, "impulse_error_median").count == 8
    for found, off, verdict in ((good, 0.5, Verdict.PASS), (bad, 1.7, Verdict.FAIL)):
        assert line(found, "impulse_scale").value == pytest.approx(off)
        assert line(found, "impulse_ratio_largest").value == pytest.approx(off)
        assert line(found, "impulse_scale").verdict is verdict
    assert line(good, "impulse_error_median").remark.startswith("meets the goal (1 %)")
    assert line(bad, "impulse_error_median").remark.startswith("fails (goal 1 %)")


def test_known_velocity_errors_and_delays_are_their_numbers() -> None:
    """The simulation 1 % too fast, the arm 6 %; an arm that is 15 or 25 ms late. Goals: 1.5 %, 2 %, 18 ms."""
    found = judged(made_up(pushed_run(sim=1.01, arm=1.06, count=1).arrays))
    assert line(found, "velocity_error_sim_median").value == pytest.approx(1.0, abs=0.01)
    assert line(found, "velocity_error_sim_median").verdict is Verdict.PASS
    assert line(found, "velocity_error_arm_median").value == pytest.approx(6.0, abs=0.05)
    assert line(found, "velocity_error_arm_median").verdict is Verdict.FAIL
    assert line(found, "overshoot_p95").value == pytest.approx(6.0, abs=0.3)
    for delay, verdict in ((0.015, Verdict.PASS), (0.025, Verdict.FAIL)):
        found = judged(made_up(pushed_run(delay=delay, count=1).arrays))
        assert line(found, "reaction").value == pytest.approx(1e3 * delay, abs=0.1)
        assert line(found, "reaction").verdict is verdict


def test_missed_and_false_impulses_are_counted() -> None:
    """One impulse moved away from its push: one missed, one false."""
    arrays = pushed_run().arrays
    arrays["impulse_t_start"] = arrays["impulse_t_start"].copy()
    arrays["impulse_t_start"][1] += 0.7
    found = judged(made_up(arrays))
    for name in ("missed_impulses", "false_impulses"):
        assert line(found, name).value == 1.0 and line(found, name).verdict is Verdict.FAIL


def test_distance_acceleration_and_limits_are_what_was_put_in() -> None:
    """2 mm aside fails tracking; 3 mm/s2 fails; one jump of a command is one violation at least."""
    arrays = quiet_arrays(6.0)
    t = arrays["t"]
    arrays["p_world_object_arm"][:, 0] = 2e-3
    arrays["p_world_object_arm"][:, 1] = 0.5 * 3e-3 * t**2
    arrays["p_world_object_sim"][:, 1] = 0.5 * 3e-3 * t**2
    arrays["q_command"][1000:, 0] += 0.1
    found = judged(made_up(arrays))
    assert line(found, "tracking_free").value == pytest.approx(2.0)
    assert line(found, "residual_acceleration").value == pytest.approx(3.0)
    assert {line(found, n).verdict for n in ("tracking_free", "residual_acceleration")} == {Verdict.FAIL}
    assert line(found, "limit_violations").value >= 1 and line(found, "joint_speed").value > 1.0


def test_the_certificate_has_the_figures_of_simulate() -> None:
    """The same functions: equal to the figures but for their units."""
    trace = trace_from(pushed_run(sim=1.01, arm=0.98, delay=0.01, detected=1.02).arrays)
    found, f = judged(run_of(trace)), figures(trace)
    for name, value in {
        "impulse_error_p95": 100 * f["impulses"]["error_p95"],
        "missed_impulses": f["impulses"]["missed"],
        "velocity_error_sim_median": 100 * f["velocity_error"]["sim"]["median"],
        "velocity_error_arm_p95": 100 * f["velocity_error"]["arm"]["p95"],
        "overshoot_p95": 100 * f["velocity_overshoot"]["p95"],
        "reaction": f["reaction_ms"],
        "tracking_free": f["tracking"]["free_rms_mm"],
        "energy_drift": f["energy_drift"],
        "holds": f["plan"]["holds"],
        "limit_violations": f["limits"]["violations"],
        "joint_speed": f["plan"]["max_speed_ratio"],
        "residual_acceleration": f["residual_acceleration"]["most_mm_s2"],
    }.items():
        assert line(found, name).value == pytest.approx(value, rel=1e-12), name


@pytest.mark.parametrize("key", ["force", "cycles", "simulation", "plans", "impulses"])
def test_what_is_missing_is_not_measured_and_no_pass(key) -> None:
    """Each metric that needs a part says why it is not measured; the others are as they were."""
    arrays = pushed_run().arrays
    whole, less = judged(made_up(arrays)), judged(made_up(arrays, missing={key: "nobody knows"}))
    touched = [name for name, metric in METRICS.items() if key in metric.needs]
    touched += [*IMPULSE_METRICS, NOISE] if key in PUSHES_NEED else []
    assert touched
    for a, b in zip(whole.lines, less.lines, strict=True):
        if a.name in touched:
            assert (b.verdict, b.value, b.remark) == (Verdict.NOT_MEASURED, None, "nobody knows"), a.name
        else:
            assert (a.verdict, a.value) == (b.verdict, b.value), a.name
    assert less.counts[Verdict.PASS] < whole.counts[Verdict.PASS]
    assert f"{less.counts[Verdict.NOT_MEASURED]} not measured" in less.in_words


def test_a_run_without_rows_passes_nothing() -> None:
    """The object never floated: all rows are not measured, and so is the whole."""
    found = judged(made_up(quiet_arrays(0.0), missing={"rows": "the object never floated"}))
    assert set(found.counts) == {Verdict.NOT_MEASURED} and found.verdict is Verdict.NOT_MEASURED
    assert found.headline == "Nothing was measured"


def test_lost_messages_leave_their_metrics_unmeasured() -> None:
    """A gap in the plans: whether one changed its mind is not known."""
    run = made_up(pushed_run().arrays)
    run.summary.metadata["lost"] = {"plan": "3"}
    found = judged(run)
    assert line(found, "changed_plans").verdict is Verdict.NOT_MEASURED
    assert "3 messages of plan were lost" in line(found, "changed_plans").remark
    assert line(found, "impulse_error_median").verdict is Verdict.PASS


@pytest.mark.parametrize(
    ("value", "verdict"),
    [(None, "not measured"), (1.0, "pass"), (1.0001, "fail"), (math.nan, "fail"), (math.inf, "fail")],
)
def test_a_value_that_is_no_number_fails(value, verdict) -> None:
    """And nothing at all is not measured."""
    assert judge(value, 1.0) == verdict


def test_a_looser_tolerance_is_marked_and_a_tighter_one_is_not() -> None:
    """A median of 1.7 % passes at 2 %, marked; 0.5 % fails at 0.4 %, not marked."""
    loose = judged(made_up(pushed_run(detected=0.983).arrays), {"impulse_error_median": 2.0})
    tight = judged(made_up(pushed_run(detected=1.005).arrays), {"impulse_error_median": 0.4})
    assert line(loose, "impulse_error_median").verdict is Verdict.PASS
    assert line(loose, "impulse_error_median").looser and "1 tolerances are looser" in loose.in_words
    assert line(tight, "impulse_error_median").verdict is Verdict.FAIL
    assert not line(tight, "impulse_error_median").looser and "looser" not in tight.in_words


def test_tolerances_follow_the_run() -> None:
    """Motion noise, an interface delay and free tumbling have tolerances of their own."""
    c = quiet_configuration()
    noisy = c.model_copy(update={"emulator": c.emulator.model_copy(update={
        "delay": 0.25, "wrench": c.emulator.wrench.model_copy(update={"motion_noise": True})})})  # fmt: skip
    tumbling = c.model_copy(update={"stops": c.stops.model_copy(update={"enabled": False})})
    assert [IMPULSE_METRICS["impulse_error_median"].goal(run) for run in (c, noisy)] == [1.0, 2.0]
    assert METRICS["velocity_error_arm_p95"].tolerance(c) == 5.0
    assert METRICS["velocity_error_arm_p95"].tolerance(noisy) == 7.5
    assert METRICS["reaction"].tolerance(noisy) == pytest.approx(268.0)
    assert (METRICS["energy_drift"].tolerance(c), METRICS["energy_drift"].tolerance(tumbling)) == (0.01, 1e-8)


def test_several_runs_are_pooled_and_those_that_fail_alone_are_counted() -> None:
    """Three of 0.5 % and one of 5 %: the median passes, and one fails on its own."""
    runs = [evidence_of(made_up(pushed_run(detected=d).arrays)) for d in (1.005, 1.005, 1.005, 1.05)]
    found = line(certificate(runs, {}), "impulse_error_median")
    assert found.value == pytest.approx(0.5) and found.count == 32 and found.verdict is Verdict.PASS
    assert found.remark.endswith("; 1 of 4 fail on their own")


def test_determinism_needs_something_to_compare_with() -> None:
    """One run: not measured, or by the digest that is expected; two of the same: equal or not."""
    run = made_up(pushed_run().arrays)
    own, other = digest(run.trace), made_up(pushed_run(detected=1.001).arrays)
    assert line(judged(run), "determinism").verdict is Verdict.NOT_MEASURED
    assert line(judged(run), "determinism").value == own
    assert line(judged(run, expected=own), "determinism").verdict is Verdict.PASS
    assert line(judged(run, expected="0" * 16), "determinism").verdict is Verdict.FAIL
    same, different = ([evidence_of(run), evidence_of(b)] for b in (run, other))
    assert line(certificate(same, {}), "determinism").verdict is Verdict.PASS
    assert line(certificate(different, {}), "determinism").verdict is Verdict.FAIL
    live = made_up(pushed_run().arrays, live=True)
    assert line(judged(live, expected=own), "determinism").verdict is Verdict.NOT_MEASURED


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("reaction", "--tolerance 'reaction' must read NAME=VALUE, for example reaction=20"),
        ("reacton=20", "--tolerance reacton: there is no such metric; did you mean reaction?"),
        ("reaction=-1", "--tolerance reaction = -1 must be a number from 0 on, in ms"),
        ("holds=nan", "--tolerance holds = nan must be a number from 0 on"),
    ],
)
def test_a_wrong_tolerance_is_one_clear_line(text, words) -> None:
    """What is wrong, and what would be right."""
    with pytest.raises(ReportError) as caught:
        parsed([text])
    assert str(caught.value) == words


def test_right_tolerances_are_taken() -> None:
    """With blanks and in any number."""
    assert parsed(["reaction = 25", "holds=1"]) == {"reaction": 25.0, "holds": 1.0}


def test_every_metric_names_a_function_that_exists() -> None:
    """The file and the name in it."""
    from tests.documents import ROOT, names_in

    for metric in (*METRICS.values(), *IMPULSE_METRICS.values()):
        path, name = metric.function.split(": ")
        assert name in names_in(ROOT / path), metric.name


def test_the_page_of_reports_has_every_metric_with_its_tolerance() -> None:
    """docs/use/report.md: goals and tolerances of a run among stops without motion noise and delay."""
    from tests.documents import ROOT, table

    rows = [row[:3] for row in table(ROOT / "docs/use/report.md", "metric")]
    c = quiet_configuration()
    goals = [[m.name, f"{m.goal(c):g}" if m.goal else "", m.unit] for m in IMPULSE_METRICS.values()]
    noise = [NOISE, f"{MOST_EXCESS:g}", ""]
    fixed = [[m.name, f"{m.tolerance(c):g}", m.unit] for m in METRICS.values()]
    touched = [[name, f"{m.tolerance:g}", m.unit] for name, m in CONTACT_METRICS.items()]
    collided = [[name, f"{MOST:g}", "%"] for name in (LINEAR, ANGULAR)]
    assert rows == [*goals, noise, *fixed, *touched, *collided]
