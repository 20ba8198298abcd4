"""Drives and skew: the fits, the bounces, the watch in flight, and the words and keys."""

from tests.mutants.mutant import Change, Target

FIT = ("tests/hil/force/timing/test_drive_fit.py",)
SHOWN = ("tests/hil/loop/calibration/test_timing.py",)
SPRINGS = ("tests/hil/loop/calibration/test_shown_spring.py",)

TARGETS = (
    Target(
        "hil/force/timing/lag_response.py",
        ("tests/hil/force/timing/test_lag_response.py",),
        (
            Change(
                "the dead time is whole cycles", " - dead_time, np", " - round(dead_time / step) * step, np"
            ),
            Change("commands are held, not straight", "np.diff(ramp, 2) / step", "np.diff(ramp[:-1]) / step"),
            Change("the plant starts elsewhere", "    followed: Array = first + ", "    followed: Array = "),
        ),
    ),
    Target(
        "hil/force/timing/drive_fit.py",
        FIT,
        (
            Change(
                "sag counts as motion",
                "        return y - (followed - followed.mean(axis=0))\n",
                "        return y - followed\n",
            ),
            Change("noise is white", "STRETCH = 0.1 ", "STRETCH = 1e-9 "),
            Change(
                "the sum is as unsure as its parts",
                "np.linalg.norm(deviations[0] + deviations[1])",
                "np.linalg.norm(deviations[0] - deviations[1])",
            ),
            Change("any motion tells all apart", "return bool(inside and ", "return bool(True or "),
            Change("any drives are a lag", "return self.misfit < MISFIT", "return True"),
            Change("an arm that does not follow is fitted", "if not rms < FOLLOWS * size:", "if False:"),
            Change("joints are all alike", "        float(np.abs(own).max()),\n", "        0.0,\n"),
        ),
    ),
    Target(
        "hil/force/timing/skew.py",
        ("tests/hil/force/timing/test_skew.py",),
        (
            Change(
                "the skew has the other sign",
                "self._motion(self._t - tau), self._offsets(tau)",
                "self._motion(self._t + tau), self._offsets(tau)",
            ),
            Change(
                "what is at the end of the search counts as found",
                "return outer, False",
                "return outer, True",
            ),
            Change("an interval of no width", "least * (1.0 + profile.tolerance)", "least * (1.0 + 1e-6)"),
        ),
    ),
    Target(
        "hil/force/timing/spring.py",
        ("tests/hil/force/timing/test_spring.py",),
        (
            Change("the skew has the other sign", "path(t[rows] - tau)", "path(t[rows] + tau)"),
            Change("springs are straight", "DEGREE = 3 ", "DEGREE = 1 "),
            Change("scatter of contacts does not count", "excess = max(1.0, ", "excess = min(1.0, "),
            Change("turns compress nothing", " - turns @ line[3:]\n", "\n"),
            Change("any port is a spring", "return self.skew < -self.interval", "return False"),
        ),
    ),
    Target(
        "hil/force/timing/watch.py",
        ("tests/hil/force/timing/test_watch.py",),
        (
            Change("late is early", "Lateness(-ve / vv, ", "Lateness(ve / vv, "),
            Change("sag counts as lateness", "(s[0:3] * s[3:6]).sum() / n", "0.0"),
            Change(
                "what was summed beside another model stays",
                "        s[9:12] += more * s[6:9]\n",
                "        pass\n",
            ),
            Change(
                "missing samples are one cycle",
                "for cycle in range(1, cycles + 1):",
                "for cycle in [cycles]:",
            ),
            Change("the way to the model's beginning counts", "self._seen > self._needed", "self._seen > 0"),
            Change(
                "any doubt is none",
                "abs(self.late) - self.interval > WARNED",
                "abs(self.late) + self.interval > WARNED",
            ),
        ),
    ),
    Target(
        "hil/loop/driver/drive_timing.py",
        ("tests/hil/loop/test_drive_timing.py", "-k", "not flight and not identified and not lead"),
        (
            Change(
                "a contact is lateness",
                "commanded, measured, cycles, free)",
                "commanded, measured, cycles, True)",
            ),
            Change("a long gap is bridged", "0 < cycles <= MOST_MISSED", "0 < cycles"),
            Change("it is told every cycle", "if t_ns - self._told_ns < PERIOD_NS:", "if False:"),
            Change(
                "nobody is warned",
                "lateness_words(found.late) if found.wrong",
                "lateness_words(found.late) if False",
            ),
        ),
    ),
    Target(
        "hil/loop/calibration/shown_timing.py",
        SHOWN,
        (
            Change(
                "a sensor's weight is taken out at the joints' instant",
                "        wrench = wrench + _weight(R, expected)\n",
                "        pass\n",
            ),
            Change(
                "what the driver has put in stays",
                "wrench = wrench - _compensated(stamps, command, q, c)",
                "pass",
            ),
        ),
    ),
    Target(
        "hil/loop/calibration/circled_rows.py",
        (*SHOWN, "-k", "stretch"),
        (
            Change("the last motion counts, however short", ">= CIRCLED]", ">= 0.0]"),
            Change("a short one before counts along", "slice(int(whole[-1][0])", "slice(int(moved[0])"),
        ),
    ),
    Target(
        "hil/loop/calibration/shown_spring.py",
        SPRINGS,
        (
            Change("the bias stays in", "    in_world -= in_world", "    in_world -= 0.0 * in_world"),
            Change("open contacts count", "if contact.ended and (loop", "if (loop"),
            Change(
                "missing cycles are bridged",
                "    if len(t) < LEAST_SHARE * whole / step:\n        return None\n",
                "",
            ),
            Change(
                "force in the object's axes", 'np.einsum("nij,nkj->nki", R, ', 'np.einsum("nji,nkj->nki", R, '
            ),
        ),
    ),
    Target(
        "hil/loop/calibration/timing_words.py",
        (*SHOWN, *SPRINGS),
        (
            Change(
                "a skew that is not shown is written down", "    if found.skew.shown:\n", "    if True:\n"
            ),
            Change("damping becomes a key", "    if found.damped:\n", "    if False:\n"),
            Change(
                "a lag in seconds",
                '[f"drive_lag_ms = {MS * drive.lag:.2f}"',
                '[f"drive_lag_ms = {drive.lag:.2f}"',
            ),
        ),
    ),
)
