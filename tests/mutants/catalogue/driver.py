"""The driver: core, short cut, live slices, push lead, interface delay, held body, plausibility."""

from tests.mutants.mutant import Change, Target

FRESHNESS_TESTS = ("tests/hil/loop/test_freshness.py",)

CORE = Target(
    "hil/loop/driver/core.py",
    (
        "tests/hil/loop/test_driver_core.py",
        "tests/hil/loop/test_driver_stops.py",
        "tests/hil/loop/test_driver_faults.py",
        "tests/hil/loop/test_driver_verdicts.py",
    ),
    (
        Change(
            "a reset counts while the arm still brakes",
            " and mode.state == State.READY and standing:",
            " and mode.state == State.READY:",
        ),
        Change(
            "a reset counts while the commands still move",
            "standing = self._guard.at_rest and not self._dq_command.any()",
            "standing = self._guard.at_rest",
        ),
        Change(
            "a fault is left without a reset",
            "if self._fault_ordered and mode.state == State.READY",
            "if mode.state == State.READY",
        ),
        Change(
            "the plan of the last floating is kept",
            "self._epoch, self._plan, self._unfollowed = mode.epoch, None, None",
            "self._epoch, self._unfollowed = mode.epoch, None",
        ),
        Change("live slices of the last floating are kept", "            self._live.clear()\n", ""),
        Change(
            "the detector goes on from standing into floating",
            "            self._live.clear()\n            self._sensing.restart()\n",
            "            self._live.clear()\n",
        ),
        Change(
            "a late start is a push",
            "if self._plan is None:  # the arm sets off",
            "if False:  # the arm sets off",
            tests=("tests/hil/loop/test_set_off.py",),
        ),
        Change(
            "a plan of another floating is taken",
            "if plan.epoch != self._epoch or self._interpolator.accept(plan):",
            "if self._interpolator.accept(plan):",
        ),
        Change(
            "a plan that the interpolator refuses is taken",
            "if plan.epoch != self._epoch or self._interpolator.accept(plan):",
            "if plan.epoch != self._epoch or (self._interpolator.accept(plan) and False):",
        ),
        Change(
            "a new session without a monitor packet goes on",
            "if not self._commanding or sample.new_session:",
            "if not self._commanding:",
        ),
        Change(
            "the first answer of a session is the last command",
            "            self._restart(sample.q_commanded)\n",
            "            self._restart(self._q_command)\n",
        ),
        Change(
            "an emergency answers a new session with the old brake",
            "sample.commanding and not sample.new_session",
            "sample.commanding",
        ),
        Change(
            "an emergency answers outside command mode",
            "self._commanding &= sample.commanding and not sample.new_session",
            "self._commanding &= not sample.new_session",
        ),
        Change(
            "an emergency is forgotten",
            "        self._failed(error)\n        self.following = False",
            "        self.following = False",
        ),
        Change(
            "an emergency repeats the last command",
            "self._checked(NOWHERE, sample.count).q",
            "self._checked(self._q_command, sample.count).q",
            equivalent=(
                "the guard refuses a repeated position while the arm moves, and brakes the same way; "
                "where it lets it through the stop itself keeps all limits, and the fault is latched by "
                "the driver all the same"
            ),
        ),
        Change(
            "an emergency still follows",
            "        self._failed(error)\n        self.following = False\n",
            "        self._failed(error)\n",
        ),
        Change(
            "a failure after the answer is swallowed",
            "            self._failed(error)\n            return Conclusion()",
            "            return Conclusion()",
        ),
        Change(
            "a failure in telling slices is swallowed",
            "            self._failed(error)\n            return []",
            "            return []",
        ),
        Change(
            "a later failure replaces the first",
            'self.fault = self.fault or f"driver:',
            'self.fault = f"driver:',
        ),
        Change(
            "an implausible wrench is no fault",
            "            self._suspect(implausible)\n",
            "            pass\n",
        ),
        Change(
            "an implausible wrench is judged while standing",
            "if (moving or self._by_hand.moves) and (implausible",
            "if (implausible",
        ),
        Change(
            "a latched interpolator is no fault", '(step.reason if self._interpolator.latched else "")', '""'
        ),
        Change("the guard's verdict is no fault", "self.fault = verdict.violation or (", "self.fault = ("),
        Change(
            "a stale order is obeyed", "fresh = is_fresh(now_ns, mode.t_ns, MODE_TIMEOUT_NS)", "fresh = True"
        ),
        Change(
            "an order holds twice as long", "mode.t_ns, MODE_TIMEOUT_NS)", "mode.t_ns, 2 * MODE_TIMEOUT_NS)"
        ),
        Change(
            "orders are judged by stamps",
            "self._obey(sample.arrival_ns, mode)",
            "self._obey(sample.t_ns, mode)",
            tests=FRESHNESS_TESTS,
        ),
        Change(
            "plans are judged by stamps",
            "cycles, sample.arrival_ns,",
            "cycles, sample.t_ns,",
            tests=FRESHNESS_TESTS,
        ),
        Change(
            "stamps stay steady over a silence",
            "self.following, self.afloat, self._silent = False, False, True",
            "self.following, self._silent = False, True",
            tests=FRESHNESS_TESTS,
        ),
        Change(
            "the robot's state has no arrival",
            "            arrival_ns=sample.arrival_ns,\n",
            "            arrival_ns=t_ns,\n",
            tests=FRESHNESS_TESTS,
        ),
        Change(
            "READY moves the arm",
            "fresh and mode.state in MOVING and not self.fault",
            "fresh and not self.fault",
        ),
        Change(
            "a fault does not stop",
            "mode.state in MOVING and not self.fault",
            "mode.state in MOVING",
            tests=FRESHNESS_TESTS,
        ),
        Change(
            "the guard is not asked",
            "        return verdict.q\n\n    def _held_on",
            "        return step.q\n\n    def _held_on",
        ),
        Change("a restart leaves the guard where it was", "        self._guard.reset(q)\n", ""),
        Change("a restart leaves the interpolator where it was", "        self._interpolator.reset(q)\n", ""),
        Change(
            "missed packets are not counted into the step",
            "elapsed = (count - self._sent_count) * self._dt",
            "elapsed = self._dt",
        ),
        Change(
            "the interpolator steps one cycle whatever was missed",
            "cycles = sample.count - self._sent_count",
            "cycles = 1",
        ),
        Change(
            "a packet is judged twice",
            "        if count == self._sent_count:\n            return Verdict(self._q_command, self._guard.fault)\n",
            "",
        ),
        Change(
            "the answered packet is not remembered",
            "self._q_command, self._sent_count = verdict.q, count",
            "self._q_command = verdict.q",
        ),
        Change(
            "a session's first packet is not remembered", "            self._sent_count = sample.count\n", ""
        ),
        Change(
            "the delay is not learnt",
            "            self._delay.step(self._q_command, sample.q_measured, self._answered_cycles)\n",
            "            pass\n",
            tests=("tests/hil/loop/test_lockstep.py", "-k", "arm_is_where"),
        ),
        Change("the stream of the delay goes on over a new session", "        self._delay.interrupt()\n", ""),
    ),
)

