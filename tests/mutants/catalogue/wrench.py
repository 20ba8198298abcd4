"""From samples to pushes: filter, detector, slices, witness; and what the emulated controller watches."""

from tests.mutants.mutant import Change, Target

DETECTOR_TESTS = (
    "tests/hil/wrench/test_detector_kernels.py",
    "tests/hil/wrench/test_impulse_detector.py",
    "tests/hil/wrench/test_impulse_slices.py",
)

KERNEL = Target(
    "hil/wrench/detector/kernel.py",
    DETECTOR_TESTS,
    (
        Change(
            "the last push's correction is kept",
            "        s.confirmed = 0\n        s.correction[:] = 0.0\n",
            "        s.confirmed = 0\n",
        ),
        Change(
            "a gap at the onset is not flagged",
            "s.uncertain = 1 if s.gap_at > s.t[j & MASK] else 0",
            "s.uncertain = 0",
        ),
        Change(
            "a gap within a push is not flagged",
            "            if s.phase == PUSH:\n                s.uncertain = 1\n",
            "",
        ),
        Change(
            "uncertainty is kept for the next push",
            "s.uncertain = 1 if s.gap_at > s.t[j & MASK] else 0",
            "s.uncertain = max(s.uncertain, 1 if s.gap_at > s.t[j & MASK] else 0)",
        ),
        Change(
            "the push is in the baseline",
            "    if s.phase != PUSH:  # the push itself stays out of the baseline\n        smooth_into",
            "    if True:\n        smooth_into",
            equivalent="the kernel integrates against `baseline`, set at the onset from the means kept with each sample; `mean` is set to it "
            "when the push begins, and its drift during a push only moves the rest after it, within the drift that the tests allow",
        ),
        Change(
            "the counter-swing is a push",
            "        level_limit += envelope + s.level_closing",
            "        level_limit += s.level_closing",
        ),
        Change("the level is not looked at", "    return math.sqrt(level) > level_limit", "    return False"),
        Change("the rate is not looked at", "    if s.rate > rate_limit:\n        return True\n", ""),
        Change("a push begins where it is seen", "    j = max(j - 1, earliest)\n", "    j = k\n"),
        Change(
            "a glitch counts",
            "    s.glitch = 1 if s.slice == 0 and lone_sample(s) else 0\n",
            "    s.glitch = 0\n",
        ),
        Change(
            "a push is over at its first dip",
            "over = along < 0.5 * s.peak and (",
            "over = along < 0.9 * s.peak or (",
        ),
        Change("the end is where it is seen", "    s.last = min(j + 1, k)\n", "    s.last = k\n"),
        Change(
            "slices grow without end", "    if t - s.t[s.slice_first & MASK] > c.slice_time:", "    if False:"
        ),
        Change(
            "a slice begins one sample late", "        s.slice_first = k - 1\n", "        s.slice_first = k\n"
        ),
        Change(
            "revisions go on in the next slice",
            "        s.slice += 1\n        s.revision = 0\n",
            "        s.slice += 1\n",
        ),
        Change(
            "the last slice is never final",
            "    return report(s, c, YES, YES, flags, numbers, rows)",
            "    return report(s, c, NO, YES, flags, numbers, rows)",
        ),
        Change(
            "the drift of the baseline is not made good",
            "        s.correction[i] = -rise * share\n",
            "        s.correction[i] = 0.0\n",
        ),
        Change(
            "the drift of the baseline is made good twice",
            "        s.correction[i] = -rise * share\n",
            "        s.correction[i] = -2.0 * rise * share\n",
        ),
        Change(
            "broken samples are taken", "        if not math.isfinite(sample[i]):\n", "        if False:\n"
        ),
        Change(
            "equal stamps are taken",
            "if dt <= 0.0 or (repeated and dt < c.repeat):",
            "if repeated and dt < c.repeat:",
        ),
        Change("repeated values are taken", "if dt <= 0.0 or (repeated and dt < c.repeat):", "if dt <= 0.0:"),
        Change(
            "a push is never sustained", "stop - start > c.sustained_time, s.uncertain", "False, s.uncertain"
        ),
        Change(
            "a push that is none keeps its number",
            "            s.impulse_id -= 1\n",
            "            pass\n",
            equivalent="numbers only tell pushes apart: nothing that was reported has the one that is left out",
        ),
        Change(
            "unrest does not raise the level",
            "return max(c.level, LEVEL_UNREST * s.unrest[s.lag & MASK])",
            "return c.level",
        ),
        Change("it looks for pushes before the baseline means something", "> ARMING_TIME:", "> 0.0:"),
    ),
)

