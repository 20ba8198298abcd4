"""An arm that a base carries: path, correction, vehicle, forces that are faked, rules."""

from tests.mutants.mutant import Change, Target

PROGRAM = Target(
    "planner/base/axis_program.py",
    ("tests/planner/base/test_axis_program.py",),
    (
        Change("violations are not cut off", "    _cut(a, v_0, program.speed, program.acceleration)\n", ""),
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
        Change("a lost link is borne", 'return "the base\'s link is lost"', 'return ""'),
        Change("a base that stands is borne", "now_ns - self._off_since[0] > STUCK_NS", "False"),
    ),
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
    ),
)

TARGETS = (PROGRAM, PATH, SEEN, CORRECTION, LINKS, VEHICLE, COMMAND, ARM, LACKING, RULES)
