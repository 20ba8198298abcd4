"""Following a plan: guard, brake on the grid, interpolator, law, limiter, stop, reference, lead."""

from tests.mutants.mutant import Change, Target

GUARD_TESTS = ("tests/planner/following/test_guard.py",)
FOLLOWING_TESTS = ("tests/planner/following/test_interpolator.py",)
LIMITER_TESTS = ("tests/planner/following/test_limiter.py",)

GUARD = Target(
    "planner/following/guard.py",
    GUARD_TESTS,
    (
        Change(
            "the foresight on velocity is removed",
            "        if speed > V * (1.0 + RELATIVE_TOLERANCE):\n            return WILL_PASS_VELOCITY, i, speed, V\n",
            "",
        ),
        Change(
            "the foresight on the lower bound is removed",
            "        if low < lower:\n            return WILL_PASS_POSITION, i, low, bounds[LOWER, i]\n",
            "",
        ),
        Change(
            "the foresight on the upper bound is removed",
            "        if high > upper:\n            return WILL_PASS_POSITION, i, high, bounds[UPPER, i]\n",
            "",
        ),
        Change(
            "velocity is not looked at", "            return OVER_VELOCITY, i, v, V\n", "            pass\n"
        ),
        Change(
            "acceleration is not looked at",
            "            return OVER_ACCELERATION, i, a, A\n",
            "            pass\n",
        ),
        Change("jerk is not looked at", "            return OVER_JERK, i, j, J\n", "            pass\n"),
        Change(
            "position is not looked at",
            "            return OVER_POSITION, i, q[i], bounds[LOWER, i] if q[i] < lower else bounds[UPPER, i]\n",
            "            pass\n",
        ),
        Change("an objection is not heard", "finding == PASSED and not objection:", "finding == PASSED:"),
        Change(
            "an objection stands before what is no number",
            "self._condemn(objection if passed else",
            "self._condemn(objection if objection else",
        ),
        Change("NaN is let through", "            return NOT_FINITE, i, q[i], 0.0\n", "            pass\n"),
        Change(
            "only positive velocity is bounded",
            "if abs(v) > V * (1.0 + RELATIVE_TOLERANCE):",
            "if v > V * (1.0 + RELATIVE_TOLERANCE):",
        ),
        Change(
            "only positive jerk is bounded",
            "if abs(j) > J * (1.0 + RELATIVE_TOLERANCE):",
            "if j > J * (1.0 + RELATIVE_TOLERANCE):",
        ),
        Change("the quick look has no allowance", "COARSE_STEPS = 10.0", "COARSE_STEPS = 0.0"),
        Change("the quick look forgets the peak", "peak + COARSE_STEPS * dt * abs(a) <= V:", "abs(v) <= V:"),
        Change(
            "the foresight forgets a gap",
            "brake_extremes(q[i], v, a, A, J, dt, spans[0], spans[1])",
            "brake_extremes(q[i], v, a, A, J, dt, dt, dt)",
        ),
        Change(
            "a gap does not lengthen the acceleration's span",
            "a = (v - past[1, i]) / (0.5 * (spans[0] + spans[1]))",
            "a = (v - past[1, i]) / spans[0]",
        ),
        Change(
            "a gap does not lengthen the jerk's span",
            "(a - past[2, i]) * 3.0 / (spans[0] + spans[1] + spans[2])",
            "(a - past[2, i]) / spans[0]",
        ),
        Change(
            "a command that passed is not recorded",
            "                record(q_next, self._past, self._spans)\n",
            "",
        ),
        Change("the brake forgets a gap", "before = self._spans[1:].copy()", "before = np.full(2, self._dt)"),
        Change(
            "the brake begins at the refused command",
            "        self._rows = brake_into(self._brake, self._past, before, self._bounds, self._dt)",
            "        record(q_next, self._past, self._spans)\n        self._rows = brake_into(self._brake, self._past, before, self._bounds, self._dt)",
        ),
        Change(
            "a verdict is not latched",
            "        if not self._fault:\n            self._spans[2]",
            "        if True:\n            self._fault = ''\n            self._spans[2]",
        ),
        Change(
            "spans are not moved on",
            "            self._spans[2], self._spans[1] = self._spans[1], self._spans[0]\n",
            "",
        ),
        Change(
            "the brake goes one row a check whatever was missed",
            "self._row = min(self._row + cycles, self._rows)",
            "self._row = min(self._row + 1, self._rows)",
        ),
        Change("standing outside is no fault", "        if outside.size:", "        if False:"),
        Change("standing nowhere is no fault", " | ~np.isfinite(q))", ")"),
        Change(
            "a reset keeps the verdict",
            '        self._fault = ""\n        self._row, self._rows = 0, 0\n',
            '        self._fault = getattr(self, "_fault", "")\n        self._row, self._rows = 0, 0\n',
        ),
        Change(
            "a reset keeps the spans",
            "        self._spans = np.full(3, self._dt)\n",
            '        self._spans = getattr(self, "_spans", np.full(3, self._dt))\n',
        ),
        Change("it is at rest one row too soon", "self._row >= self._rows", "self._row >= self._rows - 1"),
        Change("violations are not counted", "        self.violations += 1\n", ""),
        Change(
            "every joint rests when the first does",
            "longest = max(longest, steps)",
            "longest = min(max(longest, 2), steps)",
        ),
    ),
)

