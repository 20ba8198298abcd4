"""Who decides, and the simulation's turn: state machine, judge, liveness, energy, sim core, watchdog, desk."""

from tests.mutants.mutant import Change, Target

MACHINE = Target(
    "hil/loop/judging/state_machine.py",
    ("tests/hil/loop/test_state_machine.py", "tests/hil/loop/test_judge.py"),
    (
        Change(
            "a later fault replaces the first",
            "        if self.state is State.FAULT:\n            return self\n        return replace(self, state=State.FAULT, reason=reason)",
            "        return replace(self, state=State.FAULT, reason=reason)",
        ),
        Change(
            "a reload leaves FAULT",
            "return self if self.state is State.FAULT else replace(",
            "return replace(",
        ),
        Change(
            "a stop leaves FAULT",
            "        if self.state is State.FAULT:\n            return self\n        return replace(self, state=State.STOPPED, reason=reason, stopped_by_operator=True)",
            "        return replace(self, state=State.STOPPED, reason=reason, stopped_by_operator=True)",
        ),
        Change(
            "an operator's stop ends by itself",
            "not missing and not self.stopped_by_operator:",
            "not missing:",
        ),
        Change(
            "a lost process only stops a moving arm",
            "        if self.driven and missing:\n            return self.fault(missing)\n",
            "",
        ),
        Change(
            "READY stays without a process",
            "        if self.state is State.READY and missing:\n            return replace(self, state=State.STOPPED, reason=missing)\n",
            "",
        ),
        Change(
            "the planner ends an operator's hold",
            'policy != "HOLD" and self.reason.startswith(NO_PATH):',
            'policy != "HOLD":',
        ),
        Change(
            "a path that comes back ends no hold",
            'policy != "HOLD" and self.reason.startswith(NO_PATH):',
            "False:",
        ),
        Change(
            "without a path it floats on",
            'if self.state is State.FLOATING and policy == "HOLD":',
            "if False:",
        ),
        Change(
            "floating from STOPPED",
            "        if self.state is State.READY:\n            return replace(\n",
            "        if self.state in (State.READY, State.STOPPED):\n            return replace(\n",
        ),
        Change("floating anew keeps the epoch", "epoch=self.epoch + 1,", "epoch=max(self.epoch, 1),"),
        Change("a motion is forgotten", "                initial_twist=initial_twist,\n", ""),
        Change(
            "a motion begins in flight",
            "        if initial_twist:\n            raise",
            "        if False:\n            raise",
        ),
        Change(
            "a reset in flight",
            '        if self.driven:\n            raise OperatorError(f"reset',
            '        if False:\n            raise OperatorError(f"reset',
        ),
        Change(
            "a reset keeps the operator's stop",
            'reason="reset", stopped_by_operator=False)',
            'reason="reset")',
        ),
        Change(
            "a hold for lack of a path stands object time",
            "and not self.reason.startswith(NO_PATH)",
            "",
        ),
        Change(
            "an operator's hold does not stand object time",
            "hold = self.state is State.HOLDING and not",
            "hold = self.state is not State.HOLDING and not",
        ),
        Change(
            "HOLDING is not moving", "MOVING = (State.FLOATING, State.HOLDING)", "MOVING = (State.FLOATING,)"
        ),
    ),
)

