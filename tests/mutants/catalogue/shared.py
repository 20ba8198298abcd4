"""Two arms that share a relative motion: what the observer sees, parts, his path, the touch, one stop line."""

from tests.mutants.mutant import Change, Target

SEEN = Target(
    "planner/base/moving_observer.py",
    ("tests/planner/base/test_moving_observer.py",),
    (
        Change(
            "his turn moves nothing",
            "observer.twist[:, :3] - np.cross(w, r)\n    turned",
            "observer.twist[:, :3]\n    turned",
        ),
        Change(
            "the spin is the inertial one",
            "R.apply(twist[:, 3:] - w, inverse=True)",
            "R.apply(twist[:, 3:], inverse=True)",
        ),
        Change("half of Coriolis", "2.0 * np.cross(w, v)", "np.cross(w, v)"),
        Change("nothing flies outward", "np.cross(w, np.cross(w, r))", "0.0"),
        Change("orientations jump", "-1.0, 1.0))[:, None]", "1.0, 1.0))[:, None]"),
    ),
)
TURNING = Target(
    "planner/base/turning.py",
    ("tests/planner/base/test_moving_observer.py",),
    (
        Change("a turn is its vector's rate", "w = rate - a * by_rate + b * twice", "w = rate - a * by_rate"),
        Change("the series stops early", "-1 / 12 + s / 180 - s**2 / 6720", "-1 / 12.5"),
    ),
)
SPLIT = Target(
    "planner/base/split.py",
    ("tests/planner/base/test_observer_path.py",),
    (
        Change(
            "parts are swapped", "a.half_extent / (a.half_extent + b", "b.half_extent / (a.half_extent + b"
        ),
        Change(
            "the heavier body moves more", "np.full(3, m_b / (m_a + m_b))", "np.full(3, m_a / (m_a + m_b))"
        ),
        Change("turns are shared in halves", "a.swing / (a.swing + b.swing)", "0.5"),
        Change("the middles do not count", "- (split.centres[0] - split.centres[1])", ""),
    ),
)
PATH = Target(
    "planner/base/observer_path.py",
    ("tests/planner/base/test_observer_path.py",),
    (
        Change("less is kept than committed", "(s + self._committed) / KNOT", "s / KNOT"),
        Change(
            "he begins at rest", "(at[1][0] - at[0][0])[0] / KNOT, *rate]", "(at[0][0] - at[0][0])[0], *rate]"
        ),
        Change("his turn swings the middle", "v, a = rate[:, :3] - about", "v, a = rate[:, :3]"),
        Change("a chart is kept for ever", "self._axes[0, kept, 3:] = 0.0\n", "pass\n"),
    ),
)
NOSES = Target(
    "drivers/emulation/port/noses.py",
    ("tests/drivers/emulation/port/test_noses.py",),
    (
        Change("both feel the same", "return -force, at, self.depth", "return force, at, self.depth"),
        Change("it pulls", "size = max(0.0, self._touch", "size = max(-1e9, self._touch"),
        Change("a force of another instant", "if others and others[0][0] < t + ROUNDING:", "if False:"),
        Change(
            "the damper pushes",
            "-float(n @ (self._v[1] - self._v[0]))",
            "float(n @ (self._v[1] - self._v[0]))",
        ),
    ),
)
LOOP = Target(
    "hil/loop/shared/lockstep_shared.py",
    ("tests/hil/loop/shared/test_lockstep_shared.py",),
    (
        Change("the other arm goes on", 'arm.judge.order("hold", self.ended)', "pass"),
        Change("an arm begins anywhere", "if off := begun_off(pair, poses):", "if off := '':"),
        Change("leaving a set holds nobody", "self.ended = self.observer.stop", 'self.ended = ""'),
    ),
)
SEEN_BY_BOTH = Target(
    "hil/loop/shared/shared_observer.py",
    ("tests/hil/loop/shared/test_lockstep_shared.py",),
    (
        Change(
            "each is shown as it is", "prediction, p_world_object=now.p,", "prediction, p_world_object=p,"
        ),
        Change("a set has no end", "if beyond and not self.stop:", "if False:"),
    ),
)

