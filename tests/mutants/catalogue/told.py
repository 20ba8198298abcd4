"""What is told and written down: codec, bus, recordings, replay, clocks, the bridge between two hosts, figures."""

from tests.mutants.mutant import Change, Target

CODEC = Target(
    "hil/messaging/codec.py",
    ("tests/hil/messaging/test_codec.py",),
    (
        Change("units are not in the fingerprint", ":{f.metadata['unit']}", ""),
        Change("shapes are not in the fingerprint", ":{f.metadata['shape']}", ""),
        Change("another version is read", "    if fingerprint != cls.FINGERPRINT:", "    if False:"),
        Change("a truth value is a number", '(kind == "int" and isinstance(value, bool))', "False"),
        Change(
            "arrays of any shape are read",
            "        if not _is_int(size) or size < 0 or (wanted != -1 and size != wanted):\n            return False\n",
            "        if not _is_int(size) or size < 0:\n            return False\n",
        ),
        Change(
            "too few bytes are read",
            "    return len(content) == dtype.itemsize * math.prod(found)",
            "    return True",
        ),
        Change(
            "bytes that are none raise their own error",
            "    except Exception as error:\n        raise BadMessage",
            "    except msgpack.ExtraData as error:\n        raise BadMessage",
        ),
        Change("the count is lost", "    return cls(*values), seq", "    return cls(*values), 0"),
    ),
)

INSTANTS = Target(
    "hil/messaging/instants.py",
    ("tests/hil/messaging/test_instants.py",),
    (
        Change("no instant is moved too", "value + by_ns if value > 0 else value", "value + by_ns"),
        Change("no instants are moved too", "np.where(value > 0, value + by_ns, value)", "value + by_ns"),
        Change(
            "instants are moved the other way",
            "value + by_ns if value > 0 else value",
            "value - by_ns if value > 0 else value",
        ),
        Change("instants beyond any clock are moved", "> FURTHEST_NS:", "> 2 * FURTHEST_NS:"),
    ),
)

BUS = Target(
    "hil/messaging/bus.py",
    ("tests/hil/messaging/test_bus.py", "tests/hil/messaging/test_bus_garbage.py"),
    (
        Change(
            "garbage ends the reader",
            "            except BadMessage as error:\n                self.refused",
            "            except ZeroDivisionError as error:\n                self.refused",
        ),
        Change(
            "messages of another topic are read",
            "                if not isinstance(msg, self._kind):\n                    raise",
            "                if False:\n                    raise",
        ),
        Change(
            "a publisher that starts again loses everything",
            "self.lost += max(0, seq - self._next)",
            "self.lost += abs(seq - self._next)",
        ),
        Change(
            "the oldest message counts",
            "return found[-1] if found else None",
            "return found[0] if found else None",
            tests=("tests/hil/messaging/test_bus.py",),
        ),
        Change("refused messages are not counted", "                self.refused += 1\n", ""),
    ),
)

TICKER = Target(
    "hil/common/clock.py",
    ("tests/hil/common/test_clock.py",),
    (
        Change(
            "missed periods come in a burst",
            "self._deadline = tick.deadline_ns + self._period",
            "self._deadline = self._deadline + self._period",
        ),
        Change("missed periods are not counted", "        self.skipped += late_periods\n", ""),
        Change(
            "the schedule drifts with the wake-up",
            "self._deadline = tick.deadline_ns + self._period",
            "self._deadline = now + self._period",
        ),
        Change(
            "a tick comes before its deadline where the clock stood",
            "        while now < self._deadline:",
            "        if now < self._deadline:",
            tests=("tests/hil/common/test_run_clock.py",),
        ),
        Change("the index does not skip", "self._index = tick.index + 1", "self._index = self._index + 1"),
    ),
)

