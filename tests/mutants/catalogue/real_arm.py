"""Mutants of what a real arm lacks before it may move, of the record of the wrench, and of its stand-in."""

from tests.mutants.mutant import Change, Target

PERMIT = Target(
    "hil/loop/judging/real_arm.py",
    ("tests/hil/loop/test_real_arm.py",),
    (
        Change("an emulated arm is held to it, a real one not", 'if c.robot.kind != "fri":\n        return ()',
               'if c.robot.kind == "fri":\n        return ()'),
        Change("no check of the wrench is needed", '"" if wrench_checked else NOT_CHECKED', '""'),
        Change("one reason sets all aside", "getattr(c.fri.override, key)) for key, what in found.items()",
               "c.fri.override.wrench_check) for key, what in found.items()"),
        Change("what is set aside does not show", "for lack in found if lack.reason]", "for lack in ()]"),
        Change("any certificate will do", "c.stops.certified == workspace_stamp(c)", "bool(c.stops.certified)"),
        Change("the ratio's bound is ten times as high", "if ratio <= FORCE_PATH_WARNING:",
               "if ratio <= 10.0 * FORCE_PATH_WARNING:"),
        Change("defaults count as written down", "SIGN_AND_FRAME, c.fri.model_fields_set",
               "SIGN_AND_FRAME, set(type(c.fri).model_fields)"),
        Change("the frame need not be written down", 'SIGN_AND_FRAME = {"wrench_sign", "wrench_frame"}',
               'SIGN_AND_FRAME = {"wrench_sign"}'),
        Change("an arm floats on state that is lost", 'if self.forgets and self._c.robot.kind == "fri"', "if False"),
        Change("only the first that lacks is told", '"; ".join(self._missing)', "self._missing[0]"),
    ),
)  # fmt: skip

STAMP = Target(
    "hil/configuration/wrench_stamp.py",
    ("tests/hil/configuration/test_wrench_stamp.py",),
    (
        Change("another load passes", "        [c.mockup.mass],\n", ""),
        Change("another tool passes", "        c.robot.tcp_rotvec,\n", ""),
        Change("another controller passes", "fri.controller_address, fri.wrench_frame", "fri.wrench_frame"),
        Change("the other sign passes", "fri.wrench_sign, fri.torque_sign", "fri.torque_sign"),
    ),
)

RECORD = Target(
    "hil/processes/supervisor/wrench_record.py",
    ("tests/hil/processes/test_wrench_record.py",),
    (
        Change("a verdict of another configuration is taken", "if verdict.stamp != self.stamp:", "if False:"),
        Change("a verdict counts in any state", "if state is not State.READY:", "if False:"),
        Change("a failure leaves the old pass", "self._file.unlink(missing_ok=True)", "pass"),
        Change("a file that is there counts", '["stamp"] == self.stamp)', '["stamp"])'),
        Change("what is wrong is kept", "self._keep(verdict.findings) if verdict.passed", "self._keep(verdict.findings) if True"),
    ),
)  # fmt: skip

WEIGHT = Target(
    "drivers/emulation/operator/hung_weight.py",
    ("tests/drivers/emulation/test_hung_weight.py",),
    (
        Change("a weight lifts", "-mass * GRAVITY", "mass * GRAVITY"),
        Change("its lever counts from the object's centre", "R.T @ (lever - p)", "R.T @ lever"),
    ),
)

PORT = Target(
    "hil/processes/controller_alone.py",
    ("tests/hil/processes/test_controller_alone.py",),
    (
        Change("it sends from a port that nobody knows", "return asked or c.fri.port", "return asked or 0"),
        Change("the client's own port is not refused", "if asked is not None and shared and asked == c.fri.port:", "if False:"),
    ),
)  # fmt: skip

TARGETS = (PERMIT, STAMP, RECORD, WEIGHT, PORT)