BRAKE = Target(
    "planner/following/discrete_brake.py",
    GUARD_TESTS,
    (
        Change("the first step's reach forgets the gaps", "first = (h + h0 + h1) / 3.0", "first = h"),
        Change(
            "the second step's reach forgets the gap",
            "first + (2.0 * h + h0) / 3.0 + (i - 2) * h",
            "first + h + (i - 2) * h",
        ),
        Change(
            "positions forget the longer first step",
            "        if i < n:\n            v += brake_acceleration(i, n, share, a0, A, J, h, h0, h1) * (0.5 * (h + h0) if i == 1 else h)\n",
            "        if i < n:\n            v += brake_acceleration(i, n, share, a0, A, J, h, h0, h1) * h\n",
        ),
        Change(
            "extremes forget the longer first step",
            "    for i in range(1, n + 1):\n        v += brake_acceleration(i, n, share, a0, A, J, h, h0, h1) * (0.5 * (h + h0) if i == 1 else h)\n",
            "    for i in range(1, n + 1):\n        v += brake_acceleration(i, n, share, a0, A, J, h, h0, h1) * h\n",
        ),
        Change(
            "the sum forgets the longer first step",
            "v += _extreme(i, n, a0, A, J, h, h0, h1) * (0.5 * (h + h0) if i == 1 else h)",
            "v += _extreme(i, n, a0, A, J, h, h0, h1) * h",
        ),
        Change(
            "the acceleration is not bounded",
            "max(max(a0 - J * _reach(i, h, h0, h1), -A), -(n - i) * J * h)",
            "max(a0 - J * _reach(i, h, h0, h1), -(n - i) * J * h)",
        ),
        Change(
            "the end is not prepared",
            "max(max(a0 - J * _reach(i, h, h0, h1), -A), -(n - i) * J * h)",
            "max(a0 - J * _reach(i, h, h0, h1), -A)",
        ),
        Change(
            "one step more than needed",
            "    lowest = _velocity_after(high, v0, a0, A, J, h, h0, h1)",
            "    high += 1\n    lowest = _velocity_after(high, v0, a0, A, J, h, h0, h1)",
        ),
        Change(
            "the mixture is the other way round",
            "share * lowest + (1.0 - share) * highest",
            "(1.0 - share) * lowest + share * highest",
        ),
        Change(
            "only the lowest sequence is asked",
            "    return below and _velocity_after(n, -v0, -a0, A, J, h, h0, h1) <= 0.0",
            "    return below",
        ),
        Change("extremes begin after the first step", "    low = high = q0\n", "    low, high = 1e9, -1e9\n"),
        Change("the speed at the start is left out", "    speed = abs(v0)\n", "    speed = 0.0\n"),
    ),
)

