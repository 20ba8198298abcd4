"""What load data misses: the motion that shows it, its hand, the finding, the compensation."""

from tests.mutants.mutant import Change, Target

WEIGHED = ("tests/hil/wrench/load/test_weighing.py",)

WAY = Target(
    "hil/loop/judging/calibration_way.py",
    ("tests/hil/loop/calibration/test_calibration_way.py",),
    (
        Change("any stops will do", "if c.stops.certified != workspace_stamp(c):", "if False:"),
        Change("the set may be left", "if not place.inside:", "if False:"),
        Change("clearance is not looked at", "if not nearest >= self._c", "if not 1.0 >= self._c"),
        Change(
            "only the least of a joint is looked at",
            "along.min(axis=0), along.max(axis=0)",
            "along.min(axis=0),",
        ),
    ),
)
EXCITATION = Target(
    "hil/loop/calibration/excitation.py",
    ("tests/hil/loop/calibration/test_excitation.py",),
    (
        Change("the caps are used whole", "SHARE = 0.8", "SHARE = 1.0"),
        Change("states are looked at by number, not by time", "int(SPARSE / self.step + 1e-9)", "4"),
        Change("a small set makes no small motion", "min(1.0, PLANNED * SHARE * extent / widest)", "1.0"),
        Change(
            "weak joints are overdriven", "scale = min(1.0, BETWEEN *", "scale = 1.0 + min(0.0, BETWEEN *"
        ),
    ),
)
SHAPE = Target(
    "hil/loop/calibration/shape.py",
    ("tests/hil/loop/calibration/test_excitation.py",),
    (Change("one rate for all the motion", "RATE, SWEPT = 2.1, 1.5", "RATE, SWEPT = 2.1, 0.0"),),
)
DRIVER = Target(
    "hil/loop/driver/exciting.py",
    ("tests/hil/loop/calibration/test_calibrating.py", "-k", "driver or stops or certificate or letting"),
    (
        Change("no set is needed", 'return "" if self._certified else', 'return "" if True else'),
        Change("the certificate looks away", "    certified = True\n", "    certified = False\n"),
        Change(
            "a driver without poses stands and says nothing",
            'return "" if self._search is None else self._search.refusal',
            'return ""',
        ),
        Change("a hand that is off brakes nothing", "        self._braking = True\n", "        pass\n"),
    ),
)
IDENTIFICATION = Target(
    "hil/wrench/load/identification.py",
    ("tests/hil/wrench/load/test_identification.py",),
    (
        Change(
            "what contradicts is joined", "if sum(apart) > chdtri(rank, doubt):", "if False:", tests=WEIGHED
        ),
        Change("any numbers are a body's", "> chdtri(PARAMETERS, DOUBT):", "> np.inf:", tests=WEIGHED),
        Change(
            "a sensor's contradiction is let pass",
            "if joined is None and not placed:",
            "if False:",
            tests=WEIGHED,
        ),
        Change("noise is white", "ROUNDS = 3", "ROUNDS = 0"),
        Change("offsets stay where they are", "time, p - p.mean(axis=0), tilt])[1:-1]", "time])[1:-1]"),
        Change("the fit takes nothing out of the noise", "scaled * (freedom / in_band)", "scaled * 1.0"),
        Change("the wrench is what moves the body", "return (smoothed(-Y,", "return (smoothed(Y,"),
        Change(
            "a sensor that is not there shows no load", "if not np.ptp(wrench, axis=0).all():", "if False:"
        ),
        Change(
            "gaps are no gaps", "if missed > MOST_MISSED * len(grid) or longest > 5.0 * GAP:", "if False:"
        ),
    ),
)
INERTIAL = Target(
    "hil/wrench/load/inertial.py",
    ("tests/hil/wrench/load/test_inertial.py",),
    (
        Change("nothing pulls outward", "turned + turning @ turning", "turned"),
        Change("the moment's force turns the other way", "= -crossing(a)", "= crossing(a)"),
    ),
)
CONSISTENCY = Target(
    "hil/wrench/load/consistency.py",
    ("tests/hil/wrench/load/test_consistency.py",),
    (
        Change(
            "half of the trace is forgotten",
            "0.5 * np.trace(L) * np.eye(3) - L",
            "np.trace(L) * np.eye(3) - L",
        ),
        Change("no body is as good as one", "if values[0] > 0.0:", "if True:"),
        Change(
            "the barrier stays",
            "BARRIER, SOFTER, FAINTEST = 1.0, 0.2, 1e-7",
            "BARRIER, SOFTER, FAINTEST = 1.0, 0.2, 1.0",
        ),
        Change("what load data has is forgotten", "return whole - held, True", "return whole, True"),
    ),
)
WEIGHING = Target(
    "hil/wrench/load/weighing.py",
    ("tests/hil/wrench/load/test_weighing.py", "-k", "together or left_out or noise or tilt"),
    (
        Change("weight pulls upward", "return -regressor(", "return regressor("),
        Change("the sensor is where the object is", "lever = -np.einsum(", "lever = 0.0 * np.einsum("),
        Change("an offset has no slope", "columns += list(sensed.displaced(rests.R, rests.p).T)", "pass"),
        Change("nothing drifts", "_centred(rests.t)]", "0.0 * rests.t]"),
    ),
)
OFFSET = Target(
    "hil/wrench/load/offset.py",
    ("tests/hil/wrench/load/test_weighing.py", "-k", "together"),
    (Change("the weight's force is told apart", "NO_FORCE if sensed.placed", "ALL if sensed.placed"),),
)
POSES = Target(
    "hil/loop/calibration/poses.py",
    ("tests/hil/loop/calibration/test_poses.py",),
    (
        Change("the caps are used whole", "SHARE = 0.8", "SHARE = 1.0"),
        Change(
            "a small set makes no small poses",
            "shift = min(way / math.sqrt(8.0), extent, MOST_SHIFT)",
            "shift = MOST_SHIFT",
        ),
        Change("joints bear any way", "if used > 1.0:", "if False:"),
        Change(
            "nothing is out of reach",
            "self.over, self.refusal = True, ",
            "self.over, self.refusal = True, '' and ",
        ),
        Change(
            "every pose is tilted alike",
            "(-1, -1, -1, -1, 1, 1, 1, 1, -1, -1, 1))",
            "(1, 1, -1, -1, -1, -1, 1, -1, -1, 1, 1))",
        ),
    ),
)
DRIVEN = Target(
    "hil/wrench/load/driven_motion.py",
    ("tests/hil/wrench/load/test_driven_motion.py",),
    (
        Change("commands act at once", "commands[(now - dead - 1 + part) % size, i]", "commands[now, i]"),
        Change("lost packets are one cycle", "for _ in range(cycles):", "for _ in range(1):"),
        Change("without a lag nothing accelerates", "if transitions[1, 2, 3] == 0.0:", "if False:"),
    ),
)
STANDING = Target(
    "hil/wrench/load/standing.py",
    ("tests/hil/wrench/load/test_compensation.py", "-k", "stands"),
    (
        Change("weight is always missed", "weighs = GRAVITY if found.weighs else 0.0", "weighs = GRAVITY"),
        Change("the weight counts twice", "bias[:3] -= found.mass * gravity", "bias[:3] -= 0.0 * gravity"),
        Change("the offset acts at the centre", "read[3 + i] += arm[j] * read[k] - arm[k] * read[j]", "pass"),
    ),
)
COMPENSATION = Target(
    "hil/wrench/load/compensation.py",
    ("tests/hil/wrench/load/test_compensation.py",),
    (
        Change("a gap is a motion", "if n > 0 and not 0.0 < t - times[n - 1] <= GAP:", "if False:"),
        Change("the error is doubled", "wrench[i] + m * a[i]", "wrench[i] - m * a[i]"),
        Change(
            "samples are counted",
            "_write_rate(rates[n], poses[n - 1], poses[n], h)",
            "_write_rate(rates[n], poses[n - 1], poses[n], 0.002)",
        ),
        Change(
            "the commands are not heard",
            "d.transitions, d.dead[0], d.step)",
            "0.0 * d.transitions, d.dead[0], d.step)",
        ),
        Change("the products of inertia are forgotten", "xx * v[0] + xy * v[1] + xz * v[2]", "xx * v[0]"),
    ),
)
STAMP = Target(
    "hil/configuration/load_stamp.py",
    ("tests/hil/wrench/load/test_found_words.py",),
    (
        Change("any mock-up will do", "[c.mockup.mass, c.mockup.edge]", "[c.mockup.edge]"),
        Change("either sign will do", "[c.fri.wrench_frame, c.fri.wrench_sign]", "[c.fri.wrench_frame]"),
    ),
)
WHOLE = Target(
    "hil/configuration/whole_mockup.py",
    ("tests/hil/wrench/load/test_found_words.py",),
    (
        Change("what is found may be of any size", "if not abs(value) <= bound", "if False"),
        Change(
            "what is missed may not be negative only", "if not abs(value) <= bound", "if not value <= bound"
        ),
    ),
)

SHOWN = Target(
    "hil/dashboard/load_shown.py",
    ("tests/hil/dashboard/test_load_shown.py",),
    (
        Change("what was broken off is looked at", "and not mode.reason else None", "else None"),
        Change("the last cycles are not waited for", ">= 1e9 * BLOCKS_COME:", ">= 0.0:"),
        Change("a bar without an end", "min(1.0, 1e-9 * (now_ns - self._since_ns) / WHOLE)", "0.5"),
    ),
)
NEWEST = Target(
    "hil/loop/calibration/newest_motion.py",
    ("tests/hil/loop/calibration/test_newest_motion.py",),
    (
        Change("what was broken off counts", "            self.blocks.clear()\n", "            pass\n"),
        Change("cycles are kept for ever", "while self.blocks and", "while False and"),
    ),
)

TARGETS = (
    WAY,
    EXCITATION,
    SHAPE,
    DRIVER,
    IDENTIFICATION,
    CONSISTENCY,
    WEIGHING,
    OFFSET,
    POSES,
    DRIVEN,
    STANDING,
    INERTIAL,
    COMPENSATION,
    STAMP,
    WHOLE,
    SHOWN,
    NEWEST,
)
