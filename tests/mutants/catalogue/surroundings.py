"""Mutants of what surrounds a run: outputs, folders, capabilities, models of robots, cadence of packets."""

from tests.mutants.mutant import Change, Target

OUTPUTS = Target(
    "hil/commands/outputs.py",
    ("tests/hil/commands/test_outputs.py",),
    (
        Change("an input may be overwritten", "if place in taken and not device:", "if False:"),
        Change(
            "a file is safe under one name only", "return found.st_dev, found.st_ino", "return path.resolve()"
        ),
        Change("two outputs may be one", 'taken[place] = f"what {output.said} writes"', "pass"),
        Change("what is there is overwritten", "if os.path.lexists(path):", "if False:"),
        Change("any ending can be drawn", "if path.suffix.lower() not in ends:", "if False:"),
    ),
)
OUTPUT_FILE = Target(
    "hil/common/output_file.py",
    ("tests/hil/commands/test_outputs.py",),
    (
        Change("the look leaves a file", "    path.unlink()\n", ""),
        Change("a full disk is not seen", "if file.write(bytes(LEAST_FREE)) < LEAST_FREE:", "if False:"),
        Change("the look leaves folders", "                    new.rmdir()", "                    pass"),
        Change("a full device is not seen", 'os.write(descriptor, b"")', "pass"),
    ),
)
PRIVATE = Target(
    "hil/common/private_folder.py",
    ("tests/hil/processes/test_run_mark.py", "tests/hil/common/test_kernel_cache.py"),
    (
        Change("a link is followed", "found = folder.lstat()", "found = folder.stat()"),
        Change("a folder that is open is private", "& 0o777 == 0o700", "& 0o700 == 0o700"),
        Change("what others can write to is trusted", "and not found.st_mode & others", ""),
        Change("anybody's cache is trusted", "found.st_uid in (os.geteuid(), ROOT)", "True"),
    ),
)
STATE = Target(
    "hil/common/state_directory.py",
    ("tests/hil/processes/test_run_mark.py",),
    (
        Change(
            "what stands in is told to last",
            "StateDirectory(path, why, stands_in=True)",
            "StateDirectory(path)",
        ),
    ),
)
CAPABILITY = Target(
    "hil/processes/real_time/capabilities.py",
    ("tests/hil/commands/test_doctor.py",),
    (
        Change("those of a namespace count", ".split() != WHOLE:", ".split() == []:"),
        Change("any capability will do", ">> capability & 1", ""),
    ),
)
SOCKETS = Target(
    "hil/messaging/runtime_directory.py",
    ("tests/hil/commands/test_doctor.py",),
    (
        Change("paths may be longer", "LONGEST_PATH = 107", "LONGEST_PATH = 117"),
        Change("the longest socket is forgotten", "    if length > room:", "    if length > LONGEST_PATH:"),
        Change("another user's folder will do", "if status.st_uid not in (os.geteuid(), 0):", "if False:"),
        Change("a folder that is open to all will do", "if status.st_mode & 0o002:", "if False:"),
    ),
)
URDF = Target(
    "drivers/robot/urdf_for_physics.py",
    ("tests/drivers/robot/test_urdf_for_physics.py",),
    (
        Change("a gripper moves", '        joint.set("type", STILL)\n', ""),
        Change("a joint is locked beyond its limits", "if not low <= 0.0 <= high:", "if False:"),
        Change("an STL that was broken off is read", "STL_HEAD + STL_TRIANGLE * triangles", "STL_HEAD"),
        Change("a mesh that tells of the mass is left out", 'if link.find("inertial") is None:', "if False:"),
    ),
)
CADENCE = Target(
    "drivers/fri/cadence.py",
    ("tests/drivers/fri/test_cadence.py",),
    (
        Change(
            "the last lateness counts",
            "self._least_ns = min(self._least_ns, late_ns)",
            "self._least_ns = late_ns",
        ),
        Change("a stream is right before it was measured", "return UNKNOWN", 'return ""'),
        Change("another stream goes on with the old measure", "        self.measured = 0.0\n", ""),
    ),
)
ENGINE = Target(
    "hil/common/engine.py",
    ("tests/hil/loop/test_divergence.py",),
    (
        Change("the engine's own log is written", "    mujoco.set_mju_user_warning(_heard)", "    pass"),
        Change("warnings are no errors", "if not self._counts.any():", "if True:"),
    ),
)

SLOTS = Target(
    "drivers/emulation/controller/krl_slots.py",
    ("tests/drivers/emulation/test_foreign_clients.py",),
    (
        Change("one slot asks only", "ASKING = 0, 15", "ASKING = 0, 0"),
        Change(
            "reals do not come back",
            "message.krl_int, message.krl_real, message.krl_bool =",
            "message.krl_int, _, message.krl_bool =",
        ),
    ),
)
NEWS = Target(
    "hil/processes/controller_news.py",
    ("tests/hil/processes/test_controller_news.py",),
    (
        Change("each fall is told", "if self._falls[kind] > 1:", "if False:"),
        Change("all cycles count as sent", "skipped = passed - self._sent", "skipped = 0"),
    ),
)

TARGETS = (
    OUTPUTS, OUTPUT_FILE, PRIVATE, STATE, CAPABILITY, SOCKETS, URDF, CADENCE, SLOTS, NEWS, ENGINE,
)  # fmt: skip
