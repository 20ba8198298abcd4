"""Emulated time that waits for a busy machine: the clock of a run, who is waited for, and what is told of it."""

from tests.mutants.mutant import Change, Target

CLOCK = Target(
    "hil/common/run_clock.py",
    ("tests/hil/common/test_run_clock.py",),
    (
        Change("time goes on beyond what was released", "or t_ns <= end_ns else", "or t_ns > 0 else"),
        Change(
            "a robot that is dead holds up all for ever",
            "else max(end_ns, t_ns - PATIENCE_NS)",
            "else end_ns",
        ),
        Change(
            "two instants of a process are equal",
            "max(self._last_ns + 1, time_at",
            "max(self._last_ns, time_at",
        ),
        Change(
            "the pair that is read is overwritten",
            "place = SLOTS + 2 * (generation & 1)  # the pair",
            "place = SLOTS + 2 * ((generation - 1) & 1)  # the pair",
        ),
        Change("a mixed pair is believed", "            if words[0] == generation:", "            if True:"),
        Change(
            "the dead are waited for",
            "        for mark in TOLD_BY.get(process, ()):\n            self.mark(mark, 0)\n",
            "",
        ),
        Change(
            "time stays held without the robot",
            '        if process == "emulator":\n            self.free()\n',
            "",
        ),
        Change(
            "a wait that goes on is not told",
            "        return host_ns - time_at(host_ns, waited_ns, end_ns)",
            "        return waited_ns",
        ),
    ),
)

PATIENCE = Target(
    "drivers/emulation/patience.py",
    ("tests/drivers/emulation/test_patience.py",),
    (
        Change(
            "a driver that is not there is waited for", "unanswered and marks[Mark.ORDERED]", "unanswered"
        ),
        Change("who has told nothing is waited for", "if marks[mark] and t_ns", "if t_ns"),
        Change("patience is for ever", "if host_ns - self._since_ns < PATIENCE_NS else", "if host_ns else"),
        Change(
            "patience begins anew at every look",
            "self._since_ns = self._since_ns or host_ns",
            "self._since_ns = host_ns",
        ),
        Change(
            "patience is spent for the rest of the run",
            "            self._since_ns = 0\n            return",
            "            return",
        ),
        Change(
            "a plan that comes does not begin anew",
            " or marks[Mark.PLANNED] != self._planned:",
            ":",
        ),
        Change(
            "the first prediction after a rest is late", "t_ns if owed else 0", "self._planned if owed else 0"
        ),
    ),
)

PACE = Target(
    "drivers/emulation/pace.py",
    ("tests/drivers/emulation/test_pace.py",),
    (
        Change("what stood is lost", "release(waited_ns + stood_ns,", "release(waited_ns,"),
        Change("no packet may be late", "nanoseconds(end + self.slack)", "nanoseconds(end)"),
        Change("who was waited for is forgotten", "self._for = self._for or owing", "self._for = owing"),
        Change("all is put down to one process", '        self._for = ""\n\n', "\n"),
        Change("the clock is kept after the end", "        self._shared.free()", "        pass"),
    ),
)

PROCESS = Target(
    "drivers/emulation/process.py",
    ("tests/drivers/emulation/test_process_cycle.py",),
    (
        Change(
            "nobody is waited for",
            "elif self._pace.holds(*(shell.unanswered for shell in self._shells)) and",
            "elif False and",
        ),
        Change("an end is waited with", " and not self._asked:", ":"),
    ),
)

SHELL = Target(
    "drivers/emulation/shell.py",
    ("tests/drivers/emulation/test_process_cycle.py",),
    (
        Change(
            "what the link loses is waited for",
            "                self._note_answer(data)\n                self._from_client.submit(data, now)",
            "                self._from_client.submit(data, now)",
        ),
        Change(
            "an old answer counts as the newest",
            "self._heard = min(COUNTS.unpack_from(data)[1], self._heard, key=self._age)",
            "self._heard = COUNTS.unpack_from(data)[1]",
        ),
        Change(
            "what never left is waited for",
            "            return  # nobody there yet",
            "            pass  # nobody there yet",
        ),
    ),
)

BUSY = Target(
    "hil/processes/supervisor/busy.py",
    ("tests/hil/processes/test_busy.py",),
    (
        Change(
            "a frozen process was kept waiting",
            "if waited > KEPT * (now_ns - before.at_ns) and ran",
            "if ran",
        ),
        Change(
            "all that was ever spent counts",
            "ran - before.spent[name][0], waited - before.spent[name][1]",
            "ran, waited",
        ),
        Change(
            "every turn is explained", "if not moving or not (seen.missing or seen.stuck)", "if not moving"
        ),
        Change("a standing arm's waiting is explained", "if not moving or not", "if not"),
        Change("the least share comes last", "key=lambda item: item[1])", "key=lambda item: -item[1])"),
        Change("nothing to do is said", '; {REMEDY}" if why', '" if why'),
    ),
)

TARGETS = (CLOCK, PATIENCE, PACE, PROCESS, SHELL, BUSY)