JUDGE = Target(
    "hil/loop/judging/judge.py",
    (
        "tests/hil/loop/test_judge.py",
        "tests/hil/loop/test_energy_monitor.py",
        "-k",
        "judge or not whole and not wrench",
    ),
    (
        Change("the policy of another epoch's plan is obeyed", " and seen.plan.epoch == machine.epoch", ""),
        Change("an arm that brakes is ready", "seen.missing or self._braking(seen)", "seen.missing"),
        Change(
            "a hand need not know of a second arm",
            "both(refusal, self.second_arm)",
            "refusal",
            tests=("tests/hil/loop/partner/test_in_the_way.py",),
        ),
        Change(
            "a stuck arm is no fault",
            "        if seen.stuck and machine.moving:\n            machine = machine.fault(seen.stuck)\n",
            "",
        ),
        Change(
            "a driver's fault is none",
            "            return machine.fault(seen.fault)\n",
            "            return machine\n",
        ),
        Change(
            "a fault that a reset does not end is forgiven for ever",
            "(machine.driven or late or seen.fault != self._forgiven)",
            "(machine.driven or seen.fault != self._forgiven)",
            tests=("tests/hil/loop/test_driver_faults.py",),
        ),
        Change("a standing arm is stuck", "if seen.stuck and machine.moving:", "if seen.stuck:"),
        Change(
            "float does not ask whether a real arm may move",
            "both(refusal, self.real_arm.refusal)",
            "both(refusal)",
            tests=("tests/hil/loop/test_real_arm.py",),
        ),
        Change(
            "a failed check of the wrench counts as passed",
            "self.real_arm.heard(argument == PASSED)",
            "self.real_arm.heard(True)",
            tests=("tests/hil/loop/test_real_arm.py",),
        ),
        Change(
            "what was known of the check of the wrench is not noted",
            "self._noted.append((CHECKED, PASSED))",
            "pass",
            tests=("tests/hil/loop/test_real_arm.py",),
        ),
        Change(
            "what is missing is not looked at",
            "self._faulted(self.machine.health(seen.missing or self._braking(seen)), seen)",
            'self._faulted(self.machine.health(""), seen)',
        ),
        Change(
            "energy is not judged",
            "        machine = self.energy.step(t_ns, machine, seen.sim)\n",
            "",
            tests=("tests/hil/loop/test_energy_monitor.py", "-k", "frame or sign"),
        ),
        Change(
            "the monitor does not hear the torques",
            "            self.energy.witness(statement)\n",
            "            pass\n",
            tests=("tests/hil/loop/test_energy_monitor.py", "-k", "frame or sign or right"),
        ),
        Change(
            "orders are not noted",
            "        self._noted.append((verb, argument))\n",
            "",
            tests=("tests/hil/loop/test_judge.py", "tests/hil/recording/test_replay.py"),
        ),
        Change(
            "a held pair goes on",
            "if self._shared and before.state is State.HOLDING:",
            "if False:",
            tests=("tests/hil/loop/shared/test_shared_judge.py",),
        ),
        Change(
            "a pair's time passes at once",
            "self._t_ns + BEGIN_NS if self._shared else 0",
            "0",
            tests=("tests/hil/loop/shared/test_shared_judge.py",),
        ),
        Change(
            "who is alone begins late",
            "self._t_ns + BEGIN_NS if self._shared else 0",
            "self._t_ns + BEGIN_NS",
            tests=("tests/hil/loop/shared/test_shared_judge.py",),
        ),
        Change(
            "who follows begins at once",
            "self._floated((), int(argument))",
            "self._floated((), 0)",
            tests=("tests/hil/loop/shared/test_shared_judge.py",),
        ),
    ),
)