SUMS = Target(
    "hil/wrench/detector/sums.py",
    DETECTOR_TESTS,
    (
        Change(
            "the sum is of rectangles",
            "x = half * (s.wrench[p, i] + s.wrench[q, i] - 2.0 * s.baseline[i])",
            "x = 2.0 * half * (s.wrench[p, i] - s.baseline[i])",
        ),
        Change(
            "the baseline is not taken off",
            "x = half * (s.wrench[p, i] + s.wrench[q, i] - 2.0 * s.baseline[i])",
            "x = half * (s.wrench[p, i] + s.wrench[q, i])",
        ),
        Change(
            "the centroid is the slice's middle",
            "centroid = (value * moment).sum() / net",
            "centroid = 0.5 * (s.t[b & MASK] - t_a)",
        ),
        Change("a cancelled push has its centroid anywhere", "if net > 0.01 * size * size:", "if net > 0.0:"),
        Change("no sample is a glitch", "GLITCH_SHARE = 0.8", "GLITCH_SHARE = 8.0"),
        Change(
            "edges are looked for in single samples",
            "range(max(j - SMOOTHING, 0), min(j + SMOOTHING, k) + 1)",
            "range(j, j + 1)",
        ),
    ),
)

STATE = Target(
    "hil/wrench/detector/state.py",
    DETECTOR_TESTS,
    (
        Change("the sum over an edge is wide", "SMOOTHING = 2", "SMOOTHING = 40"),
        Change("few samples are remembered", "RING = 2048", "RING = 64"),
        Change(
            "gaps of any length are bridged",
            '"gap": max(BRIDGED_GAP, GAP_PERIODS * nominal_dt)',
            '"gap": 1e9',
        ),
        Change(
            "torques start pushes as forces do",
            '"edge": detector.onset_sigma * noise.sample / math.sqrt(2 * SMOOTHING + 1)',
            '"edge": 100.0 * detector.onset_sigma * noise.sample',
        ),
    ),
)

SLICES = Target(
    "hil/wrench/detector/slices.py",
    DETECTOR_TESTS,
    (
        Change(
            "the first revision stays", "known.revision <= piece.revision", "known.revision > piece.revision"
        ),
        Change("torques keep the filter's scale", "*(x * length for x in scaled[3:])", "*scaled[3:]"),
        Change(
            "a retracted push is told",
            "[total for total in totals if np.any(total.impulse_object)]",
            "totals",
        ),
        Change(
            "the centroid is the first slice's",
            "start + round(float(weights @ offsets / weights.sum()))",
            "start + round(float(offsets[0]))",
        ),
        Change(
            "a push is over with its first slice",
            "return any(piece.ended for piece in self._slices.values())",
            "return True",
        ),
    ),
)

FILTER = Target(
    "hil/wrench/filter.py",
    ("tests/hil/wrench/test_filter.py",),
    (
        Change(
            "the filter's weights are swapped",
            "filtered[i] = a * filtered[i] + (1.0 - a) * sample[i]",
            "filtered[i] = (1.0 - a) * filtered[i] + a * sample[i]",
        ),
        Change("the lag is that of a continuous filter", "    return dt * a / (1.0 - a)", "    return tau"),
        Change(
            "noise is gained as power",
            "return math.sqrt((1.0 - a) / (1.0 + a))",
            "return (1.0 - a) / (1.0 + a)",
        ),
        Change(
            "the derivative's noise lacks a root",
            "return (1.0 - a) / dt * math.sqrt(2.0 / (1.0 + a))",
            "return (1.0 - a) / dt * 2.0 / (1.0 + a)",
        ),
        Change(
            "the derivative is the change",
            "derivative[k, i] = (filtered[k, i] - filtered[k - 1, i]) / dt",
            "derivative[k, i] = filtered[k, i] - filtered[k - 1, i]",
        ),
    ),
)

