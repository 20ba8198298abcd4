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
            "what an earlier push made good is kept",
            "        s.given[i] = s.steadied_by[i] = 0.0\n",
            "        s.steadied_by[i] = 0.0\n",
        ),
        Change(
            "what comes behind a push is heard as rest",
            "        s.cursor = min(s.cursor, max(j, s.last))  # what was heard since is this push\n",
            "",
        ),
        Change(
            "a hand that has not let go loses what is between",
            "        went_on = echo and s.steadied == 1\n",
            "        went_on = False\n",
        ),
        Change("the start is not drawn on", "    if j != s.first:\n", "    if False:\n"),
        Change(
            "a slice begins one sample late",
            "            next_slice(s, k - 1)\n",
            "            next_slice(s, k)\n",
        ),
        Change(
            "the last slice is never final",
            "        rows = report(s, c, YES, not again, flags, numbers, rows)\n",
            "        rows = report(s, c, NO, not again, flags, numbers, rows)\n",
        ),
        Change(
            "what a slice has made good is forgotten",
            "        s.given[i] += s.correction[i]\n",
            "        pass\n",
        ),
        Change(
            "a gap at the onset is not flagged",
            "s.uncertain = 1 if s.gap_at > s.t[j & MASK] else 0",
            "s.uncertain = 0",
        ),
        Change(
            "uncertainty is kept for the next push",
            "s.uncertain = 1 if s.gap_at > s.t[j & MASK] else 0",
            "s.uncertain = max(s.uncertain, 1 if s.gap_at > s.t[j & MASK] else 0)",
        ),
        Change(
            "a glitch counts",
            "    s.glitch = 1 if s.slice == 0 and lone_sample(s) else 0\n",
            "    s.glitch = 0\n",
        ),
        Change(
            "revisions go on in the next slice",
            "    s.slice += 1\n    s.revision = 0\n",
            "    s.slice += 1\n",
        ),
        Change(
            "a push is never sustained", "stop - start > c.sustained_time, s.uncertain", "False, s.uncertain"
        ),
    ),
)

STARTING = Target(
    "hil/wrench/detector/starting.py",
    (*DETECTOR_TESTS, "tests/hil/loop/test_set_off.py"),
    (
        Change("it looks for pushes before the baseline means something", "> ARMING_TIME", "> 0.0"),
        Change(
            "a push as it sets off is learnt",
            "    return apart(s.filtered, s.mean) > c.level\n",
            "    return False\n",
        ),
        Change("... or at its height", "s.known_before == 1 and apart", "False and apart"),
        Change(
            "what an arm does as it sets off counts in a sum", "not armed(s, s.lag, k)", "not armed(s, k, k)"
        ),
        Change(
            "the counter-swing is a push",
            "        level_limit += envelope + s.level_closing",
            "        level_limit += s.level_closing",
        ),
        Change("the rate is not looked at", "    if s.rate > rate_limit:\n        return True\n", ""),
        Change(
            "the level is not looked at",
            "    return apart(s.slow, s.reference) > level_limit\n",
            "    return False\n",
        ),
        Change(
            "unrest does not raise the level",
            "max(c.level, LEVEL_UNREST * s.unrest[lag], NEW",
            "max(c.level, NEW",
        ),
        Change("the sum is not looked at", "    if k % LOOK_EVERY != 0 or", "    if True or"),
        Change("a push in the noise begins where it shows in the sum", "    find_strongest(s, k)\n", ""),
        Change("noise that begins is a push", "NEW_NOISE = 20.0", "NEW_NOISE = 0.0"),
    ),
)

GROWTH = Target(
    "hil/wrench/detector/growth.py",
    DETECTOR_TESTS,
    (
        Change(
            "a push is over at its first dip",
            "over = along < 0.5 * s.peak and (",
            "over = along < 0.9 * s.peak or (",
        ),
        Change("slices grow without end", "    return FULL if t", "    return GROWN if t"),
        Change(
            "a push that is none keeps its number",
            "                s.impulse_id -= 1\n",
            "                pass\n",
            equivalent="numbers only tell pushes apart: nothing that was reported has the one that is left out",
        ),
    ),
)

EDGES = Target(
    "hil/wrench/detector/edges.py",
    DETECTOR_TESTS,
    (
        Change("a push begins where it is seen", "    j = max(j - 1, earliest)\n", "    j = k\n"),
        Change("the end is not drawn on", "    return min(max(j, s.last), k)\n", "    return s.last\n"),
        Change("the end is where it is seen", "    return min(j + 1, k)\n", "    return k\n"),
    ),
)

