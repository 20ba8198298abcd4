"""An arm that a base carries: path, correction, vehicle, forces that are faked, rules."""

from tests.mutants.mutant import Change, Target

PROGRAM = Target(
    "planner/base/axis_program.py",
    ("tests/planner/base/test_axis_program.py",),
    (
        Change("violations are not cut off", "    _cut(a, v_0, speeds, program.acceleration)\n", ""),
        Change("what is wanted is overtaken at any speed", "min(rate + apart, V)", "V"),
        Change("the other way at any speed", "max(rate - apart, -V)", "-V"),
        Change("the acceleration before does not count", "q[0] -= 2.0 * program.change * a_0", "q[0] -= 0.0"),
        Change("the multiplier grows the wrong way", "dual[row, k] += penalty", "dual[row, k] -= penalty"),
    ),
)
PATH = Target(
    "planner/base/base_path.py",
    ("tests/planner/base/test_base_path.py",),
    (
        Change("headings are wrapped", "heading - 2.0 * math.pi * turns", "heading"),
        Change("less is kept than committed", "s_0 + self._base.committed) / KNOT", "s_0) / KNOT"),
        Change("it catches up at any speed", "CATCHING_UP = 0.6", "CATCHING_UP = 60.0"),
        Change("the place goes before the heading", "for axis in (2, 0, 1):", "for axis in (0, 1, 2):"),
    ),
)
SEEN = Target(
    "planner/base/seen_from_base.py",
    ("tests/planner/base/test_base_path.py",),
    (
        Change("the base's turn does not move the object", "v[0] + v[2] * dy", "v[0]"),
        Change("the spin is that in the world", "twist[i, 5] - v[2]", "twist[i, 5]"),
    ),
)
CORRECTION = Target(
    "planner/base/correction.py",
    ("tests/planner/base/test_correction.py",),
    (
        Change("the arm goes along with the error", "qx - p_base_object[0]", "p_base_object[0] - qx"),
        Change("the turning base is forgotten", "s * state[1, 1] + turn * y", "s * state[1, 1]"),
        Change("the filter overshoots", "slope = speed + w * left", "slope = speed"),
    ),
)
LINKS = Target(
    "drivers/robot/carried_links.py",
    ("tests/drivers/robot/test_carried_links.py",),
    (
        Change("no Coriolis' force", "2.0 * np.cross(omega", "0.0 * np.cross(omega"),
        Change("the force goes along", "-links.masses[i] * accelerated", "links.masses[i] * accelerated"),
    ),
)
VEHICLE = Target(
    "drivers/base/emulated_base.py",
    ("tests/drivers/base/test_emulated_base.py",),
    (
        Change("odometry sees the slip", "if external else wheels[1, i]", "if external else motion[0, i]"),
        Change("axes are bounded alone", "            acceleration[i] *= share\n", "            pass\n"),
    ),
)
COMMAND = Target(
    "drivers/base/command.py",
    ("tests/drivers/base/test_emulated_base.py",),
    (
        Change(
            "it brakes half as hard",
            "max_acceleration * dt / straight",
            "max_acceleration * 0.5 * dt / straight",
        ),
    ),
)
ARM = Target(
    "hil/loop/carried/carried_arm.py",
    ("tests/hil/loop/carried/test_carried_loop.py",),
    (
        Change("a lost link is borne", "STATE_TIMEOUT_NS) else LINK_LOST", 'STATE_TIMEOUT_NS) else ""'),
        Change("floating begins on a base that moves", "(np.abs(state.rate) > AT_REST).any()", "False"),
        Change("the world's stops may hurl", "if beyond[axis] <= self._soft:", "if True:"),
        Change("a base that stands is borne", "now_ns - self._off_since[0] > STUCK_NS", "False"),
    ),
)
SOAK = Target(
    "hil/trials/soak/base.py",
    ("tests/hil/trials/soak/test_soak_base.py",),
    (
        Change(
            "commands are not looked at",
            "        if not all(value <= bound * (1.0 + ROUNDING)",
            "        if not any(value <= bound * (1.0 + ROUNDING)",
        ),
    ),
)
LOG = Target(
    "hil/recording/replaying/heard_base.py",
    ("tests/hil/recording/test_base_recorded.py",),
    (
        Change("commands are not compared", "if now.tobytes() == then.tobytes() else", "if True else"),
        Change(
            "orders to the vehicle are forgotten", "self._modes.at(order_ns) if order_ns else None", "None"
        ),
        Change("all comes at once", "and self._next[1][0] <= place:", "and True:"),
    ),
)
URDF = Target(
    "hil/loop/setting_urdf.py",
    ("tests/hil/loop/test_setting_urdf.py",),
    (
        Change("the mount stands in the world", '"fixed", carrier, foot', '"fixed", "world", foot'),
        Change("angles about moving axes", '.as_euler("xyz")', '.as_euler("XYZ")'),
        Change(
            "the object is the tool",
            '"mockup", "object", frames.T_tcp_object',
            '"mockup", "object", np.eye(4)',
        ),
        Change("the floor is everywhere", "low, high = base.floor", "pass"),
    ),
)
SPEED = Target(
    "hil/loop/carried/vehicle_speed.py",
    ("tests/hil/loop/carried/test_vehicle_speed.py",),
    (
        Change("commands act at once", "t_ns + self._delay_ns, np.array", "t_ns, np.array"),
        Change("commands never end", "if t_ns <= self._ends_ns else np.zeros(3)", "if True else np.zeros(3)"),
        Change("no acceleration is too large", "min(1.0, most / straight)", "min(1.0, straight / straight)"),
        Change(
            "a vehicle that brakes by itself is a push",
            "self.acceleration = (self.rate - before) / passed",
            "self.acceleration = np.zeros(3)",
            tests=("tests/hil/loop/carried/test_carried_loop.py::test_poses_that_come_late_are_no_push",),
        ),
    ),
)
TOLD = Target(
    "hil/loop/carried/told_pose.py",
    ("tests/hil/loop/carried/test_told_pose.py",),
    (
        Change("a jump is believed", "if self._known and far and not still:", "if False:"),
        Change("headings stay wrapped", "told[2] + 2.0 * math.pi * turns", "told[2]"),
        Change("rates may be no numbers", " and np.isfinite(state.rate).all()", ""),
        Change("a long silence reaches anywhere", "min(self._unseen + gap, UNSEEN_S)", "self._unseen + gap"),
        Change(
            "invalid poses are no gap",
            "self.doubt, self._unseen = LOST_PLACE, gap",
            "self.doubt = LOST_PLACE",
        ),
    ),
)
STAND_IN = Target(
    "hil/loop/carried/stand_in.py",
    ("tests/hil/loop/carried/test_link_cores.py",),
    (
        Change(
            "old commands are obeyed", "if command is not None and fresh else", "if command is not None else"
        ),
        Change(
            "no numbers are obeyed", "command if np.isfinite(command.velocity).all() else None", "command"
        ),
        Change(
            "it obeys at once what came while it was held up", "self._newest.t_ns <= self._t_ns:", "True:"
        ),
        Change("a command of the future is kept for then", "self._newest.t_ns > t_ns:", "False:"),
        Change("poses seem fresh", "self._t_ns - nanoseconds(self.vehicle.measured_age)", "self._t_ns"),
    ),
)
PAIR = Target(
    "hil/loop/carried/plan_pair.py",
    ("tests/hil/loop/carried/test_link_cores.py",),
    (
        Change("any two belong together", "(arm.epoch, arm.number) != (base.epoch, base.number)", "False"),
        Change("a pair comes twice", "        self._arm = self._base = None\n", ""),
    ),
)
RIDING = Target(
    "hil/loop/carried/riding.py",
    ("tests/hil/loop/carried/test_link_cores.py",),
    (
        Change("the last motion goes on for ever", "if ahead > FARTHEST_S or", "if"),
        Change("the filter's lag stays", "state.t_ns, 2.0 / RATE", "state.t_ns, 0.0"),
        Change("measured poses overwrite the truth", "        if self.true:\n            return\n", ""),
    ),
)
PLACE = Target(
    "hil/processes/mains/vehicle.py",
    ("tests/hil/processes/test_vehicle_place.py",),
    (Change("the place of another run counts", "run == self._run and ", ""),),
)
SOLIDS = Target(
    "hil/loop/base_solids.py",
    ("tests/hil/loop/test_base_solids.py",),
    (
        Change("it turns the other way", "[[c, s, 0.0], [-s, c, 0.0]", "[[c, -s, 0.0], [s, c, 0.0]"),
        Change("attitudes stay", "multiplied(turn, one) for one", "one for one"),
    ),
)
TRACK = Target(
    "hil/dashboard/base_track.py",
    ("tests/hil/dashboard/test_base_track.py",),
    (Change("gaps are bridged", " and after.t_ns - before.t_ns <= GAP_NS", ""),),
)
LACKING = Target(
    "hil/loop/driver/lacking.py",
    ("tests/hil/loop/test_short_cut.py", "tests/hil/loop/carried/test_carried_loop.py"),
    (
        Change("the short cut looks at now", "sample.t_ns + round(1e9 * lead)", "sample.t_ns"),
        Change("nobody corrects the base", "lacks if held is None else lacks + held", "lacks"),
    ),
)
RULES = Target(
    "hil/configuration/base_rules.py",
    ("tests/hil/configuration/test_base_keys.py", "tests/sim/world/test_level_stops.py"),
    (
        Change("a reversal is not thought of", "v = 0.5 * min(stops.max_speed, change)", "v = change"),
        Change(
            "without stops the cap is zero",
            "return np.array([np.inf, np.inf])",
            "return np.zeros(2)",
            tests=("tests/hil/loop/test_short_cut.py",),
        ),
        Change("the floor is the object's", "- lever - reserves(c)[0] - soft", "- soft"),
        Change("a mock-up has no corners", "0.5 * math.sqrt(3.0) * c.mockup.edge", "0.5 * c.mockup.edge"),
        Change("a deck in the way is borne", "if clear is None or clear >= 0.0:", "if True:"),
    ),
)

TARGETS = (
    PROGRAM,
    PATH,
    SEEN,
    CORRECTION,
    LINKS,
    VEHICLE,
    COMMAND,
    ARM,
    SPEED,
    URDF,
    SOAK,
    LOG,
    TOLD,
    STAND_IN,
    PAIR,
    RIDING,
    PLACE,
    SOLIDS,
    TRACK,
    LACKING,
    RULES,
)