LIVENESS = Target(
    "hil/loop/judging/liveness.py",
    ("tests/hil/loop/test_liveness.py",),
    (
        Change(
            "a dead driver's state still counts",
            "            self.robot = None\n        elif",
            "            pass\n        elif",
        ),
        Change(
            "a dead simulation's state still counts",
            "            self.sim = None\n        elif",
            "            pass\n        elif",
        ),
        Change(
            "a dead planner's plan still counts",
            "            self.plan = None\n        elif",
            "            pass\n        elif",
        ),
        Change("a dead process's heartbeat still counts", "        self._beats.pop(process, None)\n", ""),
        Change(
            "a motion begins on news from before a deafness", "forgiving=machine.driven", "forgiving=True"
        ),
        Change("a deafness goes unnoticed", "            self._resumed_ns = now_ns\n", "            pass\n"),
        Change(
            "what was said before a deafness is old",
            "max(told_ns(self.robot), self._resumed_ns if forgiving else 0)",
            "told_ns(self.robot)",
        ),
        Change(
            "who was silent in a deafness is dead",
            "max(came_ns, self._resumed_ns if forgiving else 0)",
            "came_ns",
        ),
        Change("warming for ever is no hang", " and silence < WARMING_NS", ""),
        Change(
            "stuck counts from the last following",
            "max(self._followed_ns, self._floated_ns)",
            "self._followed_ns",
        ),
        Change(
            "stuck counts from the floating's beginning",
            "max(self._followed_ns, self._floated_ns)",
            "self._floated_ns",
        ),
        Change(
            "the floating's beginning is not noted",
            "            self._epoch, self._floated_ns = machine.epoch, now_ns\n",
            "            self._epoch = machine.epoch\n",
        ),
        Change(
            "following is not noted", "                self._followed_ns = now_ns\n", "                pass\n"
        ),
        Change(
            "silence counts from the message's own instant",
            "self._beats[msg.process] = (now_ns, msg)",
            "self._beats[msg.process] = (msg.t_ns, msg)",
        ),
        Change("silence is no hang", "            if silence > SILENT_NS:", "            if False:"),
        Change(
            "a process that was never heard of is there",
            '                return f"{name}: starting"\n',
            "                continue\n",
        ),
        Change(
            "without a robot nothing is missing",
            'return f"robot: no packet yet{trouble}"\n',
            'return ""\n',
        ),
        Change(
            "what the driver says of the robot keeps nothing from READY",
            "        if forgiving or not trouble:\n            return lacking",
            "        if True:\n            return lacking",
        ),
        Change(
            "an arm that is driven is stopped by what is said of its packets",
            "        if forgiving or not trouble:",
            "        if not trouble:",
        ),
        Change(
            "monitor mode is enough",
            '    if session == "command":',
            '    if session in ("command", "monitor"):',
        ),
        Change(
            "an arm that brakes stands",
            "(robot.following or bool(robot.dq_command.any()))",
            "robot.following",
        ),
        Change(
            "an arm that must not follow is stuck",
            "if follow and machine.moving else",
            "if machine.moving else",
        ),
        Change("a standing arm is stuck", "if follow and machine.moving else", "if follow else"),
        Change(
            "the robot's age is that of its stamp",
            "return robot.t_ns if robot.session == LOST else robot.arrival_ns",
            "return robot.t_ns",
        ),
        Change(
            "a silent robot's last word is too old",
            "return robot.t_ns if robot.session == LOST else robot.arrival_ns",
            "return robot.arrival_ns",
        ),
        Change(
            "a stalled daemon goes on",
            "if gap_ns > MODE_TIMEOUT_NS else",
            "if gap_ns > 10 * MODE_TIMEOUT_NS else",
        ),
        Change(
            "a broken link is none",
            "and not self.link.live:",
            "and False:",
            tests=("tests/hil/loop/test_liveness.py", "tests/hil/processes/bridge/test_link_judge.py"),
        ),
    ),
)

ENERGY = Target(
    "hil/loop/judging/energy_monitor.py",
    ("tests/hil/loop/test_energy_monitor.py", "-k", "not right_wrench"),
    (
        Change("the state of another epoch is judged", " or state.epoch != machine.epoch", ""),
        Change(
            "violations are carried into the next floating",
            "        self._violations = 0\n",
            '        self._violations = getattr(self, "_violations", 0)\n',
        ),
        Change("a second violation holds again", "        if self._violations > 1:", "        if False:"),
        Change(
            "the first violation is a fault",
            "        if self._violations > 1:",
            "        if self._violations > 0:",
        ),
        Change(
            "the pushes' work has the other sign",
            "float(change @ twist) + doubt",
            "doubt - float(change @ twist)",
        ),
        Change("doubt allows anything", "UNSURE_SHARE = 0.25", "UNSURE_SHARE = 2.5"),
        Change(
            "a piece of a push is judged as a whole one", "short = lasted < JUDGED_AFTER", "short = False"
        ),
        Change(
            "the torques are not believed",
            "borne_out = item.impulse_object - self._disagreement(key)",
            "borne_out = item.impulse_object",
        ),
        Change(
            "a push against the torques is let through",
            "if beyond <= margin and not self._contradiction:",
            "if beyond <= margin:",
        ),
        Change(
            "energy from nowhere is let through",
            "if beyond <= margin and not self._contradiction:",
            "if not self._contradiction:",
        ),
        Change(
            "half of what a spring gives back is counted",
            "return kinetic + state.stored_energy",
            "return kinetic",
        ),
        Change(
            "what was lost may come back",
            "            self._base = min(self._base, self.energy - self._given)\n",
            "            pass\n",
        ),
        Change(
            "a slice that nobody reported counts at once",
            "elif t_ns - self._unheard_since_ns < UNHEARD_NS:",
            "elif False:",
        ),
        Change(
            "a slice that nobody reported is waited for for ever",
            "elif t_ns - self._unheard_since_ns < UNHEARD_NS:",
            "else:",
        ),
        Change(
            "a world that blew up floats on",
            '            return machine.fault("the simulated',
            '            return machine.hold("the simulated',
        ),
        Change(
            "other bodies' work is energy from nowhere",
            "self.explained = self._base + sum(self._works.values()) + self._given",
            "self.explained = self._base + sum(self._works.values())",
        ),
        Change(
            "a retracted push is in the base",
            "            if revisions and not revisions[max(revisions)].impulse_object.any():\n                continue\n",
            "",
        ),
        Change(
            "spin is taken in world axes",
            "spin = _in_object_axes(state.quat_world_object, state.twist_world_object[3:])",
            "spin = state.twist_world_object[3:]",
        ),
        Change("the energy of spin is left out", "+ 0.5 * float(self._inertia @ spin**2)", ""),
        Change(
            "a new slice of the same name keeps old revisions",
            "            self._slices.pop(key, None)\n",
            "",
        ),
        Change(
            "a statement that overtook its slice is forgotten",
            "if said is not None and said.t_ns < item.t_ns:",
            "if said is not None:",
        ),
        Change(
            "what the torques said of another driver's slice stays",
            "if said is not None and said.t_ns < item.t_ns:",
            "if said is None:",
        ),
        Change(
            "a push in the first state counts twice",
            "self.energy - self._given - self._work_in(names, state.slice_twists)",
            "self.energy - self._given",
        ),
        Change(
            "floating on reckons with what was before",
            "        self._begin(self.energy - self._given)\n        self._violations, self._settled",
            "        self._violations, self._settled",
        ),
        Change("a weak push contradicts", "BORNE_OUT * size <= unsure or along", "along"),
        Change("folded work is lost", "            self._base += work\n", ""),
    ),
)