SENSING = Target(
    "hil/loop/driver/sensing.py",
    ("tests/hil/loop/test_driver_core.py", "tests/hil/loop/test_driver_verdicts.py"),
    (
        Change(
            "the detector hears the robot's own",
            "take(sample.t_ns, felt)",
            "take(sample.t_ns, self.wrench_object)",
            tests=("tests/hil/loop/calibration/test_sensing_found.py",),
        ),
        Change(
            "a contact goes on without a sensor",
            "return None if self._touching is None else self._touching.lost()",
            "return None",
            tests=("tests/hil/loop/test_sensor_in_contact.py",),
        ),
        Change(
            "a jump of the stamps leaves no gap",
            "            self._detector.mark_gap(sample.t_ns)\n",
            "            pass\n",
            tests=FRESHNESS_TESTS,
        ),
        Change(
            "the wrench is taken in the other axes",
            "            self._in_its_axes,\n        )\n        if self._held",
            "            not self._in_its_axes,\n        )\n        if self._held",
            tests=("tests/hil/loop/test_energy_monitor.py", "-k", "right_wrench"),
        ),
        Change(
            "the wrench is about the tcp",
            "            frames.T_flange_object,\n            measured,",
            "            frames.T_flange_tcp,\n            measured,",
            tests=(
                "tests/hil/loop/test_driver_core.py",
                "tests/hil/loop/test_lockstep.py",
                "-k",
                "driver_core or every_push",
            ),
        ),
        Change(
            "thresholds of an order are never taken",
            "            self._detector.retune(thresholds.within(self._detection))\n",
            "            pass\n",
        ),
    ),
)

