"""Who leads a second arm and what the run does about it: packets, client, words, nearness, soak."""

from tests.mutants.mutant import Change, Target

CONTROLLER = Target(
    "drivers/emulation/grasp/second_controller.py",
    ("tests/drivers/emulation/grasp/test_second_controller.py",),
    (
        Change("any step is obeyed", "if way > SPEED * time + ROUNDING or", "if False or"),
        Change("any stiffness is obeyed", "and not _close(told, self._stiffness)", "and False"),
        Change("a pose need not be one", "if not np.isfinite(T).all() or", "if False and"),
        Change("misses never end a session", "if self.statistics.missed_in_row >=", "if False and 0 >="),
        Change("the tip jumps on", "self.arm.go_on(self._course)", "pass"),
        Change("a fall back lets the tip go on", "            self.arm.stay()\n", ""),
        Change("it reaches everywhere", "if not self._reaches:", "if False:"),
    ),
)
SESSION = Target(
    "drivers/fri/tip_session.py",
    ("tests/drivers/fri/test_tip_session.py",),
    (
        Change("a new session obeys at once", "and not sample.new_session", ""),
        Change("the gripper is never told", "int(closed), *NO_INTS", "0, *NO_INTS"),
        Change("any strategy will do", "if d.control != ControlStrategy.CARTESIAN_IMPEDANCE", "if False"),
        Change("the end is not told", "asking = KRL_STOP if stops else asking", "pass"),
    ),
)
CLIENT = Target(
    "hil/loop/partner/client.py",
    ("tests/hil/loop/partner/test_partner_client.py",),
    (
        Change("a hold lets the plan go on", "held = report.held or", "held = False or"),
        Change("a silent run lets the plan go on", "or silent > SILENT or bool", "or bool"),
        Change("a run that is lost leaves the gripper closed", "if silent > LOST:", "if False:"),
        Change("the run cannot open the gripper", "if report.open and", "if False and"),
        Change("it pulls with all it has", "if far > most or turned > most_turned", "if False"),
        Change("between reports the object stands", "1e-9 * (sample.t_ns - report.t_ns)", "0.0"),
        Change(
            "standing open is closed", "self._closed and tip.opening <=", "self._closed or tip.opening <="
        ),
        Change(
            "another session goes on",
            "if self._followed is not None:\n                self.give_up",
            "if False:\n                self.give_up",
        ),
    ),
)
WATCH = Target(
    "hil/loop/partner/watch.py",
    ("tests/hil/loop/partner/test_watch.py",),
    (
        Change("any number is a word", "if np.isfinite(told).all() and", "if True or"),
        Change("its trouble is its own", "or not self.words.trouble", "or True"),
        Change("trouble far away holds", "self.supervision.state is GraspState.FREE or", ""),
        Change("words last for ever", "silent[0] <= SILENT", "True"),
        Change("nobody holds on before it floats", "self._force.gripped = self._gripped(self.words)", "pass"),
        Change("who is far away holds on", "if self._gap >= self._grasp.near or not", "if not"),
    ),
)
GAP = Target(
    "hil/loop/grasp/gap.py",
    ("tests/hil/loop/grasp/test_gap.py",),
    (
        Change("pads are points", "self._points[:, 1] = opening * FINGERS", "self._points[:, 1] = 0.0"),
        Change("a turned tool has the same sides", "> 0.0 else -FINGERS", "> -9.0 else -FINGERS"),
    ),
)
WAY = Target(
    "hil/loop/partner/in_the_way.py",
    ("tests/hil/loop/partner/test_in_the_way.py",),
    (
        Change("a near arm is no obstacle", "if report.gap >= grasp.near", "if True"),
        Change("an unknown arm is none", "or not math.isfinite(report.gap)", ""),
    ),
)
NEWS = Target(
    "hil/processes/supervisor/grasp_news.py",
    ("tests/hil/processes/test_grasp_news.py",),
    (
        Change("a report of before counts", "report is not None and report.floating", "report is not None"),
        Change("a driver that ended leaves no doubt", "if state in ACTING or self._holds_on:", "if False:"),
        Change(
            "any words end the doubt",
            "self._forgotten if self._holds_on else",
            "self._forgotten if False else",
        ),
        Change("nobody looks at the arms", "return why or self._too_near(now_ns, robot)", "return why"),
    ),
)
SOAK = Target(
    "hil/trials/soak/grasp.py",
    ("tests/hil/trials/soak/test_soak_grasps.py",),
    (Change("no force is too much", "force > self._most", "False"),),
)
PLAN_CHECK = Target(
    "hil/loop/grasp/plan_check.py",
    ("tests/hil/loop/grasp/test_second_arm.py",),
    (
        Change(
            "the first arm stands while it is looked at", "clearance.between(q_first,", "clearance.between(q,"
        ),
    ),
)
RECORDED = Target(
    "hil/recording/replaying/heard_grasp.py",
    ("tests/hil/recording/test_grasp_recorded.py",),
    (
        Change("nobody compares the reports", "self._reports.hear(self._driver.watch.report())", "pass"),
        Change("inputs may be missing", "taken)) > 0", "taken)) >= 0"),
    ),
)
ANSWERED = Target(
    "hil/recording/replaying/second_answers.py",
    ("tests/hil/recording/test_grasp_recorded.py",),
    (
        Change("a hole among the answers is none", "or block.start != self._end or", "or"),
        Change("answers come a cycle late", "self._next[0] == cycle", "self._next[0] < cycle"),
    ),
)

TARGETS = (CONTROLLER, SESSION, CLIENT, WATCH, GAP, WAY, NEWS, SOAK, PLAN_CHECK, RECORDED, ANSWERED)