INTERPOLATOR = Target(
    "planner/following/interpolator.py",
    FOLLOWING_TESTS,
    (
        Change(
            "a plan of any age is followed",
            "if not is_fresh(now_ns, reference.t_ns, self._timeout_ns):",
            "if False:",
        ),
        Change(
            "the plan is kept at a reset",
            "        self._reference: Reference | None = None\n",
            '        self._reference: Reference | None = getattr(self, "_reference", None)\n',
        ),
        Change(
            "a fault is kept at a reset",
            "        self._latched = False  # brakes and stands until `reset`\n",
            '        self._latched = getattr(self, "_latched", False)\n',
        ),
        Change(
            "the lead is kept at a reset",
            "        self._lead = Lead(self._configuration.lead_time)\n",
            '        self._lead = getattr(self, "_lead", None) or Lead(self._configuration.lead_time)\n',
        ),
        Change(
            "a plan that cannot be followed is taken",
            "        if fault := reference.fault:\n            return fault\n",
            "",
        ),
        Change("a latched fault follows again", "if follow and not self._latched:", "if follow:"),
        Change(
            "an order to brake is not obeyed", "if follow and not self._latched:", "if not self._latched:"
        ),
        Change(
            "following begins at any distance",
            "allowed = FOLLOW_DIFFERENCE if self._following else at_start",
            "allowed = FOLLOW_DIFFERENCE",
        ),
        Change("any distance is followed", "        if distance <= allowed:", "        if True:"),
        Change(
            "a plan far away is no fault",
            "        if self._following:\n            self._latched = True\n",
            "",
        ),
        Change(
            "a plan that has not begun is followed",
            '            return self._say("early", "plan begins after the instant looked at")',
            "            pass",
        ),
        Change(
            "a plan that has ended is followed",
            "        if where != INSIDE:\n            return self._say(",
            "        if False:\n            return self._say(",
        ),
        Change(
            "a limiter that fails is no fault",
            "            self._fault, self._latched = str(error), True\n            return self._say(",
            "            return self._say(",
        ),
        Change(
            "a brake whose limiter fails goes on",
            "            stop_into(out, self._state, self._bounds, h)\n",
            "            out[:] = self._state\n",
        ),
        Change(
            "a joint that would pass its limit is no fault",
            '        self._latched = True\n        return self._say(f"limit',
            '        return self._say(f"limit',
        ),
        Change(
            "commands take the full limits",
            "full.scaled(limits.command_fraction, reserve)",
            "full.scaled(1.0, reserve)",
        ),
        Change(
            "no reserve is kept before the position limits",
            "full.scaled(limits.command_fraction, reserve)",
            "full.scaled(limits.command_fraction, 0.0)",
        ),
        Change("cycles without a packet are not made up for", "h = cycles * self._dt", "h = self._dt"),
        Change(
            "gaps are closed fast whatever the lead",
            "return highest if lead * highest <= overshoot else overshoot / lead",
            "return highest",
        ),
        Change(
            "pushes act in joints of before",
            "                self._push[:] = 0.0\n",
            "                pass\n",
        ),
        Change(
            "the displacement by pushes is left out",
            "        for row in range(3):\n            self._push[row]",
            "        for row in range(1):\n            self._push[row]",
        ),
        Change(
            "the lead jumps", "            self._lead.step(lead, h)\n", "            self._lead.set(lead)\n"
        ),
        Change("joints never stand exactly", "        out[1:, standing] = 0.0\n", ""),
        Change(
            "the planned velocity is that of now",
            "self._reference.at(t_ns + round(self._lead.value * 1e9))",
            "self._reference.at(t_ns)",
        ),
    ),
)

CLOSING = Target(
    "planner/following/closing.py",
    (*FOLLOWING_TESTS, "tests/planner/following/test_closing.py"),
    (
        Change(
            "closing is no share of the overshoot", "return 2.0 * configuration", "return 4.0 * configuration"
        ),
        Change("closing leaves no time to slow down", "SLOWED = 0.5", "SLOWED = 50.0"),
        Change(
            "closing may move the object at any speed",
            "        if speed * share > closing.most[part]:\n            share = closing.most[part] / speed\n",
            "",
        ),
        Change(
            "the spin of closing is bounded by the speed's bound",
            "if speed * share > closing.most[part]:",
            "if speed * share > closing.most[0]:",
        ),
        Change(
            "the bound on a joint is not looked at", "share = closing.most[1] / abs(dq[j])", "share = share"
        ),
        Change(
            "closing is bounded at the flange",
            "J = jacobian(closing.geometry, q, closing.T_flange_object)",
            "J = jacobian(closing.geometry, q, np.eye(4))",
        ),
    ),
)

LAW = Target(
    "planner/following/law.py",
    ("tests/planner/following/test_law.py", *FOLLOWING_TESTS),
    (
        Change("the gap grows", "decay = math.exp(-k * h)", "decay = math.exp(k * h)"),
        Change(
            "the gap is closed at any speed",
            "        if share < 1.0:",
            "        if share < 0.0:",
        ),
        Change(
            "closing adds no velocity",
            "out[1, i] = reference[1, i] + u + speed",
            "out[1, i] = reference[1, i] + u",
        ),
        Change(
            "pushes add no velocity",
            "out[1, i] = reference[1, i] + u + speed",
            "out[1, i] = reference[1, i] + speed",
        ),
        Change("pushes add no way", "out[0, i] = reference[0, i] + d + e", "out[0, i] = reference[0, i] + e"),
        Change("the gap counts a push twice", "before = gap[i] - (d - u * h)", "before = gap[i] - d"),
        Change(
            "a gap that is no number is the smallest",
            "if not size <= distance and not math.isnan(distance):",
            "if size > distance:",
        ),
        Change("the target's velocity is not bounded", "v = min(max(out[1, i], -V), V)", "v = out[1, i]"),
        Change(
            "an arriving acceleration is not bounded",
            "                a = min(max(a, -highest), highest)\n",
            "",
        ),
        Change(
            "the acceleration of a joined step is not looked at",
            "    if not abs(a1) <= A:\n        return False\n",
            "",
        ),
        Change(
            "the jerk of a joined step is not looked at",
            "if not (jerk <= J and within <= A):\n        jerk, within, q1",
            "if not within <= A:\n        jerk, within, q1",
        ),
        Change(
            "a step that cannot be stopped later is joined",
            "return fast and near and abs(q1 - q0) <= bounds[VELOCITY, i] * h",
            "return abs(q1 - q0) <= bounds[VELOCITY, i] * h",
        ),
        Change(
            "a blocked joint is not said",
            "            if not near and blocked < 0:\n                blocked = i\n",
            "",
        ),
        Change(
            "a joint that could not be stopped later goes on",
            "            q, v, a = stop_step(state[0, i], state[1, i], state[2, i], A, J, h)\n            if not",
            "            if not",
        ),
    ),
)