SHORT_CUT = Target(
    "hil/loop/driver/short_cut.py",
    ("tests/hil/loop/test_short_cut.py", "tests/hil/loop/test_driver_stops.py"),
    (
        Change("a braking push on a fast body is cut", "max(caps[part], math.sqrt(before))", "caps[part]"),
        Change("nothing is cut", "        if speed > most:", "        if False:"),
        Change(
            "what is missing is capped, not the total",
            "total += (planned[i] + missing[0, i]) ** 2",
            "total += missing[0, i] ** 2",
        ),
        Change("the displacement is left whole", "missing[1, i] *= min(share, 1.0)", "missing[1, i] *= 1.0"),
        Change("spin is cut at the speed's cap", "most = max(caps[part],", "most = max(caps[0],"),
        Change(
            "what is missing stays in object axes",
            "turned[row, i] += R_base_object[i % 3, j] * missing[row, 3 * (i // 3) + j]",
            "turned[row, i] += (1.0 if row == 0 and i % 3 == j else 0.0 if row == 0 else R_base_object[i % 3, j]) * missing[row, 3 * (i // 3) + j]",
        ),
        Change(
            "the displacement stays in object axes",
            "turned[row, i] += R_base_object[i % 3, j] * missing[row, 3 * (i // 3) + j]",
            "turned[row, i] += (1.0 if row == 1 and i % 3 == j else 0.0 if row == 1 else R_base_object[i % 3, j]) * missing[row, 3 * (i // 3) + j]",
        ),
        Change(
            "what is missing is turned back",
            "turned[row, i] += R_base_object[i % 3, j]",
            "turned[row, i] += R_base_object[j, i % 3]",
        ),
    ),
)

LIVE = Target(
    "hil/loop/driver/live_slices_kernel.py",
    ("tests/hil/loop/test_live_slices.py",),
    (
        Change(
            "a revision adds to the one before",
            "                count(out, b, i, known, at_ns, -1.0)\n",
            "                pass\n",
        ),
        Change(
            "the displacement counts from the report",
            "since = 1e-9 * (at_ns - b.centroid_ns[i, r])",
            "since = 1e-9 * (at_ns - b.reported_ns[i, r])",
        ),
        Change("a contained slice is kept", "or (b.final[i] and known == newest):", "or False:"),
        Change("a refused push is never forgotten", "if t_ns - b.t_end_ns[i] > forget_ns or (", "if ("),
        Change("the plan before counts as well", "    b.known[:] = NONE\n", ""),
        Change(
            "a crowd drops the newest",
            "if b.t_end_ns[i] < b.t_end_ns[oldest]:",
            "if b.t_end_ns[i] > b.t_end_ns[oldest]:",
        ),
        Change("torques keep the filter's scale", "(length if k > 2 else 1.0)", "1.0"),
        Change("the ring is timed at every plan", "            b.reported_ns[i, r] = 0\n", ""),
        Change(
            "torques are divided by the mass",
            "        out[0, k] /= masses[k]\n",
            "        out[0, k] /= masses[0]\n",
        ),
        Change("the displacement is an impulse still", "        out[1, k] /= masses[k]\n", ""),
        Change(
            "forgetting all forgets one",
            "        if book[0].kept[i]:\n            forget(book[0], i)\n",
            "        if book[0].kept[i]:\n            forget(book[0], i)\n            return\n",
        ),
        Change(
            "a revision that nobody reported is taken as contained",
            "row[2] < 0 or row[2] > b.revision[i] or",
            "row[2] < 0 or",
        ),
    ),
)

PUSH_LEAD = Target(
    "hil/loop/driver/push_lead.py",
    ("tests/hil/loop/test_push_lead.py",),
    (
        Change("a push that has ended is led on", "if ended or not something:", "if not something:"),
        Change("a push taken back is led on", "if ended or not something:", "if ended:"),
        Change(
            "a push no longer reported is led on",
            "if g.count < 2 or t_ns - g.t_ns[newest % KEPT] > CURRENT_NS:",
            "if g.count < 2:",
        ),
        Change(
            "a falling force is led beyond its end",
            "        lead = min(lead, square / falling)\n",
            "        pass\n",
        ),
        Change("the slope is left out", "(force[k] + 0.5 * slope[k] * lead) * lead", "force[k] * lead"),
        Change("another push goes on with the last", "    if impulse_id != g.impulse_id:", "    if False:"),
        Change(
            "the last total is kept",
            "        g.total[:] = 0.0\n",
            "",
            equivalent=(
                "only differences between totals are used, and a new push clears the reports that they "
                "are taken of; a constant in all of them is in none of the differences"
            ),
        ),
        Change(
            "force and torque weigh alike",
            "square += force[k] * force[k] / masses[k]",
            "square += force[k] * force[k]",
        ),
        Change(
            "a revision adds to the one before",
            "g.total[k] += impulse[k] - before",
            "g.total[k] += impulse[k]",
        ),
        Change(
            "a correction in the same cycle is a sample of its own",
            "        g.count -= 1  # the slice before was corrected in the same cycle\n",
            "        pass\n",
        ),
    ),
)

