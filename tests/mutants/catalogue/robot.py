"""The robot's interface: session, clock, datagrams, socket."""

from tests.mutants.mutant import Change, Target

SESSION_TESTS = ("tests/drivers/fri/test_session.py",)
HOST_TIME_TESTS = ("tests/drivers/fri/test_host_time.py",)

SESSION = Target(
    "drivers/fri/session.py",
    SESSION_TESTS,
    (
        Change(
            "answers to the stream before are kept",
            "            self._answers = [(NONE_HEARD, NONE_HEARD)] * ANSWERS_KEPT\n        sample",
            "            pass\n        sample",
        ),
        Change(
            "an answer that is not known is taken for one of its place",
            "return count if sequence == reflected else NONE_HEARD",
            "return count",
        ),
        Change(
            "commands from another address are believed",
            "if address != self._fri.controller_address:",
            "if False:",
        ),
        Change(
            "measured positions that are no numbers are believed",
            "if not _plausible(datagram.q_measured) or not _plausible(total):",
            "if not _plausible(total):",
        ),
        Change(
            "commanded positions that are no numbers are believed",
            "if not _plausible(datagram.q_measured) or not _plausible(total):",
            "if not _plausible(datagram.q_measured):",
        ),
        Change(
            "another sample time is let through",
            "if abs(datagram.sample_time - self._fri.sample_time) > SAMPLE_TIME_TOLERANCE:",
            "if abs(datagram.sample_time - self._fri.sample_time) > 1e3 * SAMPLE_TIME_TOLERANCE:",
        ),
        Change(
            "a duplicate is a sample",
            "            self.duplicates += 1\n            return None\n",
            "            self.duplicates += 1\n",
        ),
        Change("refusals are not counted", "            self.refused += 1\n", ""),
        Change(
            "a late packet moves the mirror back",
            "        if order is not Order.LATE:\n            self._mirror = q_commanded\n            self._commanding",
            "        self._mirror = q_commanded\n        if order is not Order.LATE:\n            self._commanding",
        ),
        Change(
            "a late packet's state counts",
            "        if order is not Order.LATE:\n            self._mirror = q_commanded\n            self._commanding",
            "        if order is not Order.LATE:\n            self._mirror = q_commanded\n        if True:\n            self._commanding",
        ),
        Change("a datagram is answered twice", "        sample.answered = True\n", ""),
        Change(
            "the answer reflects its own counter",
            "self._sequence, sample.sequence, sample.quality, q)",
            "self._sequence, self._sequence, sample.quality, q)",
        ),
        Change(
            "the answer's counter does not wrap",
            "(self._sequence + 1) % SEQUENCE_MODULUS",
            "self._sequence + 1",
        ),
        Change(
            "one drive that is on is enough",
            "(datagram.power & ALL_DRIVES) == ALL_DRIVES",
            "(datagram.power & ALL_DRIVES) != 0",
        ),
        Change(
            "command state without drives counts",
            "datagram.state == SessionState.COMMAND and power_on",
            "datagram.state == SessionState.COMMAND",
        ),
        Change(
            "a new stream goes on with the old session",
            "self._commanding and order is not Order.NEW_STREAM",
            "self._commanding",
        ),
        Change("a late packet begins a session", " and not continued and not late", " and not continued"),
        Change(
            "the wrench's sign is not taken",
            "self._fri.wrench_sign * datagram.wrench_external",
            "datagram.wrench_external",
        ),
        Change(
            "the mirror lacks the controller's offset",
            "total = datagram.q_commanded_total",
            'total = datagram.part("q_commanded")',
        ),
        Change("the last session's set-point is kept", "            self._last_q = None\n", ""),
        Change(
            "a new session obeys at once",
            "if sample.new_session or q_command is None:",
            "if q_command is None:",
        ),
        Change(
            "a command that is no position is sent",
            "elif _plausible(q_command):",
            "elif True:",
        ),
        Change(
            "after a refused command the mirror is sent",
            "self._last_q = mirror if self._last_q is None else self._last_q",
            "self._last_q = mirror",
        ),
        Change("quality OK is not enough", "quality >= Quality.OK", "quality > Quality.OK"),
        Change("quality BAD is enough", "quality >= Quality.OK", "quality >= Quality.BAD"),
        Change(
            "a session begun by an overtaken packet is lost",
            "        in_order[-1].new_session |= sample.new_session and in_order[-1].commanding\n",
            "        pass\n",
        ),
        Change(
            "an overtaken session shows although commands no longer count",
            "sample.new_session and in_order[-1].commanding",
            "sample.new_session",
        ),
        Change("late packets are handed on", "if not sample.late]", "]"),
        Change(
            "tool axes are turned the wrong way",
            "np.concatenate((R_base_tcp @ wrench[:3], R_base_tcp @ wrench[3:]))",
            "np.concatenate((R_base_tcp.T @ wrench[:3], R_base_tcp.T @ wrench[3:]))",
        ),
        Change("a wrench in base axes is turned", 'if frame == "base":', 'if frame == "tool":'),
        Change(
            "the bound of a joint position is none",
            "LARGEST_JOINT_POSITION = 10.0",
            "LARGEST_JOINT_POSITION = 1e301",
        ),
    ),
)

