"""A second arm that grasps: pads, tip, plan, states, baseline, energy, law, supervision, clearance."""

from tests.mutants.mutant import Change, Target

PADS = Target(
    "drivers/emulation/grasp/pads.py",
    ("tests/drivers/emulation/grasp/test_pads.py",),
    (
        Change("edges are sharp", "law.stiffness * min(depth, -beside)", "law.stiffness * depth"),
        Change("a pad pulls", "or normal <= 0.0:", "or False:"),
        Change(
            "friction has no bound",
            "size, most = math.sqrt(x * x + z * z), law.friction * normal",
            "size, most = math.sqrt(x * x + z * z), 1e9 * normal",
        ),
        Change("the damper acts the wrong way", "- law.damping * side", "+ law.damping * side"),
        Change(
            "the tool's moment is the object's", "point[1] * f[2] - point[2] * f[1]", "r1 * f[2] - r2 * f[1]"
        ),
        Change("a bristle is kept when the touch ends", "        bristle[:] = 0.0\n", "        pass\n"),
        Change("the object's turn does not count", "- u[4] * r[2] + u[5] * r[1]", ""),
    ),
)
TIP = Target(
    "drivers/emulation/grasp/tip.py",
    ("tests/drivers/emulation/grasp/test_tip.py",),
    (
        Change("the pull has no bound", "if size > law.limits[part]", "if size > 1e9"),
        Change("turns have the mass", "law.mass if part == 0 else law.inertia", "law.mass"),
        Change("fingers go on beyond their stop", "min(law.opening, max(0.0", "min(1.0, max(0.0"),
        Change("one pad alone opens the gripper", "0.5 * (pads.opening[0]", "1.0 * (pads.opening[0]"),
    ),
)
PLAN = Target(
    "hil/loop/grasp/followed_plan.py",
    ("tests/hil/loop/grasp/test_followed_plan.py",),
    (
        Change("a phase stands for a cycle", "np.linalg.inv(self._object @", "np.linalg.inv(np.eye(4) @"),
        Change("the plan goes on while all is held", "self.t + self.pace * dt", "self.t + dt"),
        Change("the tip stops at once in the world", "slid = self._motion *", "slid = 0.0 * self._motion *"),
        Change("a release leaves the gripper closed", "in CLOSED and not self.released", "in CLOSED"),
    ),
)
STATES = Target(
    "hil/loop/grasp/states.py",
    ("tests/hil/loop/grasp/test_states.py",),
    (
        Change(
            "a word alone is a grasp",
            "held = seen.closed and seen.grip > GRIPPED * grip",
            "held = seen.closed",
        ),
        Change(
            "force alone is a grasp",
            "held = seen.closed and seen.grip > GRIPPED * grip",
            "held = seen.grip > GRIPPED * grip",
        ),
        Change("what the first arm feels is no touch", "seen.force > touch or seen.pads", "seen.pads"),
        Change("a lost grip is no release", "elif state is GraspState.GRASPED and not held", "elif False"),
    ),
)
OBSERVER = Target(
    "hil/loop/grasp/port_observer.py",
    ("tests/hil/loop/grasp/test_port_observer.py",),
    (
        Change("work is not taken off", "** 2 - self._work", "** 2"),
        Change("what is shown slowly is slow", "energy / max(pace, LEAST_PACE) ** 2", "energy"),
        Change("a change of pace is judged", "self._steady >= SETTLED", "True"),
        Change("what was lost before counts against a gain", "if created < self._lowest", "if False"),
        Change("turning has no energy", "float(spin @ (self._inertia * spin))", "0.0"),
        Change("the force is never wrong", "self._most + self._unseen * self._way", "self._most"),
    ),
)
RULES = Target(
    "hil/configuration/grasp_rules.py",
    ("tests/hil/configuration/test_grasp_rules.py",),
    (
        Change("no reserve", "RESERVE = 1.3", "RESERVE = 1.0"),
        Change("the bar has no lever", "cross.T @ np.diag", "0.0 * cross.T @ np.diag"),
        Change("full whatever the delay", "MOST_FULL = 0.5", "MOST_FULL = 50.0"),
        Change("stiff partners", "STIFFEST = 5000.0", "STIFFEST = 50000.0"),
    ),
)
LOOP = ("tests/hil/loop/partner/test_grasp_loop.py",)
FORCE = Target(
    "hil/loop/driver/grasp_force.py",
    LOOP,
    (
        Change(
            "a force acts twice",
            "self._cells.append(self._step * given)",
            "self._cells.append(2.0 * self._step * given)",
        ),
        Change(
            "a force acts over time",
            "given = self.pace * force",
            "given = force",
            tests=("tests/hil/loop/partner/test_grasp_pace.py",),
        ),
        Change("nobody need supervise", "if not self.supervised:", "if False:"),
        Change("force acts in a hold", "        if self._stands:  # nothing", "        if False:  # nothing"),
        Change("a touch is a step", "self._kept[-1] if back else self._given", "self._given"),
        Change("its place is caught up with gently", "return CLOSING_RATE if", "return 0.0 if"),
    ),
)
CARRIED = Target(
    "hil/loop/driver/carried_force.py",
    ("tests/hil/loop/partner/test_carried_force.py", "tests/hil/loop/partner/test_grasp_bound.py"),
    (
        Change("the place knows no bound", "PLACE, SLOPE = 0.4, 0.08", "PLACE, SLOPE = 4.0, 0.08"),
        Change("the slope knows no bound", "PLACE, SLOPE = 0.4, 0.08", "PLACE, SLOPE = 0.4, 0.8"),
        Change("one pad presses", "PADS * c.grasp", "c.grasp"),
        Change("a slope adds no speed", "(force + slope * T / 2.0) * T", "force * T"),
        Change("a force adds no place", "(whole * force / 2.0 + slope", "(slope"),
        Change("a slope adds no acceleration", "self.now(force + slope * T)", "self.now(force)"),
        Change("what is led is late", "ahead + self._advance", "ahead"),
    ),
)
SUPERVISION = Target(
    "hil/loop/partner/supervision.py",
    LOOP,
    (
        Change("no force is too much", "if f > self._grasp.max_force or", "if False or"),
        Change("no energy is too much", "if self._observer.gain > self._observer.bound", "if False"),
        Change("nobody is ever silent", "if seconds > SILENT", "if False"),
        Change("a touch needs no baseline", "and self._force.baseline.frozen is None", "and False"),
        Change("the law is always full", 'at.law == "full"', "True"),
        Change(
            "what opened the gripper is never forgotten",
            'self.opened = ""\n        self._floated',
            "pass\n        self._floated",
            tests=("tests/hil/loop/partner/test_watch.py",),
        ),
    ),
)
LOCKSTEP = Target(
    "hil/loop/partner/lockstep_grasp.py",
    LOOP,
    (
        Change("an opened gripper holds nothing", "if why and floats:", "if False:"),
        Change("nobody looks at the arms", "why = why or self._too_near(first, report.state)", "pass"),
    ),
)
CLEARANCE = Target(
    "hil/loop/grasp/clearance.py",
    ("tests/hil/loop/grasp/test_second_arm.py",),
    (
        Change("ends alone count", "where=crosses)", "where=crosses & False)"),
        Change("the mock-up is no obstacle", "self._half, c, d) - s", "self._half, c, d) + 9.0"),
    ),
)

RETURNING = Target(
    "drivers/emulation/disturbances.py",
    ("tests/drivers/emulation/test_disturbances.py",),
    (
        Change("an arm jumps back to its path", "if off is None else self._returning(off, begin, end)", ""),
        Change("an arm never comes back", "left = off - np.clip(off, -BACK, BACK)", "left = off"),
    ),
)

TARGETS = (
    RETURNING,
    PADS,
    TIP,
    PLAN,
    STATES,
    OBSERVER,
    RULES,
    FORCE,
    CARRIED,
    SUPERVISION,
    LOCKSTEP,
    CLEARANCE,
)