INTAKE = Target(
    "hil/wrench/detector/intake.py",
    DETECTOR_TESTS,
    (
        Change(
            "a gap within a push is not flagged",
            "            if s.phase == PUSH:\n                s.uncertain = 1\n",
            "",
        ),
        Change(
            "the push is in the baseline",
            "    if s.phase != PUSH:  # the push itself stays out of the baseline\n        smooth_into",
            "    if True:\n        smooth_into",
            equivalent="the kernel integrates against `baseline`, set at the onset from the means kept with each sample; `mean` is set to it "
            "when the push begins, and its drift during a push only moves the rest after it, within the drift that the tests allow",
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
    ),
)

DISTURBANCE_TESTS = ("tests/hil/wrench/test_disturbance.py",)

DISTURBANCE = Target(
    "hil/wrench/detector/disturbance.py",
    DISTURBANCE_TESTS,
    (
        Change(
            "the swing is turned the other way",
            "keep[SWING] * u + keep[SWUNG] * v",
            "keep[SWING] * u - keep[SWUNG] * v",
        ),
        Change(
            "the covariance is moved on once",
            "    _carry(P, keep, h, gather)\n    _disturb(",
            "    _disturb(",
        ),
        Change(
            "the integral's own noise is forgotten",
            "    P[GATHERED, GATHERED] += gathered_variance(c, noise, span)\n",
            "",
        ),
        Change(
            "what is heard does not make the states surer",
            "        gain = seen[m] / variance\n",
            "        gain = 0.0\n",
        ),
        Change(
            "a slope does not forget itself",
            "    keep[SLOPE] = math.exp(-span / SLOPE_TIME)\n",
            "    keep[SLOPE] = 1.0\n",
        ),
    ),
)

BRIDGE = Target(
    "hil/wrench/detector/bridge.py",
    (*DISTURBANCE_TESTS, *DETECTOR_TESTS),
    (
        Change(
            "a push's samples are heard",
            "    predict(s.disturbance[q], s.spread[q], c, s.noise, s.t[q] - s.t_first, YES)\n",
            "    predict(s.disturbance[q], s.spread[q], c, s.noise, 0.0, YES)\n",
        ),
        Change("no swing is expected", "    s.spread[q, SWUNG, SWUNG] += (SWING_SHARE * s.peak) ** 2\n", ""),
        Change(
            "white noise within a push is forgotten",
            "    variance = loud * variance + s.noise[0] * span**2 / samples\n",
            "    variance = loud * variance\n",
        ),
        Change(
            "all axes are alike",
            "math.sqrt(max(variance * s.share[m], 0.0))",
            "math.sqrt(max(variance, 0.0))",
        ),
        Change(
            "behind a hand that lay for long its last weak hold is rest",
            "        s.deaf_until = s.t[q] + c.echo_time\n",
            "        pass\n",
        ),
    ),
)

LOUDNESS = Target(
    "hil/wrench/detector/loudness.py",
    DISTURBANCE_TESTS,
    (
        Change(
            "white noise grows with the arm's",
            "square, MOST * expected) - s.noise[0]",
            "square, MOST * expected)",
        ),
        Change(
            "noise near a push is what was learned",
            "    return max(LEAST, (doubt + before",
            "    return 1.0\n    return max(LEAST, (doubt + before",
        ),
    ),
)

NOISE = Target(
    "hil/wrench/detector/noise_tracking.py",
    DISTURBANCE_TESTS,
    (
        Change("pairs are not halved", "        half = 0.5 * (", "        half = ("),
        Change(
            "all noise is white",
            "        s.noise[j] = max(s.noise[j] * up / down, LEAST)\n",
            "        s.noise[j] = LEAST\n",
        ),
        Change("the shares are those of one lag", "(mean * c.lags)", "mean"),
    ),
)

FLANK = Target(
    "hil/wrench/detector/flank.py",
    DETECTOR_TESTS,
    (
        Change(
            "a flank ends where it is weak",
            "    return weak - (strong - weak) * low / (STRONG * top - low)\n",
            "    return weak\n",
        ),
        Change(
            "a flank is drawn on inwards",
            "    return weak - (strong - weak) * low / (STRONG * top - low)\n",
            "    return weak + (strong - weak) * low / (STRONG * top - low)\n",
        ),
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
            "centroid = turned / net",
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
TARGETS = (
    KERNEL,
    STARTING,
    GROWTH,
    EDGES,
    INTAKE,
    DISTURBANCE,
    BRIDGE,
    LOUDNESS,
    NOISE,
    FLANK,
    SUMS,
    STATE,
    SLICES,
    FILTER,
    WITNESS,
    MONITOR,
    RATES,
)
