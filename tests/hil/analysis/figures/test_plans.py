"""Holds, configuration changes, changed plans and joint speed on streams made by hand."""

import numpy as np
import pytest

from hil.analysis.figures.plans import changed_plans, configuration_changes, holds, plan_figures
from hil.loop.trace.fields import Trace, trace_from
from tests.hil.loop.synthetic_trace import quiet_arrays

STEP = 0.02


def test_holds_are_counted_once_each():
    """The pace falls to zero twice while afloat, once slows only, once stands while stopped."""
    arrays = quiet_arrays(2.0)
    arrays["rate"][100:200] = 0.0
    arrays["rate"][300:400] = 0.3
    arrays["rate"][500:600] = 0.0
    arrays["state"][520:560] = "HOLDING"
    arrays["rate"][800:] = 0.0
    arrays["state"][800:] = "STOPPED"
    assert holds(trace_from(arrays)) == 2


def test_configuration_changes_are_sign_changes_of_a2_a4_a6():
    """A4 and A6 swap sign at one row (one change), A2 at another; A1 and A3 do not matter."""
    arrays = quiet_arrays(1.0)
    arrays["q_command"][200:, [3, 5]] *= -1.0
    arrays["q_command"][300:, 1] *= -1.0
    arrays["q_command"][400:, [0, 2]] = -0.5
    assert configuration_changes(trace_from(arrays)) == 2


def test_trembling_about_zero_is_no_change_of_configuration():
    """A joint within 1e-3 rad of zero keeps its sign; leaving on the side it came from is no change."""
    arrays = quiet_arrays(1.0)
    arrays["q_command"][100:200, 3] = 1e-4 * (-1.0) ** np.arange(100)
    assert configuration_changes(trace_from(arrays)) == 0
    arrays["q_command"][200:, 3] = 0.5
    assert configuration_changes(trace_from(arrays)) == 1


def test_changes_while_stopped_do_not_count():
    """An arm that is moved by hand while STOPPED may change its branch."""
    arrays = quiet_arrays(1.0)
    arrays["state"][:] = "STOPPED"
    arrays["q_command"][200:, 3] *= -1.0
    assert configuration_changes(trace_from(arrays)) == 0


def with_plans(plans: list[dict]) -> Trace:
    """Trace with plans given as `{s0, angle, slices, branch, epoch}`."""
    arrays = quiet_arrays(0.1)
    count = len(plans)
    arrays["plan_t"] = arrays["plan_object_time_0"] = np.array([p["s0"] for p in plans])
    arrays["plan_epoch"] = np.array([p.get("epoch", 1) for p in plans])
    arrays["plan_number"] = np.arange(count)
    arrays["plan_step"] = np.full(count, STEP)
    arrays["plan_time_map"] = np.zeros((count, 4))
    arrays["plan_branch"] = np.array([p.get("branch", 3) for p in plans])
    arrays["plan_policy"] = np.full(count, "RUN")
    arrays["plan_arm_angle"] = np.concatenate([p["angle"] for p in plans])
    arrays["plan_arm_angle_end"] = np.cumsum([len(p["angle"]) for p in plans])
    slices = [np.array(p.get("slices", []), int).reshape(-1, 3) for p in plans]
    arrays["plan_slices"] = np.concatenate(slices)
    arrays["plan_slices_end"] = np.cumsum([len(s) for s in slices])
    return trace_from(arrays)


def angles(s0: float, offset_deg=0.0) -> np.ndarray:
    """Arm angle [rad] of one motion over object time, 1 s from s0: steep, and through +-pi."""
    s = s0 + STEP * np.arange(51)
    return np.remainder(3.0 + 2.0 * s + np.deg2rad(offset_deg) + np.pi, 2 * np.pi) - np.pi


def test_plans_that_agree_at_equal_object_times_are_unchanged():
    """The same motion seen from later starts, off the grid and across +-pi: nothing changed."""
    assert changed_plans(with_plans([{"s0": s, "angle": angles(s)} for s in (0.0, 0.033, 0.071, 0.5)])) == 0


@pytest.mark.parametrize(("degrees", "changed"), [(1.9, 0), (2.1, 1), (-2.1, 1)])
def test_two_degrees_make_a_changed_plan(degrees, changed):
    """The second plan is offset by a little less or more than 2 degrees; the third agrees with it."""
    plans = [
        {"s0": 0.0, "angle": angles(0.0)},
        {"s0": 0.04, "angle": angles(0.04, degrees)},
        {"s0": 0.08, "angle": angles(0.08, degrees)},
    ]
    assert changed_plans(with_plans(plans)) == changed


@pytest.mark.parametrize(("from_second", "changed"), [(0.40, 1), (0.60, 0)])
def test_only_the_first_half_second_counts(from_second, changed):
    """A plan that turns off by 10 degrees counts only if it does so within 0.5 s of its start."""
    bend = np.where(STEP * np.arange(51) >= from_second, 10.0, 0.0)
    plans = [{"s0": 0.0, "angle": angles(0.0)}, {"s0": 0.04, "angle": angles(0.04, bend)}]
    assert changed_plans(with_plans(plans)) == changed


def test_a_push_or_a_new_start_excuses_a_change():
    """A new slice, a new revision or a new epoch allows another plan; a forgotten old slice does not."""
    first = {"s0": 0.0, "angle": angles(0.0), "slices": [(1, 0, 4), (1, 1, 2)]}

    def second(**more):
        return {"s0": 0.04, "angle": angles(0.04, 30.0), **more}

    same = [(1, 0, 4), (1, 1, 2)]
    assert changed_plans(with_plans([first, second(slices=same)])) == 1
    assert changed_plans(with_plans([first, second(slices=same[1:])])) == 1
    assert changed_plans(with_plans([first, second(slices=[(1, 0, 4), (1, 1, 3)])])) == 0
    assert changed_plans(with_plans([first, second(slices=[*same, (2, 0, 0)])])) == 0
    assert changed_plans(with_plans([first, second(slices=same, epoch=2)])) == 0


def test_another_branch_is_a_changed_plan():
    """The same arm angle in another branch is another motion."""
    plans = [{"s0": 0.0, "angle": angles(0.0)}, {"s0": 0.04, "angle": angles(0.04), "branch": 5}]
    assert changed_plans(with_plans(plans)) == 1


def test_joint_speed_is_over_each_joint_s_own_limit():
    """A3 at 0.5 of 1 rad/s and A5 at 0.6 of 2 rad/s: the ratio is 0.5."""
    arrays = quiet_arrays(1.0)
    arrays["limit_velocity"] = np.array([2.0, 2.0, 1.0, 2.0, 2.0, 2.0, 2.0])
    arrays["q_command"][:, 2] = 0.5 * arrays["t"]
    arrays["q_command"][:, 4] = -0.6 * arrays["t"]
    assert plan_figures(trace_from(arrays))["max_speed_ratio"] == pytest.approx(0.5)