DELAY = Target(
    "hil/loop/driver/interface_delay.py",
    ("tests/hil/loop/test_interface_delay.py",),
    (
        Change("old commands stay over an interruption", "        self._ring[:] = 0.0\n", ""),
        Change("the filter's memory stays over an interruption", "        self._filtered[:] = 0.0\n", ""),
        Change(
            "the jump over an interruption is a step",
            "        self._filtered[:] = 0.0\n        self._before = None\n",
            "        self._filtered[:] = 0.0\n",
        ),
        Change("it learns at rest", "LEAST_SPEED = 0.01", "LEAST_SPEED = 0.0"),
        Change(
            "missing answers are not bridged",
            "range(1, cycles if cycles <= BRIDGED_CYCLES else 1)",
            "range(1, 1)",
        ),
        Change("an apex at the edge counts", "inside = 0 < row < len(self._sums) - 1", "inside = True"),
        Change(
            "a robot that stands still teaches",
            "follows = self._energy[1] > LEAST_ENERGY * self._energy[0]",
            "follows = True",
            equivalent=(
                "of y = g c(t - T) the sum has (1 - g)^2 at its minimum and at most (1 - g)^2 + 4 g "
                "beside it: sharper than 0.05 is only g above 0.6, an energy above 0.36, well over the "
                "quarter that is asked for"
            ),
        ),
        Change("a blunt minimum counts", "SHARPNESS = 0.05", "SHARPNESS = 2.0"),
        Change(
            "the apex is not refined",
            "(i + 0.5 * (below - above) / curvature if curvature > 0.0 else float(i))",
            "float(i)",
        ),
        Change("the apex is refined the wrong way", "0.5 * (below - above)", "0.5 * (above - below)"),
        Change(
            "numbers that are none are taken",
            "        if not (np.isfinite(command[m]) and np.isfinite(measured[m])):\n",
            "        if False:\n",
        ),
    ),
)

HELD = Target(
    "hil/wrench/held_body.py",
    ("tests/hil/wrench/test_held_body.py",),
    (
        Change(
            "the tcp's axes are the flange's",
            "R_base_tcp = R_base_flange @ np.ascontiguousarray(T_flange_tcp[:3, :3])",
            "R_base_tcp = R_base_flange",
        ),
        Change(
            "the lever has the other sign",
            "(T_flange_tcp[:3, 3] - T_flange_object[:3, 3])",
            "(T_flange_object[:3, 3] - T_flange_tcp[:3, 3])",
        ),
        Change("the lever stays in flange axes", "lever = R_base_flange @ (", "lever = 1.0 * ("),
        Change(
            "the wrench stays in base axes",
            "stacked(R_base_object.T @ moved[:3], R_base_object.T @ moved[3:])",
            "stacked(R_base_object @ moved[:3], R_base_object @ moved[3:])",
        ),
        Change(
            "object axes are the flange's",
            "    return R_base_flange @ np.ascontiguousarray(T_flange_object[:3, :3])",
            "    return R_base_flange",
        ),
        Change(
            "the base stands in the world's origin",
            "return T_world_base @ flange_pose(",
            "return flange_pose(",
        ),
    ),
)

