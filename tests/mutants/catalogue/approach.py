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
WAY = Target(
    "hil/loop/approach/way.py",
    ("tests/hil/loop/approach/test_way.py",),
    (
        Change("only the end is looked at", "np.linspace(0.0, 1.0, count)", "np.linspace(1.0, 1.0, count)"),
        Change("corners may be as fast as they like", "PLANNED * CORNER_SPEED / longest", "speed / longest"),
        Change("a joint beyond its limits may begin", "if not low <= value <= high:", "if False:"),
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
    ),
)
DRIVER = Target(
    "hil/loop/driver/approach.py",
    ("tests/hil/loop/approach/test_driver_approach.py",),
    (
        Change("any state before will do", "        if not self._was_ready:\n", "        if False:\n"),
        Change(
            "an old order moves the arm on",
            "if not abs(t_ns - mode.t_ns) <= HAND_TIMEOUT_NS:",
            "if False:",
        ),
        Change("an old number moves the arm on", " and t_ns - self._counted_ns <= HAND_TIMEOUT_NS", ""),
        Change("corners are not looked at", "if not corner <= ENFORCED * CORNER_SPEED:", "if False:"),
        Change("a way that begins elsewhere is taken", "<= SAME_PLACE).all():", "<= 10.0).all():"),
        Change(
            "a session that is over goes on", "        if self.end:\n            self._motion.brake()\n", ""
        ),
    ),
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

TARGETS = (BEATS, WAY, CUBE, DRIVER, CONTACT, KEY)