RECORDER = Target(
    "hil/recording/recorder.py",
    ("tests/hil/recording/test_recording.py",),
    (
        Change("losses are told in every turn", "        if counts != self._lost:\n", "        if True:\n"),
        Change(
            "the last counts are not written",
            '        self._file.metadata({"lost": {topic: str(n) for topic, n in counts.items()}})\n',
            "",
        ),
        Change(
            "pictures come as often as messages", "        if t_ns < due_ns:\n            return False\n", ""
        ),
        Change(
            "the offset of the clock is left out",
            "wall_ns = state.t_ns + self._file.offset_ns",
            "wall_ns = state.t_ns",
        ),
        Change(
            "publishers' counts are lost",
            "self._file.write(channel, row.t_ns, coder.encode(row), sequence)",
            "self._file.write(channel, row.t_ns, coder.encode(row))",
        ),
    ),
)

MCAP_FILE = Target(
    "hil/recording/mcap_file.py",
    ("tests/hil/recording/test_recording.py",),
    (
        Change("an old recording is written over", 'open(path, "xb")', 'open(path, "wb")'),
        Change(
            "log time is the run's time",
            "log_ns = min(max(t_ns + self.offset_ns, 0), LATEST_NS)",
            "log_ns = min(max(t_ns, 0), LATEST_NS)",
        ),
        Change("nothing is flushed", "                self._writer.flush()\n", "                pass\n"),
        Change(
            "a full disk is no error",
            '            raise RecordingError(f"{self._path} cannot be written: {_why(error)}") from error',
            "            return None",
        ),
        Change("the index is not written", "            self._writer.finish()\n", ""),
    ),
)

READING = Target(
    "hil/recording/reading.py",
    ("tests/hil/recording/test_recording.py",),
    (
        Change("a broken recording reads as whole", "            self.whole = True\n", "            pass\n"),
        Change(
            "messages of another version are read",
            "    if schema.data != coder_of(kind).schema:",
            "    if False:",
        ),
        Change(
            "any MCAP file is a recording",
            '        if not (self.ours or "zerog" in self.metadata):',
            "        if False:",
        ),
        Change(
            "the duration begins at zero",
            "self.begin_ns = min(self.begin_ns or record.log_time, record.log_time)",
            "self.begin_ns = min(self.begin_ns, record.log_time)",
        ),
    ),
)

ROWS = Target(
    "hil/recording/rows.py",
    ("tests/hil/recording/test_recording.py", "tests/hil/recording/test_rows.py"),
    (
        Change("durations are instants", "(stamp - t_ns for stamp in stamps)", "stamps"),
        Change(
            "following is commanding",
            "following=bool(flags & CYCLE_FOLLOWING)",
            "following=bool(flags & CYCLE_COMMANDING)",
        ),
        Change(
            "an answer that never came took no time",
            "answer_ns - sent_ns if answer_ns else -1",
            "answer_ns - sent_ns",
        ),
        Change(
            "every cycle shows the newest command",
            "q_command=block.q_command[row]",
            "q_command=block.q_command[-1]",
        ),
    ),
)

INPUTS = Target(
    "hil/loop/input_log.py",
    ("tests/hil/loop/test_input_log.py",),
    (
        Change(
            "the order that held is not noted",
            "last[4], last[5] = 0 if mode is None else mode.t_ns,",
            "last[4], last[5] = 0,",
        ),
        Change("the answered packet is not marked", "        last[3] |= INPUT_ANSWERED\n", ""),
        Change(
            "the mirrored positions are left out",
            "return not sample.commanding or sample.new_session",
            "return not sample.commanding",
        ),
        Change(
            "slices go on in the next block",
            "        self._rows, self._slices = [], []\n",
            "        self._rows = []\n",
        ),
        Change("turns are not counted", "        self._start += len(rows)\n", ""),
        Change(
            "the answer is not kept",
            "        self._bits.sent(samples[-1].count, q_command)\n",
            "",
        ),
    ),
)

ECHO_BITS = Target(
    "hil/loop/echo_bits.py",
    ("tests/hil/loop/test_input_log.py",),
    (
        Change("an overwritten answer counts", " and self._counts[row] == heard", ""),
        Change("what is mirrored is told as a difference", "known = not mirrored and heard", "known = heard"),
        Change(
            "the echo is told in whole numbers",
            "return bits.view(np.float32).astype(np.float64)",
            "return bits.astype(np.float64)",
        ),
    ),
)

