"""Paced runs and recordings on the page: pace, desk, player, line, reading by time, what is shown."""

from tests.mutants.mutant import Change, Target

PACE = Target(
    "hil/processes/paced/pace.py",
    ("tests/hil/processes/paced/test_pace.py",),
    (
        Change("what is behind is made up for by a burst", "            self.offset_ns += late_ns\n", ""),
        Change("every hiccup is given up", "late_ns := -ahead_ns - HICCUP_NS", "late_ns := -ahead_ns"),
        Change("it never waits", "return ahead_ns if ahead_ns >= REST_NS else 0", "return 0"),
        Change(
            "the rate is that of the whole run",
            "return _rate(self._points[0], self._points[-1])",
            "return _rate(self._begin, self._points[-1])",
        ),
        Change("every wobble is told", "abs(rate - self._told) < NEWS and", "rate == self._told and"),
    ),
)
LOCKSTEP = Target(
    "hil/loop/lockstep.py",
    ("tests/hil/processes/paced/test_paced_run.py",),
    (
        Change(
            "thresholds do not reach the driver",
            "self._machine.mode(t_ns, self.thresholds)",
            "self._machine.mode(t_ns)",
        ),
        Change("an operator's push is not recorded", "            self._tell(topic, asked)\n", ""),
        Change(
            "a push acts a cycle before it is noted",
            "self._logs.emulator.event(self._controller.cycle, kind, asked.t_ns)",
            "self._logs.emulator.event(self._controller.cycle + 1, kind, asked.t_ns)",
        ),
    ),
)
PACED = Target(
    "hil/processes/paced/run.py",
    ("tests/hil/processes/paced/test_paced_run.py",),
    (
        Change(
            "thresholds are ordered from the beginning",
            "AS_CONFIGURED if thresholds == self._configured else thresholds.as_order()",
            "thresholds.as_order()",
        ),
        Change(
            "the head does not tell that an operator acted",
            'told = {"operated": "yes"} if self._desk.interfered else {}',
            "told: dict[str, str] = {}",
        ),
        Change(
            "it floats again by itself after a reset",
            "self._float(judge, judge.experiments.waiting)",
            "self._float(judge, True)",
        ),
    ),
)
PLAYER = Target(
    "hil/dashboard/showing/player.py",
    ("tests/hil/dashboard/showing/test_player.py",),
    (
        Change("parts of a nanosecond are lost", "self._rest = step - math.floor(step)", "self._rest = 0.0"),
        Change("it plays before anybody looks", "if self.playing and watched:", "if self.playing:"),
        Change("a jump stays where it is", "from_ns = self.at_ns + LEAD_NS", "from_ns = self.at_ns"),
        Change("the slider leads beyond the end", "min(max(t, 0.0), self.length)", "max(t, 0.0)"),
        Change("it plays on beyond the end", "self.playing = self.at_ns < self._end_ns", "pass"),
    ),
)
LINE = Target(
    "hil/dashboard/showing/timeline.py",
    ("tests/hil/dashboard/showing/test_player.py",),
    (
        Change("all that was told of a contact is kept", "self._contacts.pop()", "pass"),
        Change(
            "a contact is told of before it was",
            "return self._contacts[at - 1] if at else None",
            "return self._contacts[-1] if self._contacts else None",
        ),
        Change("a push that was taken back stays", "and known is not None:", "and known is None:"),
        Change("contacts have no marks", 'insort(self._marks["contact"], contact.t_start_ns)', "pass"),
        Change(
            "held time is no floated time",
            "if stretch.state in MOVING else 0",
            'if stretch.state == "FLOATING" else 0',
        ),
        Change(
            "pushes of an arm that stands are marked",
            " and self.state_at(piece.t_start_ns) in (State.FLOATING, State.HOLDING):",
            ":",
        ),
    ),
)
MOMENTS = Target(
    "hil/recording/moments.py",
    ("tests/hil/dashboard/showing/test_moments.py",),
    (
        Change(
            "chunks that end within are left out",
            "(self._ends > begin_ns))",
            "(self._begins > begin_ns))",
        ),
        Change(
            "the first instant is told twice",
            "bisect_right(rows.t_ns, begin_ns), bisect_right",
            "bisect_left(rows.t_ns, begin_ns), bisect_right",
        ),
        Change("all chunks are kept", "if len(self._open) > KEPT_CHUNKS:", "if len(self._open) > 10**9:"),
        Change(
            "another version is read all the same",
            "                check_schema(path, channel.topic, file.schemas[channel.schema_id], known[channel.topic])\n",
            "",
        ),
    ),
)
CHUNKS = Target(
    "hil/common/formats/mcap_chunks.py",
    ("tests/hil/dashboard/showing/test_moments.py",),
    (
        Change(
            "a flipped byte is believed",
            "if chunk.uncompressed_crc and zlib.crc32(body) != chunk.uncompressed_crc:",
            "if False:",
        ),
        Change(
            "a file without its end is whole",
            "self.whole = is_end(self._data, frame.end)",
            "self.whole = True",
        ),
    ),
)
PROJECTOR = Target(
    "hil/dashboard/showing/projector.py",
    ("tests/hil/dashboard/showing/test_showing.py",),
    (
        Change("curves after a jump begin at it", "at_ns - round(NS * SPAN))", "at_ns)"),
        Change(
            "curves go on over a jump",
            "self.signals, self._stale, self.moved = self._fresh(), False, True",
            "self._stale, self.moved = False, True",
        ),
        Change(
            "curves are drawn anew at every move of the hand",
            "if now - self._cut_s < SETTLED_S:",
            "if False:",
        ),
        Change("what is long past is shown as now", "OLD_NS = NS ", "OLD_NS = 100 * NS "),
    ),
)
TARGETS = (PACE, LOCKSTEP, PACED, PLAYER, LINE, MOMENTS, CHUNKS, PROJECTOR)
