"""An operator's hand that brings the arm home: freshness, way, driver's part, contact, keys."""

from tests.mutants.mutant import Change, Target

BEATS = Target(
    "hil/loop/approach/fresh_beats.py",
    ("tests/hil/loop/approach/test_fresh_beats.py",),
    (
        Change("a number counts twice", "if number <= self.number:", "if number < self.number:"),
        Change("any session counts", "if session != self._session:", "if False:"),
        Change("a heap that waited counts", "if late_ns > HAND_TIMEOUT_NS:", "if False:"),
        Change(
            "a slow first one is the measure for good",
            "            self._least_ns = min(self._least_ns, lag_ns)\n",
            "            pass\n",
        ),
    ),
)
OTHER_ARM = ("tests/hil/loop/test_any_arm.py", "-k", "clearances or way_home")
WAY = Target(
    "hil/loop/approach/way.py",
    ("tests/hil/loop/approach/test_way.py",),
    (
        Change("only the end is looked at", "np.linspace(0.0, 1.0, count)", "np.linspace(1.0, 1.0, count)"),
        Change("corners may be as fast as they like", "PLANNED * CORNER_SPEED / longest", "speed / longest"),
        Change("a joint beyond its limits may begin", "if not low <= value <= high:", "if False:"),
        Change(
            "what is not known is free",
            "if self._cube.unjudged:",
            "if False:",
            tests=("tests/hil/loop/test_any_arm.py", "-k", "without_solids"),
        ),
    ),
)
CUBE = Target(
    "hil/loop/approach/held_cube.py",
    ("tests/hil/loop/approach/test_held_cube.py",),
    (
        Change(
            "the floor is a depth above the base",
            "c.robot.mount_position[2]) - c",
            "c.robot.mount_position[2]) + c",
        ),
        Change("the cube sits around the tcp", "+= self._half * frames", "+= 0.0 * frames"),
        Change("links are thin", "self._half) - body.radius", "self._half)"),
        Change(
            "links are where the one before is",
            "R_link, p_link = frames[body.link]",
            "R_link, p_link = frames[max(0, body.link - 1)]",
            tests=OTHER_ARM,
        ),
        Change(
            "the flange is the last link",
            "frames.append((R @ chain.T_last_tip[:3, :3], p + R @ chain.T_last_tip[:3, 3]))",
            "frames.append((R, p))",
            tests=OTHER_ARM,
        ),
        Change(
            "the mount is upright",
            "R = np.broadcast_to(self._world[:3, :3], (n, 3, 3))",
            "R = np.broadcast_to(np.eye(3), (n, 3, 3))",
        ),
        Change(
            "every joint turns about z",
            "_turns(q[:, j], chain.axes[j])",
            "_turns(q[:, j], np.array([0.0, 0.0, 1.0]))",
            tests=OTHER_ARM,
        ),
        Change(
            "the mock-up is half as large",
            "self._half = 0.5 * c.mockup.edge",
            "self._half = 0.25 * c.mockup.edge",
        ),
    ),
)
HELD_POSE = Target(
    "hil/loop/judging/held_pose.py",
    ("tests/hil/loop/test_any_arm.py", "-k", "daemon_and_the_page"),
    (
        Change(
            "the base stands where the world does",
            "self._mount = _pose_of(c.robot.mount_position, c.robot.mount_rotvec)",
            "self._mount = _pose_of(0.0 * c.robot.mount_position, c.robot.mount_rotvec)",
        ),
        Change(
            "the base stands upright",
            "self._mount = _pose_of(c.robot.mount_position, c.robot.mount_rotvec)",
            "self._mount = _pose_of(c.robot.mount_position, 0.0 * c.robot.mount_rotvec)",
        ),
        Change(
            "joints sit on each other",
            "            pose = _joined(pose, placement)\n",
            "",
        ),
        Change(
            "the flange is the last link",
            "_joined(_pose_of_matrix(chain.T_last_tip), held)",
            "held",
        ),
        Change(
            "the tool is none",
            "_joined(_pose_of_matrix(chain.T_last_tip), held)",
            "_joined(_pose_of_matrix(chain.T_last_tip), _pose_of(c.object.position, c.object.rotvec))",
        ),
    ),
)
DRIVER = Target(
    "hil/loop/driver/by_hand.py",
    ("tests/hil/loop/approach/test_driver_approach.py",),
    (
        Change("any state before will do", "        if not self._was_ready:\n", "        if False:\n"),
        Change(
            "an old order moves the arm on",
            "if not abs(t_ns - mode.t_ns) <= HAND_TIMEOUT_NS:",
            "if False:",
        ),
        Change("an old number moves the arm on", " and t_ns - self._counted_ns <= HAND_TIMEOUT_NS", ""),
        Change("a way that begins elsewhere is taken", "<= SAME_PLACE).all():", "<= 10.0).all():"),
        Change(
            "a session that is over goes on", "        if self.end:\n            self._motion.brake()\n", ""
        ),
    ),
)
HOMING = Target(
    "hil/loop/driver/homing.py",
    ("tests/hil/loop/approach/test_driver_approach.py",),
    (Change("corners are not looked at", "if not corner <= ENFORCED * CORNER_SPEED:", "if False:"),),
)
CONTACT = Target(
    "hil/loop/driver/contact_force.py",
    ("tests/hil/loop/test_contact_force.py",),
    (
        Change("torques count as forces", "[1.0 / c.filter.length] * 3", "[1.0] * 3"),
        Change(
            "the offset is learnt under way",
            "        self._now = self._now + self._smoothing",
            "        self._rest = self._rest + self._smoothing * (now - self._rest)\n        self._now = self._now + self._smoothing",
        ),
        Change("what presses is an offset", "        self._touched = True\n", ""),
        Change("an offset that is another elsewhere presses", "LET_GO = 0.5", "LET_GO = 2.0"),
        Change("it is let go as soon as it may float", "LET_GO = 0.5", "LET_GO = 1.0"),
        Change(
            "no way leads off it",
            "self._bound = max(self._limit, self.change + FURTHER * self._limit)",
            "pass",
        ),
        Change(
            "the way back is free", "min(self._bound, self.change + FURTHER * self._limit)", "self._bound"
        ),
    ),
)
KEY = Target(
    "hil/commands/held_key.py",
    ("tests/hil/commands/test_held_key.py",),
    (
        Change("the first stroke moves the arm", "self._gaps >= STREAM", "self._gaps >= 0"),
        Change("any second stroke moves the arm", "now_s - self._heard_s <= REPEAT_S", "True"),
    ),
)

TARGETS = (BEATS, WAY, CUBE, HELD_POSE, DRIVER, HOMING, CONTACT, KEY)