COMPARISON = Target(
    "hil/recording/replaying/comparison.py",
    ("tests/hil/recording/test_comparison.py",),
    (
        Change("everything is the same", "same = self._coder.encode(msg) == then", "same = True"),
        Change(
            "nothing compared is the same",
            "return not self.different and self.compared.total() > 0",
            "return not self.different",
        ),
        Change(
            "what is no longer said is not missed",
            '                self._verdict.count(self._topic, t_ns, "is not said now")\n',
            "                pass\n",
        ),
        Change(
            "what was not said then is not noticed",
            '                self._verdict.count(self._topic, msg.t_ns, "was not said then")\n',
            "                pass\n",
        ),
        Change(
            "a message is awaited again",
            "        then = waiting.pop(0)\n",
            "        then = waiting[0]\n",
        ),
    ),
)

OFFSET = Target(
    "hil/processes/bridge/clock_offset.py",
    ("tests/hil/processes/bridge/test_clock_offset.py",),
    (
        Change(
            "the offset has the other sign",
            "_Exchange(asked_ns, answered_ns - back_ns, heard_ns - asked_ns)",
            "_Exchange(asked_ns, asked_ns - heard_ns, back_ns - answered_ns)",
        ),
        Change("clocks do not drift apart", "DRIFT = 1e-3", "DRIFT = 0.0"),
        Change("a clock that jumped is averaged", "            self._exchanges.clear()\n", ""),
        Change(
            "an exchange faster than nothing is believed",
            "        if exchange.lower_ns > exchange.upper_ns:\n            return False",
            "        if False:\n            return False",
        ),
        Change(
            "uncertainty does not grow",
            "half = (upper - lower) / 2 + self._drift * (now_ns - self._newest_ns)",
            "half = (upper - lower) / 2",
        ),
        Change("the tightest bounds are not found", "lower = max(item.lower_ns", "lower = min(item.lower_ns"),
    ),
)

LINK_JUDGE = Target(
    "hil/processes/bridge/link_judge.py",
    ("tests/hil/processes/bridge/test_link_judge.py",),
    (
        Change("silence is no break", "now_ns - self._answered_ns > TIMEOUT_NS:", "False:"),
        Change(
            "a hole is no break", "if self._expected is not None and number != self._expected:", "if False:"
        ),
        Change(
            "another bridge is no break",
            "            if self._session:\n                self._start_again(",
            "            if False:\n                self._start_again(",
        ),
        Change(
            "another configuration is let through",
            "        if self._peer_stamp != self._stamp:",
            "        if False:",
        ),
        Change(
            "messages pass before the offset is known",
            "if now_ns - self._broken_ns < LEARN_NS or len(self._clock) < LEARN_EXCHANGES:",
            "if len(self._clock) < LEARN_EXCHANGES:",
        ),
        Change(
            "one exchange is enough",
            "if now_ns - self._broken_ns < LEARN_NS or len(self._clock) < LEARN_EXCHANGES:",
            "if now_ns - self._broken_ns < LEARN_NS:",
        ),
        Change(
            "any uncertainty is let through",
            "        if estimate.uncertainty_ns > MAX_UNCERTAINTY_NS:",
            "        if False:",
        ),
        Change(
            "the other's trouble is not told",
            "        if not reason and self._peer_trouble:\n",
            "        if False:\n",
        ),
        Change(
            "a clock that jumped is no break",
            "            self._broken_ns, self._break = back_ns,",
            "            _ = back_ns,",
        ),
        Change(
            "the clock's offset outlives a break",
            "        self._clock = ClockOffset()\n        self._broken_ns, self._break = now_ns, reason",
            "        self._broken_ns, self._break = now_ns, reason",
        ),
        Change(
            "answers from the future are heard",
            "        if answer.asked_ns > back_ns or answer.t_ns < answer.heard_ns:\n            return\n",
            "",
        ),
    ),
)