SIM_CORE = Target(
    "hil/loop/sim_core.py",
    ("tests/hil/loop/test_sim_core.py",),
    (
        Change(
            "floating begins at the measured pose",
            "p, quat = self._held_pose(robot.q_command)\n        twist",
            "p, quat = self._held_pose(robot.q_measured)\n        twist",
        ),
        Change(
            "standing shows the measured pose",
            "p, quat = self._held_pose(robot.q_command)\n        return",
            "p, quat = self._held_pose(robot.q_measured)\n        return",
        ),
        Change("the pace of another epoch's plan is obeyed", " and plan.epoch == self._epoch", ""),
        Change(
            "the pace of the last floating stays asked",
            "self._epoch, self._rate, self._asked, self._next_prediction_ns = mode.epoch, 1.0, 1.0, t_ns",
            "self._epoch, self._rate, self._next_prediction_ns = mode.epoch, 1.0, t_ns",
        ),
        Change(
            "the pace of the last floating stays in force",
            "self._epoch, self._rate, self._asked, self._next_prediction_ns = mode.epoch, 1.0, 1.0, t_ns",
            "self._epoch, self._asked, self._next_prediction_ns = mode.epoch, 1.0, t_ns",
        ),
        Change("object time does not stand for the arm's delay", "robot.delay + SET_OFF", "SET_OFF"),
        Change("object time gains pace at once", "robot.delay + SET_OFF", "0.0"),
        Change(
            "a hold does not stand object time",
            "rate = self._gently(t_ns, 0.0 if mode.hold else self._asked)",
            "rate = self._gently(t_ns, self._asked)",
        ),
        Change(
            "a new floating goes on with the old world",
            "        if mode.epoch != self._epoch:\n            self._restart(t_ns, mode, robot)\n",
            "        if not self._epoch:\n            self._restart(t_ns, mode, robot)\n",
        ),
        Change(
            "an operator's motion is not taken",
            "        if not len(twist):\n",
            "        if True:\n",
            tests=("tests/hil/loop/test_sim_core.py", "tests/hil/loop/test_docking_loop.py"),
        ),
        Change(
            "a world that blew up is published",
            "        if is_finite(state.p_world_object, state.quat_world_object, state.twist_world_object):",
            "        if True:",
            tests=("tests/hil/loop/test_sim_blows_up.py",),
        ),
        Change("a push is not applied", "            self._world.apply(item)\n", "            pass\n"),
        Change(
            "older revisions win",
            "item.revision >= newest[key].revision",
            "item.revision <= newest[key].revision",
        ),
        Change(
            "the planner is asked though it is at work",
            "            return self._predicted_ns\n        return self._predicted_ns + BUSY_NS",
            "            return self._predicted_ns\n        return self._predicted_ns",
        ),
        Change("a push does not hasten the prediction", "        self._unpredicted |= bool(slices)\n", ""),
        Change(
            "predictions are made in every turn", "        if not self._due:\n            return None\n", ""
        ),
        Change(
            "the world stands still",
            "        self._world.advance(t_ns)\n        self._unpredicted",
            "        self._unpredicted",
            equivalent="`state` and `predict` compute what `advance` would have, whenever they are asked",
        ),
    ),
)

