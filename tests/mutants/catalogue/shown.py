"""What operators are shown: last words of a process, answers, doctor's lines, the first use, dates, the page's facts."""

from tests.mutants.mutant import Change, Target

PRINTED = Target(
    "hil/processes/supervisor/printed.py",
    ("tests/hil/processes/test_children.py",),
    (
        Change("a line without an end is lost", "        if ended and self._rest:", "        if False:"),
        Change("of a flood the oldest is kept", "max(self._read, size - AT_ONCE)", "self._read"),
        Change("a blank line takes the last one away", "_shown(line) or self.last", "_shown(line)"),
        Change("what has been read is kept", "        LIBC.fallocate(", "        (lambda *_: None)("),
        Change("escapes reach the terminal", 'c if c.isprintable() else " "', "c"),
        Change("a line may be as long as it likes", "len(plain) <= TOLD", "True"),
        Change("the rest of a line may be as long as it likes", "self._rest = self._rest[-LONGEST:]", "pass"),
        Change("what is no text ends the daemon", '.decode("utf-8", "replace")', '.decode("utf-8")'),
    ),
)

ANSWERS = Target(
    "hil/processes/supervisor/answers.py",
    ("tests/hil/processes/test_answers.py",),
    (
        Change("a stop of what is stopped is one", "    if before.stopped_by_operator:", "    if False:"),
        Change("every reset had a cause", "return RESET if had_cause", "return RESET if True"),
        Change("a hold is always one", "        if state is not State.HOLDING:", "        if True:"),
        Change("the lever is in metres", "1e3 * push.point_object", "push.point_object"),
        Change("the duration is in seconds", "1e3 * push.duration:.0f", "push.duration:.0f"),
    ),
)

DOCTOR = Target(
    "hil/commands/doctor/finding.py",
    (
        "tests/hil/commands/test_doctor.py::test_a_probe_that_fails_is_a_line_and_the_others_hold",
        "tests/hil/commands/test_doctor.py::test_files_of_a_strange_machine_end_no_examination",
    ),
    (
        Change("a look that fails ends all", "        except Exception as error:", "        except ZeroDivisionError as error:"),
        Change("what is refused is a warning", "Finding(name, FAIL, str(error))", "Finding(name, WARN, str(error))"),
        Change("an error takes several lines", '" ".join(f"{type(error).__name__}: {error}".split())',
               'f"{type(error).__name__}: {error}"'),
    ),
)  # fmt: skip

FIRST_USE = Target(
    "hil/commands/first_use.py",
    ("tests/hil/commands/test_first_use.py",),
    (
        Change("it goes to the output", "file=sys.stderr, flush", "file=sys.stdout, flush"),
        Change("a run is watched", "own = command in OWN or", "own ="),
        Change("other processes are not looked for", "max(self._count, grown - before)", "self._count"),
        Change("another program's kernels are told", "before = before if helped else grown", "before = before"),
        Change("what goes on is told as compiling", "now - self._told < LINE_S or now - self._last > patience", "now - self._told < LINE_S"),
        Change("its end is not told", "        if self._begun:\n            count", "        if False:\n            count"),
    ),
)  # fmt: skip

DATES = Target(
    "hil/common/machine.py",
    ("tests/hil/recording/test_recording_lockstep.py::test_the_date_is_the_wall_clocks_and_the_machine_has_none",),
    (
        Change("the date cannot be set", "    if not fixed:", "    if True:"),
        Change("a machine is another one tomorrow", 'f"Python {platform.python_version()}"',
               'f"Python {platform.python_version()}, {datetime.date.today().isoformat()}"'),
    ),
)  # fmt: skip

PAGE_FACTS = Target(
    "hil/dashboard/news.py",
    ("tests/hil/dashboard/test_drag_push.py", "tests/hil/dashboard/test_state_words.py"),
    (
        Change("the mock-up is grabbed in the arm's axes", "for s in arm.ghost()", "for s in arm.solids"),
        Change("a drag may ask for more", '"max_push_n": MAX_PUSH_N', '"max_push_n": 2 * MAX_PUSH_N'),
        Change("its attitude is not told", '"quat": sim.quat_world_object', '"quat": np.eye(4)[0]'),
        Change(
            "the page is not told of contacts",
            '    "touch",\n',
            "",
            tests=("tests/hil/processes/test_touch_watch.py",),
        ),
    ),
)

TARGETS = (PRINTED, ANSWERS, DOCTOR, FIRST_USE, DATES, PAGE_FACTS)