PLAUSIBLE = Target(
    "hil/wrench/plausibility.py",
    ("tests/hil/loop/test_short_cut.py",),
    (
        Change(
            "torques are not looked at",
            "if force <= self._force and torque <= self._torque:",
            "if force <= self._force:",
        ),
        Change(
            "a spike is not forgiven",
            "            self._since_ns = None\n            return",
            "            return",
        ),
        Change(
            "it counts from every sample anew",
            "        if self._since_ns is None:\n            self._since_ns = t_ns",
            "        self._since_ns = t_ns",
        ),
        Change(
            "NaN is plausible",
            "if force <= self._force and torque <= self._torque:",
            "if not (force > self._force or torque > self._torque):",
        ),
        Change("at once is long enough", "if t_ns - self._since_ns < self._time_ns:", "if False:"),
    ),
)
CERTIFICATE_TESTS = ("tests/hil/loop/test_certificate.py",)
OTHER_ARM = ("tests/hil/loop/test_any_arm.py", "-k", "certificate_is_judged or jacobian or as_late")
OURS = (
    '__import__("planner.kinematics.arm_model", fromlist=["x"]).load_arm_model('
    '__import__("pathlib").Path(__file__).parents[3] / "configs/robots/lwr4.urdf")'
)  # our arm's model in whatever file
PENETRATION = Target(
    "hil/configuration/penetration.py",
    ("tests/hil/configuration/test_penetration.py",),
    (
        Change(
            "equal energy spins no faster about a light axis",
            "spin_ratio=math.sqrt(largest / np.min(inertia))",
            "spin_ratio=1.0",
        ),
        Change(
            "unequal inertias do not deepen the swing",
            "angle * math.sqrt(largest / (0.5 * (inertia[0] + inertia[1])))",
            "angle",
        ),
        Change(
            "unequal inertias do not deepen the twist", "angle * math.sqrt(largest / inertia[2])", "angle"
        ),
        Change("the penetration is left out", "depth=stops.max_speed * time,", "depth=0.0,"),
    ),
)
CERTIFICATE = Target(
    "hil/loop/driver/certificate.py",
    CERTIFICATE_TESTS,
    (
        Change(
            "it judges without stops",
            "self.enforced = c.stops.enabled and c.run.follow",
            "self.enforced = c.run.follow",
        ),
        Change("a brake is judged", "(step.following or step.certified) and", "True and"),
        Change(
            "a plan is given the command's room",
            "[strictly, nothing, loosely]",
            "[loosely, nothing, loosely]",
        ),
        Change("speeds get no room for closing", " + closing_share(c.interpolation)", ""),
        Change(
            "the look-ahead makes nothing later", "[nothing, nothing, drift]", "[nothing, nothing, nothing]"
        ),
        Change("the joints need no time", " + 0.5 * float(reversal.max())", ""),
        Change(
            "every arm is judged as ours",
            "            model.geometry, np.array(frames.T_world_base),",
            f"            {OURS}.geometry, np.array(frames.T_world_base),",
            tests=OTHER_ARM,
        ),
        Change(
            "every arm is as late as ours",
            "J = jacobian(model.geometry, np.array(c.robot.start)",
            f"J = jacobian({OURS}.geometry, np.array(c.robot.start)",
            tests=OTHER_ARM,
        ),
        Change(
            "lateness is that of a stretched arm",
            "J = jacobian(model.geometry, np.array(c.robot.start)",
            "J = jacobian(model.geometry, np.zeros(7)",
            tests=OTHER_ARM,
        ),
        Change("unequal inertias count as equal", "c.stops.max_spin * beyond.spin_ratio", "c.stops.max_spin"),
        Change("an objection says nothing", 'return "" if finding == WITHIN else', 'return "" if True else'),
    ),
)
CERTIFIED_MOTION = Target(
    "hil/loop/driver/certified_motion.py",
    CERTIFICATE_TESTS,
    (
        Change(
            "only one side of the box is looked at",
            "beyond = abs(T[i, 3] - stops[i]) - stops[3 + i]",
            "beyond = (T[i, 3] - stops[i]) - stops[3 + i]",
        ),
        Change("only one way of twist is looked at", "if not abs(twist) <= bound:", "if not twist <= bound:"),
        Change(
            "what is asked for is not looked at",
            "            return ASKED, SPEED + part, value, bound\n",
            "            pass\n",
        ),
        Change(
            "the command's motion is not looked at",
            "            return COMMANDED, SPEED + part, value, bound\n",
            "            pass\n",
        ),
        Change(
            "the command's place is not looked at",
            "        return COMMANDED, finding, value, bound\n",
            "        pass\n",
        ),
        Change("what the limiter has left counts without end", "bound += min(left, bound)", "bound += left"),
        Change("what the limiter has left does not count", "        bound += min(left, bound)\n", ""),
        Change("a turn is half of what it is", "trace - 1.0)", "trace + 1.0)"),
        Change(
            "lost packets count for nothing",
            "else _shifted(T_before, T)) / elapsed",
            "else _shifted(T_before, T)) / 0.002",
        ),
        Change("speed and spin are one", "_speed(J, planned[1], part)", "_speed(J, planned[1], 0)"),
        Change(
            "the base is the world",
            "object_pose(held.geometry, q, held.T_world_base, held.T_flange_object)",
            "object_pose(held.geometry, q, np.eye(4), held.T_flange_object)",
        ),
    ),
)
TARGETS = (
    CERTIFICATE,
    CERTIFIED_MOTION,
    PENETRATION,
    CORE,
    SENSING,
    SHORT_CUT,
    LIVE,
    PUSH_LEAD,
    DELAY,
    HELD,
    PLAUSIBLE,
)