WATCHDOG = Target(
    "hil/processes/supervisor/watchdog.py",
    ("tests/hil/processes/test_watchdog.py",),
    (
        Change(
            "it is fed in every turn",
            "        if now_ns - self.fed_ns < FEED_NS:\n            return False\n",
            "",
        ),
        Change(
            "a driver that hangs feeds it",
            "if arrival_ns == self.replied_ns or",
            "if",
        ),
        Change("packets of the future feed it", " or arrival_ns - now_ns > AHEAD_NS:", ":"),
        Change("the last reply is not remembered", "            self.replied_ns = arrival_ns\n", ""),
        Change("without a robot it starves", "        if robot_connected(seen):", "        if True:"),
        Change("a silent robot starves it", "beat.t_ns - robot.arrival_ns < ROBOT_SILENT_NS", "True"),
    ),
)

DESK = Target(
    "hil/processes/supervisor/operator_desk.py",
    ("tests/hil/processes/test_operator_desk.py",),
    (
        Change("an order that waited leads to motion", "and waited_ns > WAITED_NS:", "and False:"),
        Change(
            "a stop that waited is refused",
            '("float", "reset", "reload")',
            '("float", "reset", "reload", "stop")',
        ),
        Change(
            "a real robot may be pushed by software",
            '        if not self._emulated:\n            raise OperatorError("push',
            '        if False:\n            raise OperatorError("push',
        ),
        Change(
            "a resting arm may be pushed",
            "        if not machine.moving:\n            raise",
            "        if False:\n            raise",
        ),
        Change(
            "a moving arm may be pushed for a test",
            "        if machine.state is not State.READY:\n            raise",
            "        if False:\n            raise",
        ),
        Change(
            "a real robot may be disturbed",
            '        if not self._emulated:\n            raise OperatorError("disturb',
            '        if False:\n            raise OperatorError("disturb',
        ),
        Change(
            "a bad request ends the run",
            "            except Exception as error:  # no request of anybody's ends the run\n",
            "            except ZeroDivisionError as error:\n",
        ),
        Change(
            "a refusal reads as done",
            "accepted, text = False, str(error)",
            "accepted, text = True, str(error)",
        ),
        Change(
            "any message is a request",
            "                if not isinstance(request, Request):\n                    raise",
            "                if False:\n                    raise",
        ),
        Change(
            "a motion beyond the certified speed is let through",
            "argument = json.dumps(motion_from(request.arguments, self._caps))",
            "argument = json.dumps(motion_from(request.arguments, self._caps * 1e3))",
        ),
    ),
)

ASKED = Target(
    "hil/processes/supervisor/asked.py",
    ("tests/hil/processes/test_operator_desk.py",),
    (
        Change("a push of any force is let through", "    if force > MAX_PUSH_N:", "    if False:"),
        Change(
            "numbers that are none are let through",
            'ConfigDict(extra="forbid", allow_inf_nan=False)',
            'ConfigDict(extra="forbid")',
        ),
        Change(
            "unknown words are let through",
            'ConfigDict(extra="forbid", allow_inf_nan=False)',
            "ConfigDict(allow_inf_nan=False)",
        ),
        Change("spin beyond the certified is let through", "    if rate > caps[1]:", "    if False:"),
        Change(
            "millimetres are metres",
            "velocity = np.array(asked.velocity_mm_s) * 1e-3",
            "velocity = np.array(asked.velocity_mm_s)",
        ),
        Change(
            "degrees are radians", "spin = np.radians(asked.spin_deg_s)", "spin = np.array(asked.spin_deg_s)"
        ),
    ),
)

RELOADING = Target(
    "hil/processes/supervisor/reloading.py",
    ("tests/hil/processes/test_reloading.py",),
    (
        Change("a floating arm is reloaded", "    if machine.driven:\n", "    if False:\n"),
        Change("a braking arm is reloaded", "    if moves(robot):\n", "    if False:\n"),
        Change(
            "another robot is reloaded",
            '    "robot.kind",\n',
            "",
        ),
    ),
)