WITNESS = Target(
    "hil/wrench/witness/torques.py",
    ("tests/hil/wrench/test_torque_witness.py",),
    (
        Change("the torques' sign is not taken", "self._sign * torque)", "torque)"),
        Change(
            "the baseline is not taken off",
            'frozen_array(row["sum"][last] - row["sum"][first] - span * self._baselines[item.impulse_id])',
            'frozen_array(row["sum"][last] - row["sum"][first])',
        ),
        Change(
            "it says nothing of a slice's last revision",
            "if told and not item.final and item.t_ns - self._told_ns < PERIOD_NS:",
            "if told and item.t_ns - self._told_ns < PERIOD_NS:",
        ),
        Change(
            "it speaks of every revision",
            "if told and not item.final and item.t_ns - self._told_ns < PERIOD_NS:",
            "if False:",
        ),
        Change(
            "the baseline is that of the push itself",
            "newest_until(self._memory, start - self._delay)",
            "newest_until(self._memory, stop)",
        ),
    ),
)

MONITOR = Target(
    "drivers/emulation/controller/command_monitor.py",
    ("tests/drivers/emulation/test_command_monitor.py",),
    (
        Change(
            "the lower bound is not looked at",
            "        if beyond > ROUNDING:\n",
            "        if beyond > ROUNDING and q[i] > 0.0:\n",
        ),
        Change("a session may begin anywhere", "        if away[i] <= STANDING:\n", "        if True:\n"),
        Change(
            "only the finest stride is looked at",
            "        if share <= 1.0 + RELATIVE:\n",
            "        if share <= 1.0 + RELATIVE or s > 0:\n",
        ),
        Change(
            "numbers that are none are let through",
            "        if not np.isfinite(q).all():\n            i = int",
            "        if False:\n            i = int",
        ),
        Change(
            "after a violation the stream goes on",
            "                self._fill(q, packet)\n                self._rounding[: SPAN - 1] = UNKNOWN\n",
            "                pass\n",
        ),
        Change("violations are not counted", "            self.violations += 1\n", ""),
        Change("a closed session is judged", '        if not self._open:\n            return ""\n', ""),
        Change(
            "old commands are lost when the room is full",
            "                held[: SPAN - 1] = held[ROOM - SPAN + 1 :].copy()\n",
            "                held[: SPAN - 1] = held[: SPAN - 1].copy()\n",
        ),
    ),
)

RATES = Target(
    "drivers/emulation/controller/command_rates.py",
    ("tests/drivers/emulation/test_command_monitor.py",),
    (
        Change("gaps are not seen", "t[k] = packets[row] * T", "t[k] = packets[last] * T - k * stride * T"),
        Change(
            "rounding is not tolerated",
            "share = (abs(value[k, i]) - added[k, i]) / bounds[k, i]",
            "share = abs(value[k, i]) / bounds[k, i]",
        ),
        Change(
            "rounding is tolerated thrice",
            "share = (abs(value[k, i]) - added[k, i]) / bounds[k, i]",
            "share = (abs(value[k, i]) - 3.0 * added[k, i]) / bounds[k, i]",
        ),
        Change(
            "divided differences lack their factorial",
            "span = (t[k] - t[k + order]) / order",
            "span = t[k] - t[k + order]",
        ),
        Change(
            "negative rates are none",
            "share = (abs(value[k, i]) - added[k, i])",
            "share = (value[k, i] - added[k, i])",
        ),
    ),
)
TARGETS = (KERNEL, SUMS, STATE, SLICES, FILTER, WITNESS, MONITOR, RATES)