DOOR = Target(
    "hil/processes/bridge/guard.py",
    ("tests/hil/processes/bridge/test_bridge.py::test_only_the_one_key_gets_in",),
    (
        Change("any key gets in", "request[6] == allowed", "True"),
        Change("no encryption gets in", 'request[5] == b"CURVE" and', ""),
    ),
)

WINDOWS = Target(
    "hil/analysis/figures/windows.py",
    (
        "tests/hil/analysis/figures/test_conservation.py",
        "tests/hil/analysis/figures/test_velocity.py",
    ),
    (
        Change("a push is taken in as soon as states are that old", "SETTLING = 0.1", "SETTLING = 0.05"),
        Change(
            "a long push before is not seen",
            "np.maximum.accumulate(trace.push_t_end)[:-1]",
            "trace.push_t_end[:-1]",
        ),
        Change(
            "the next push is not seen",
            "alone = (latest_end < start) & (next_start - BEFORE > end)",
            "alone = latest_end < start",
        ),
        Change("stops are not seen", "    disturbed |= trace.contact_sim | trace.contact_ideal\n", ""),
        Change(
            "a slowed pace is not seen",
            "(trace.state != State.FLOATING) | (trace.rate < 1.0 - 1e-9)",
            "(trace.state != State.FLOATING)",
        ),
        Change(
            "a window beyond the trace is judged",
            "inside = (start >= t[0]) & (end + FIT <= t[-1])",
            "inside = start >= -np.inf",
        ),
    ),
)

FINGERPRINT = Target(
    "hil/common/kernel_cache.py",
    ("tests/hil/common/test_kernel_cache.py",),
    (
        Change(
            "constants of kernels are not in the fingerprint",
            "    compiled |= {name for kernel in compiled for name in _constants_from(contents[kernel])} & contents.keys()\n",
            "",
        ),
        Change(
            "one package's kernels are left out",
            'PACKAGES = ("hil", "drivers", "sim", "planner")',
            'PACKAGES = ("hil", "drivers", "planner")',
        ),
        Change(
            "what one clone has compiled counts for another",
            "repr((str(root), *compiler()))",
            "repr(compiler())",
        ),
        Change("a processor's clock makes it another", "PROCESSOR.findall(first)", "[first]"),
        Change("another numba is the same", 'importlib.metadata.version("numba")', '""'),
    ),
)

GEOMETRY = Target(
    "hil/common/geometry.py",
    ("tests/hil/common/test_geometry.py",),
    (
        Change(
            "rotations near none are none",
            "factor = 0.5 - angle * angle / 48.0 if angle < 1e-4 else",
            "factor = 0.0 if angle < 1e-4 else",
        ),
        Change(
            "a quaternion's other sign is another rotation",
            "sign = -1.0 if q[0] < 0.0 else 1.0",
            "sign = 1.0",
        ),
        Change(
            "the product is the other way round",
            "a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2]",
            "a[0] * b[1] + a[1] * b[0] - a[2] * b[3] + a[3] * b[2]",
        ),
        Change(
            "half turns have a wrong pivot",
            "elif R[0, 0] >= R[1, 1] and R[0, 0] >= R[2, 2]:",
            "elif R[0, 0] >= R[1, 1]:",
        ),
    ),
)
REPLAYED = Target(
    "hil/recording/replaying/runner.py",
    ("tests/hil/loop/test_any_arm.py", "-k", "has_changed"),
    (
        Change(
            "another arm replays it",
            'if source.summary.head.get("files", stamp_of(c)) != stamp_of(c):',
            "if False:",
        ),
    ),
)
TARGETS = (
    *(CODEC, INSTANTS, BUS, TICKER, RECORDER, MCAP_FILE, READING, ROWS, INPUTS, ECHO_BITS, COMPARISON),
    *(REPLAYED, OFFSET, LINK_JUDGE, DOOR, WINDOWS, FINGERPRINT, GEOMETRY),
)