RUN_MARK = Target(
    "hil/processes/supervisor/run_mark.py",
    ("tests/hil/processes/test_run_mark.py",),
    (
        Change(
            "a last run without an orderly end is believed",
            "            if self._file.exists():\n",
            "            if False:\n",
        ),
        Change(
            "no mark is set",
            "            self._write(self._head)\n",
            "            pass\n",
        ),
        Change(
            "the mark stays after an orderly end",
            "            self._file.unlink(missing_ok=True)\n",
            "            pass\n",
        ),
        Change(
            "no mark is no doubt anywhere",
            "            elif not lasting:\n",
            "            elif False:\n",
        ),
        Change(
            "an end in order is not told",
            'self.ended("order", "")',
            "pass",
        ),
        Change(
            "a mark that cannot be written is no doubt",
            '            self.last = self.doubt = (\n                f"{self._file}',
            '            self.last = (\n                f"{self._file}',
        ),
        Change(
            "two runs share a mark",
            "name = hashlib.sha256(str(runtime.absolute()).encode()).hexdigest()[:12]",
            'name = "one"',
        ),
    ),
)

COUNTS = Target(
    "hil/processes/supervisor/tally.py",
    ("tests/hil/processes/test_tally.py",),
    (
        Change(
            "a retracted push counts",
            "            self._pushes.discard(item.impulse_id)\n",
            "            pass\n",
        ),
        Change(
            "each slice counts",
            "            self._pushes.add(item.impulse_id)\n",
            "            self._pushes.add((item.impulse_id, item.slice_index))\n",
        ),
        Change(
            "a fault counts in every turn",
            "        if after.state is not before.state:\n",
            "        if True:\n",
        ),
        Change(
            "speed is that of the spin",
            "1e3 * float(np.linalg.norm(velocity[:3]))",
            "1e3 * float(np.linalg.norm(velocity[3:]))",
        ),
        Change(
            "an operator's stop needs no reset",
            "machine.state is State.FAULT or machine.stopped_by_operator",
            "machine.state is State.FAULT",
        ),
    ),
)
POSTURE = Target(
    "hil/loop/judging/posture.py",
    ("tests/hil/loop/test_posture.py",),
    (
        Change("any branch will do", "        if not across:\n", "        if True:\n"),
        Change(
            "any inverse kinematics is taken for branches",
            'certified_family(configuration) if inverse == "branches" else None',
            "certified_family(configuration)",
        ),
        Change(
            "the start pose's branch counts as the certified one",
            "certified_family(configuration) if inverse",
            "family_of(configuration.robot.start) if inverse",
        ),
        Change("an elbow elsewhere is none", "    if aside.max() <= ASIDE:", "    if True:"),
        Change("twice as far aside is certified", "ASIDE = math.radians(7.5)", "ASIDE = math.radians(15.0)"),
        Change("twist is not taken off A7", "by_twist[6] = self._turns * twist", "by_twist[6] = 0.0"),
        Change("twist is taken off the wrong way", "by_twist[6] = self._turns * twist", "by_twist[6] = -self._turns * twist"),
        Change("slow joints weigh no more", "configuration.limits.velocity) ** 2", "configuration.limits.velocity) ** 0"),
        Change("what settles nowhere floats", "    if settled is None:\n        return f", '    if settled is None:\n        return "" and f'),
        Change("the last posture's verdict stands", "        if self._told[0] != key:", "        if not self._told[0]:"),
    ),
)  # fmt: skip
PLAIN_KINEMATICS = Target(
    "hil/loop/plain_kinematics.py",
    ("tests/hil/loop/test_plain_kinematics.py",),
    (
        Change("the tool is none", "chain.T_last_tip @ T_flange_held", "chain.T_last_tip"),
        Change("joints turn the other way", "turned(q[j] * axis)", "turned(-q[j] * axis)"),
        Change("arms are those of the base", "np.cross(axes, p - places)", "np.cross(axes, p + 0.0 * places)"),
        Change("axes stay as they are at zero", "axes[j], places[j] = R @ axis, p", "axes[j], places[j] = axis, p"),
    ),
)  # fmt: skip

TARGETS = (
    MACHINE,
    JUDGE,
    LIVENESS,
    ENERGY,
    SIM_CORE,
    WATCHDOG,
    DESK,
    ASKED,
    RELOADING,
    RUN_MARK,
    COUNTS,
    POSTURE,
    PLAIN_KINEMATICS,
)