PLANNERS = Target(
    "hil/loop/shared/shared_planner.py",
    ("tests/hil/loop/shared/test_shared_planner.py",),
    (
        Change("object times are taken to be one", "return float(s - s_second)", "return 0.0"),
        Change("an old path is followed", "if age > self._committed and not stop:", "if False:"),
        Change(
            "a held observer goes on", "if not self.leads and not held_in(prediction):", "if not self.leads:"
        ),
        Change(
            "a held path is laid on",
            "epochs != self._epochs or held_in(first) or held_in(second):",
            "epochs != self._epochs:",
        ),
        Change("what stops him holds nobody", "return held(plan, observer.stop)", "return plan"),
        Change(
            "a body's reach is not looked at",
            "            self._observer.show(index, prediction, ahead)",
            "            pass",
        ),
        Change(
            "he sets off with a body of before",
            "if first.object_time_0 or second.object_time_0:",
            "if False:",
        ),
        Change(
            "nothing known is no reason", 'why = NOBODY if prediction.object_time_0 > 0.0 else ""', 'why = ""'
        ),
        Change("a stop is for ever", 'self._stopped_in, observer.stop = prediction.epoch, ""', "pass"),
        Change(
            "he begins anywhere",
            "self._observer.stop = begun_off(self._pair, (poses[0], poses[1]))",
            'self._observer.stop = ""',
        ),
    ),
)
LINE = Target(
    "hil/loop/shared/stop_line.py",
    ("tests/hil/loop/shared/test_stop_line.py",),
    (
        Change("the other one's silence is forgiven", 'return f"{self._name}\'s run is silent"', 'return ""'),
        Change("what the other one does is its own", 'return "" if joins else self._told', 'return ""'),
        Change("who is READY is waited for for ever", " and now_ns - self._floated_ns < JOIN_NS", ""),
        Change("it follows late", "return now_ns < self._begin_ns - JOIN_NS", "return bool(self._begin_ns)"),
        Change("it follows from any state", " and machine.state is State.READY and", " and"),
        Change("one begins alone", 'return f"{self._told}, and both float together"', 'return ""'),
        Change("held is out of the way", "self.state in MOVING or", "self.state == State.FLOATING or"),
    ),
)
NEWS = Target(
    "hil/processes/supervisor/pair_news.py",
    ("tests/hil/processes/test_pair_news.py",),
    (
        Change("nobody is held", 'judge.order("hold", why)', "pass"),
        Change(
            "an arm that brakes goes on", "why = why or (robot.braking_reason and", "why = why or ('' and"
        ),
        Change("it brakes before it begins", "robot.t_ns > machine.begin_ns and ", ""),
        Change("it floats again and again", "        self._begins = False\n", ""),
        Change("a run that was killed floats again", ".float_at_start and not doubt", ".float_at_start"),
        Change("nobody follows", "if not (begin_ns or first):", "if not first:"),
        Change("a refusal is swallowed", "return str(refusal)", 'return ""'),
    ),
)
BEGUN = Target(
    "hil/loop/judging/entrance.py",
    ("tests/hil/loop/shared/test_shared_judge.py",),
    (
        Change("turned is no reason", "if off <= BEGINS and turned <= TURNED:", "if off <= BEGINS:"),
        Change("away is no reason", "if off <= BEGINS and turned <= TURNED:", "if turned <= TURNED:"),
    ),
)
HEARD = Target(
    "hil/loop/shared/heard_pair.py",
    ("tests/hil/loop/shared/test_heard_pair.py",),
    (
        Change("a late packet is a late cycle", "t_ns = nominal + (sent - nominal).min()", "t_ns = sent"),
        Change("the counter is taken as it is", "np.unwrap(sequences, period=SEQUENCE_MODULUS)", "sequences"),
        Change("a body stands between two states", "(1.0 - u) * values[k] + u * values[k + 1]", "values[k]"),
    ),
)

TARGETS = (SEEN, TURNING, SPLIT, PATH, NOSES, LOOP, SEEN_BY_BOTH, PLANNERS, LINE, NEWS, BEGUN, HEARD)