STOPPING = Target(
    "planner/following/stopping.py",
    (*LIMITER_TESTS, *GUARD_TESTS),
    (
        Change(
            "a stop forgets the acceleration it has",
            "remaining = v + a * abs(a) / (2.0 * J)",
            "remaining = v",
        ),
        Change("a stop has no plateau", "    if peak > A:", "    if False:"),
        Change("the peak is not bounded", "peak = max(A, a)", "peak = max(peak, a)"),
        Change("rest is never exact", "else (q, 0.0, 0.0)", "else (q, v, a)"),
        Change(
            "the range forgets the turn", "        low, high = min(q, turn), max(q, turn)\n", "        pass\n"
        ),
        Change(
            "velocity to come is safe",
            "fast = abs(v) <= V and abs(v + a * abs(a) / (2.0 * J)) <= V",
            "fast = abs(v) <= V",
        ),
        Change(
            "the upper bound is not looked at",
            "return fast, lower <= low and high <= upper",
            "return fast, lower <= low",
        ),
        Change("a third of the jerk's way is left out", "t * j / 6.0", "t * j / 2.0"),
    ),
)

LIMITER = Target(
    "planner/following/limiter.py",
    LIMITER_TESTS,
    (
        Change(
            "the target does not move",
            "aim[0, i] = state[1, i] - (target[0, i] - a_t * h)",
            "aim[0, i] = state[1, i] - target[0, i]",
        ),
        Change(
            "the acceleration's bounds do not move along",
            "aim[2, i] = acceleration[i] - a_t",
            "aim[2, i] = acceleration[i]",
        ),
        Change(
            "the place forgets the moving target",
            "moved[0, i] += state[0, i] + h * (target[0, i] - 0.5 * h * a_t)",
            "moved[0, i] += state[0, i] + h * target[0, i]",
            tests=FOLLOWING_TESTS,
        ),
        Change(
            "a profile that is not finite is taken",
            "        if not land_into(moved, state, target, self._acceleration, h):\n            raise",
            "        if not land_into(moved, state, target, self._acceleration, h) and False:\n            raise",
        ),
        Change(
            "ruckig's exception is its own",
            "        except ruckig.RuckigError as error:",
            "        except ZeroDivisionError as error:",
        ),
        Change(
            "the target's acceleration is not bounded",
            "return min(max(wanted, -highest), highest)",
            "return wanted",
            tests=(*LIMITER_TESTS, *FOLLOWING_TESTS),
        ),
    ),
)

REFERENCE = Target(
    "planner/following/reference.py",
    ("tests/planner/following/test_reference.py",),
    (
        Change("the pace does not slow the velocity", "        out[1, i] *= first\n", ""),
        Change(
            "the pace's slew is left out",
            "second = rate_slew * pace * pace + rate * slew",
            "second = rate * slew",
        ),
        Change(
            "the lead's slew is left out",
            "second = rate_slew * pace * pace + rate * slew",
            "second = rate_slew * pace * pace",
        ),
        Change("behind the end the first node goes on", "node = 0 if x < 0.0 else last", "node = 0"),
        Change(
            "a plan of one node is followed", "if self.nodes.shape[0] < 2 or", "if self.nodes.shape[0] < 1 or"
        ),
        Change("a plan of NaN is followed", "if not (np.isfinite(self.nodes).all() and", "if not ("),
        Change("a wrong coefficient", "c4 = -15.0 * gap + 7.0 * dv - da", "c4 = -15.0 * gap + 8.0 * dv - da"),
    ),
)

LEAD = Target(
    "planner/following/lead.py",
    FOLLOWING_TESTS,
    (
        Change("the lead changes at any rate", "LEAD_RATE = 0.02", "LEAD_RATE = 2.0"),
        Change("the lead runs away", "(target - self.value)", "(self.value - target)"),
        Change(
            "the lead keeps its rate when set",
            "self.value, self.rate, self.slew = value, 0.0, 0.0",
            "self.value, self.slew = value, 0.0",
        ),
    ),
)
TARGETS = (GUARD, BRAKE, INTERPOLATOR, CLOSING, LAW, STOPPING, LIMITER, REFERENCE, LEAD)
