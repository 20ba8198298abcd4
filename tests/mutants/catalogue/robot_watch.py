"""Does the robot do what it is told: echo, following error, what the controller says of itself."""

from tests.mutants.mutant import Change, Target

ECHO = Target(
    "hil/loop/driver/controller_echo.py",
    ("tests/hil/loop/test_controller_echo.py",),
    (
        Change(
            "an answer of the session before is taken for one of this",
            "if heard == NONE_HEARD or heard < self._first:",
            "if heard == NONE_HEARD:",
        ),
        Change("one lost answer too many is counted", "alone = count - heard - 1", "alone = count - heard"),
        Change(
            "a gap explains anything",
            "        room = alone * step[i] + ROUNDING\n",
            "        room = (10.0 if alone else 0.0) + ROUNDING\n",
        ),
        Change("rounding is a hundred times larger", "ROUNDING = 1e-6", "ROUNDING = 1e-4"),
        Change(
            "only what is above the expected counts",
            "away = max(low - echo[i], echo[i] - high)",
            "away = echo[i] - high",
        ),
        Change(
            "the oldest of the last cycles is forgotten",
            "for k in range(1, lower.shape[0]):",
            "for k in range(1, lower.shape[0] - 1):",
        ),
        Change(
            "where the last session stood goes on to count",
            "        self._lower[:] = self._upper[:] = q\n",
            "",
        ),
        Change(
            "a step backwards is never too fast",
            "if not abs(q[i] - echo[i]) <= bound[i]:",
            "if not q[i] - echo[i] <= bound[i]:",
        ),
        Change(
            "the controller's own speed bounds what is sent",
            "self._bound = fri.echo_cycles * self._step + ROUNDING",
            "self._bound = fri.echo_cycles * self._own_step + ROUNDING",
        ),
    ),
)  # fmt: skip

FOLLOWING_ERROR = Target(
    "hil/loop/driver/following_error.py",
    ("tests/hil/loop/test_following_error.py",),
    (
        Change(
            "a gap is one cycle long",
            "self._head = _push(self._ring, self._head, q, cycles)",
            "self._head = _push(self._ring, self._head, q, 1)",
        ),
        Change(
            "a gap was stood through",
            "before[i] + (q[i] - before[i]) * cycle / cycles",
            "before[i]",
        ),
        Change(
            "the window counts from the last command",
            "first = int((delay.estimate - width) / self._dt) - cycles",
            "first = int((delay.estimate - width) / self._dt) - 1",
        ),
        Change(
            "its end counts from the last command",
            "last = int((delay.estimate + width) / self._dt) + 1 - cycles",
            "last = int((delay.estimate + width) / self._dt)",
        ),
        Change("the delay is never known", "if not delay.settled:", "if True:"),
        Change("the delay is known from the start", "if not delay.settled:", "if False:"),
        Change("delays have no spread", "width = SPREAD + SHARE * delay.estimate", "width = SPREAD"),
        Change(
            "only a joint ahead of its commands counts",
            "away = max(low - measured[i], measured[i] - high)",
            "away = measured[i] - high",
        ),
        Change(
            "all joints have the first one's bound",
            "if not away - allowed[i] <= most:",
            "if not away - allowed[0] <= most:",
        ),
        Change(
            "the last session's commands are kept",
            "        self._ring[:] = q\n",
            "        self._ring[self._head] = q\n",
        ),
        Change(
            "the key is not read",
            "FULL_SPEED * limits.velocity if configured is None else configured",
            "FULL_SPEED * limits.velocity",
        ),
    ),
)

WATCH = Target(
    "hil/loop/driver/robot_watch.py",
    ("tests/hil/loop/test_robot_watch.py", "tests/hil/loop/test_controller_echo.py"),
    (
        Change(
            "an error that ends the session is passed over",
            'return error if before else ""',
            'return ""',
        ),
        Change(
            "the strategy may change in a session",
            "if sample.control != self._strategy and not strategy:",
            "if False:",
        ),
        Change(
            "the first strategy of all is kept",
            "        if not before or sample.new_session:\n            self._strategy",
            "        if self._strategy == NONE:\n            self._strategy",
        ),
        Change("warnings are not looked at", "not sample.error and not sample.warning and", "not sample.error and"),
        Change(
            "outside command mode nothing is shown",
            "shown = [] if sample.commanding else [error, strategy]",
            "shown = []",
        ),
        Change(
            "a wrong strategy is calm",
            "self._right = NONE if strategy else sample.control",
            "self._right = sample.control",
        ),
        Change("a warning is gone with its packet", "SHOWN_NS = 3_000_000_000", "SHOWN_NS = 1"),
        Change(
            "what is not to be sent is sent",
            "        return self._echo.withheld(q, sample.q_commanded, sample.count - sample.heard - 1)\n",
            '        return ""\n',
        ),
        Change(
            "the echo is not judged",
            "return self._echo.judge(sample) or self._following.judge(",
            "return self._following.judge(",
        ),
    ),
)  # fmt: skip

CONDITION = Target(
    "drivers/fri/condition.py",
    ("tests/drivers/fri/test_condition.py",),
    (
        Change("drives are counted from 0", 'f"A{i + 1}" if i < JOINTS', 'f"A{i}" if i < JOINTS'),
        Change("bits of no drive are passed over", "for i in range(16) if bits", "for i in range(JOINTS) if bits"),
        Change(
            "all off is a warning, some off is none",
            "if off and off != ALL_DRIVES:",
            "if off == ALL_DRIVES:",
        ),
        Change(
            "Cartesian impedance is right",
            '"either": (ControlStrategy.POSITION, ControlStrategy.JOINT_IMPEDANCE),',
            '"either": tuple(ControlStrategy),',
        ),
    ),
)  # fmt: skip

TARGETS = (ECHO, FOLLOWING_ERROR, WATCH, CONDITION)
