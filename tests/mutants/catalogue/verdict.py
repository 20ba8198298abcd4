"""The verdict on impulses: what the end of a run cuts off, the bound by the run's noise, the rules."""

from tests.mutants.mutant import Change, Target

MATCHING = ("tests/hil/analysis/figures/test_impulses.py",)
CUT_OFF = (
    "tests/hil/loop/test_run_end.py::test_a_run_in_peace_is_judged_to_its_last_row",
    "tests/hil/loop/test_run_end.py::test_what_goes_on_or_ended_too_late_is_cut_off",
)
WORTH = ("tests/hil/wrench/worth/test_bound.py", "tests/hil/wrench/worth/test_semivariance.py")
LINES = ("tests/hil/analysis/report/test_impulse_lines.py",)

RUN_END = Target(
    "hil/loop/trace/run_end.py",
    (*CUT_OFF, "tests/hil/loop/test_run_end.py::test_who_tells_of_a_push_when_it_is_over_needs_longer"),
    (
        Change(
            "a push that goes on at the end is judged",
            "min([last_row, under_way, *cut])",
            "min([last_row, *cut])",
        ),
        Change("a push that ended just before the end is missed", "last_row - LATE - told", "last_row"),
        Change("the paper's detector is not waited for", 'if detector.report == "growing":', "if True:"),
    ),
)

IMPULSES = Target(
    "hil/analysis/figures/impulses.py",
    MATCHING,
    (
        Change(
            "what the end cut off counts as false",
            "            false += not cut[row]",
            "            false += 1",
        ),
        Change("an onset just before the cut counts as false", "trace.cut_from - EARLY)", "trace.cut_from)"),
        Change(
            "an impulse that never ends is excused",
            "growing = ~trace.impulse_ended & ~trace.impulse_sustained",
            "growing = ~trace.impulse_ended",
        ),
        Change(
            "the value of an impulse that still grows is judged",
            "    judged[found] &= ~growing[impulse[found]]\n",
            "",
        ),
    ),
)

BOUND = Target(
    "hil/wrench/worth/bound.py",
    WORTH,
    (
        Change(
            "nothing outside tells of the noise inside",
            "variance = inner - outer @ weights +",
            "variance = inner +",
        ),
        Change(
            "the offset is known",
            "    variance = inner - outer @ weights + left @ np.linalg.lstsq(spread, left)[0]",
            "    variance = inner - outer @ weights",
        ),
        Change(
            "pairs of samples count once", "2 * np.arange(inside - 1, 0, -1)", "np.arange(inside - 1, 0, -1)"
        ),
        Change(
            "the arm swings during the push", "u = np.maximum(since_end, 0.0)", "u = since_end + duration"
        ),
    ),
)

SEMIVARIANCE = Target(
    "hil/wrench/worth/semivariance.py",
    WORTH[1:],  # with those of the bound it takes minutes to compile
    (
        Change("not half the square", "0.5 * np.sum(difference**2", "np.sum(difference**2"),
        Change(
            "pairs reach over a push",
            "(stretch[lag:] == stretch[:-lag]) & (stretch[lag:] >= 0)",
            "stretch[lag:] >= 0",
        ),
        Change("a hole does not end a stretch", "(np.diff(t) > 1.5 * step) | ", ""),
    ),
)

REST = Target(
    "hil/analysis/figures/rest.py",
    ("tests/hil/analysis/figures/test_rest.py",),
    (
        Change("noise where nobody floats counts", "rest = moving_rows(trace) & (trace.t", "rest = (trace.t"),
        Change(
            "the push itself is noise", "    rest &= ~_within(trace.t, start - before, end + after)\n", ""
        ),
        Change("only the noise before a push counts", "for rows in windows]", "for rows in windows[:1]]"),
    ),
)

RULES = Target(
    "hil/analysis/report/impulse_rules.py",
    ("tests/hil/analysis/report/test_impulse_rules.py",),
    (
        Change("twice the margin", "MARGIN = 1.25", "MARGIN = 2.5"),
        Change("the number of pushes does not matter", "SPREAD / float(np.sqrt(count))", "SPREAD"),
        Change(
            "a factor shows with one sign only",
            "return abs(float(np.sum(weights",
            "return (float(np.sum(weights",
        ),
        Change("loud pushes weigh as much", "(pushes.size / per_axis) ** 2", "(pushes.size / 1.0) ** 2"),
        Change(
            "the luck of the largest is that of one", "1.0 - UNLUCKY / count, AXES", "1.0 - UNLUCKY, AXES"
        ),
    ),
)

FORCE_PATH_BIAS = Target(
    "hil/analysis/report/force_path_bias.py",
    ("tests/hil/analysis/report/test_impulse_rules.py",),
    (
        Change("bias of every size is excused", "BIAS = 0.01", "BIAS = 0.03"),
        Change("a calibrated run is excused as before", "CALIBRATED = 0.003", "CALIBRATED = 0.01"),
        Change("a poor calibration earns the bound", "found.mass_interval / c.object.mass", "0.0"),
    ),
)

VERDICT_LINES = Target(
    "hil/analysis/report/impulse_lines.py",
    LINES,
    (
        Change("a noisy sensor excuses itself", "MOST_EXCESS = 1.3", "MOST_EXCESS = 3.0"),
        Change("one push is enough", "LEAST_PUSHES = 8", "LEAST_PUSHES = 1"),
        Change(
            "the noise allows nothing",
            "return limit if goal is None else max(goal, limit)",
            "return limit if goal is None else goal",
        ),
    ),
)

PUSHES = Target(
    "hil/analysis/report/push_evidence.py",
    LINES,
    (
        Change(
            "the noise near by a push does not count",
            "bound = np.sqrt(AXES * local)",
            "bound = np.sqrt(AXES + 0.0 * local)",
        ),
        Change("one axis is judged as six", "bound = np.sqrt(AXES * local)", "bound = np.sqrt(local)"),
        Change(
            "a second of rest is enough",
            "noise.measured.seconds < LEAST_REST",
            "noise.measured.seconds < 0.2 * LEAST_REST",
        ),
        Change(
            "noisy trials excuse quiet ones",
            "key = evidence.noise.measured.step, c.emulator.wrench,",
            "key = evidence.noise.measured.step, None,",
        ),
    ),
)

ENDING = Target(
    "hil/processes/supervisor/children.py",
    ("tests/hil/processes/test_children.py",),
    (
        Change(
            "the last words are not heard", "        _relay(child, ended=True)\n        file", "        file"
        ),
        Change("the last line is not told", 'f": {child.printed.last}"', '""'),
        Change(
            "the recorder ends with those that it hears",
            "for apart in (False, True):",
            "for apart in (True, False):",
        ),
    ),
)

TARGETS = (
    *(RUN_END, IMPULSES, BOUND, SEMIVARIANCE, REST, RULES, FORCE_PATH_BIAS, VERDICT_LINES, PUSHES, ENDING),
)  # fmt: skip