CLOCK = Target(
    "drivers/fri/clock.py",
    SESSION_TESTS,
    (
        Change(
            "the counter does not wrap",
            "(sequence - self._sequence) % self._modulus",
            "sequence - self._sequence",
        ),
        Change("the packet itself counts as lost", "self.lost += step - 1", "self.lost += step"),
        Change(
            "the last counter is kept",
            "        self._sequence = sequence\n        heaped",
            "        heaped",
        ),
        Change(
            "the last arrival is kept",
            "        self._arrival_ns = t_ns\n        return Order.NEXT",
            "        return Order.NEXT",
        ),
        Change("a packet held long is a new stream", "REORDER_WINDOW = 128", "REORDER_WINDOW = 32"),
        Change(
            "a restarted controller goes on",
            "if (step - GAP_SLACK) * self._period_ns > 2 * elapsed_ns:",
            "if False:",
        ),
        Change("a jump is judged without the time passed", "> 2 * elapsed_ns:", "> 0:"),
        Change("a silence of any length is loss", "if elapsed_ns > LONGEST_GAP_NS:", "if False:"),
        Change(
            "a host's clock that steps back is a new stream",
            "elapsed_ns = max(0, t_ns - self._arrival_ns)",
            "elapsed_ns = t_ns - self._arrival_ns",
            tests=HOST_TIME_TESTS,
        ),
        Change(
            "floating steadies nothing",
            "step * self._period_ns, heaped, self.steady)",
            "step * self._period_ns, heaped, False)",
            tests=HOST_TIME_TESTS,
        ),
        Change(
            "a new stream leaves no gap",
            "self.gap = self._count >= 0",
            "self.gap = False",
            tests=HOST_TIME_TESTS,
        ),
        Change(
            "the first stream begins with a gap",
            "self.gap = self._count >= 0",
            "self.gap = True",
            tests=HOST_TIME_TESTS,
        ),
        Change(
            "stamps run late",
            "self._count * self._period_ns + self._host.offset_ns",
            "(self._count + 1) * self._period_ns + self._host.offset_ns",
        ),
        Change(
            "a new stream keeps the old offset",
            "        self._host.begin(t_ns)\n",
            "",
        ),
    ),
)

CODEC = Target(
    "drivers/fri/codec.py",
    ("tests/drivers/fri/test_codec.py",),
    (
        Change("a datagram of any size is read", "    if len(data) != size:", "    if len(data) < size:"),
        Change("the declared size is not looked at", "    if declared != size:", "    if False:"),
        Change("the identifier is not looked at", "    if found != identifier:", "    if False:"),
        Change(
            "the total is the controller's share alone",
            'total = self.part("q_commanded") + self.part("q_offset")',
            'total = self.part("q_commanded")',
            tests=SESSION_TESTS,
        ),
        Change("six-vectors come out as they are on the wire", "wire[MONITOR_ORDER]", "wire"),
        Change("commands' six-vectors come out as they are on the wire", "wire[COMMAND_ORDER]", "wire"),
    ),
)

CLIENT = Target(
    "drivers/fri/client.py",
    SESSION_TESTS,
    (
        Change(
            "the answer goes to who sent last, whoever",
            "now_ns - self._heard_ns < SENDER_SILENCE_NS:",
            "False:",
        ),
        Change(
            "old packets are not forgotten",
            "                self._socket.recv(BUFFER_SIZE)\n            except",
            "                return\n            except",
        ),
        Change(
            "the sender is not remembered",
            "            self._sender, self._heard_ns = sender, now_ns\n",
            "            self._sender, self._heard_ns = self._sender or sender, now_ns\n",
        ),
        Change("one datagram a turn", "DRAIN_LIMIT = 64", "DRAIN_LIMIT = 1"),
    ),
)
CONTROLLER = Target(
    "drivers/emulation/controller/controller.py",
    (
        "tests/hil/loop/test_any_arm.py",
        "tests/drivers/emulation/port/test_pins.py",
        "-k",
        "emulated_controller or force_sensor",
    ),
    (
        Change(
            "a force sensor feels the operator alone",
            "self.sensor.measure(self.t, self.wrench_world,",
            "self.sensor.measure(self.t, self.operator.wrench_world,",
        ),
        Change(
            "every arm is as slow as ours",
            "speeds = np.maximum(VELOCITY_LIMIT, configuration.limits.velocity)",
            "speeds = VELOCITY_LIMIT",
        ),
        Change(
            "joints go to their ends",
            "self._lower = self.arm.joint_range[:, 0] + POSITION_MARGIN",
            "self._lower = self.arm.joint_range[:, 0]",
        ),
        Change(
            "every joint may be anywhere",
            "self._upper = self.arm.joint_range[:, 1] - POSITION_MARGIN",
            "self._upper = np.full(7, 3.2) - POSITION_MARGIN",
        ),
    ),
)
TARGETS = (SESSION, CLOCK, CODEC, CLIENT, CONTROLLER)
