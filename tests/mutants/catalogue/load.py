"""What load data misses: the motion that shows it, its hand, the finding, the compensation."""

from tests.mutants.mutant import Change, Target

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
        Change("a hand that is off brakes nothing", "        self._braking = True\n", "        pass\n"),
    ),
)
IDENTIFICATION = Target(
    "hil/wrench/load/identification.py",
    ("tests/hil/wrench/load/test_identification.py",),
    (
        Change("noise is white", "ROUNDS = 3", "ROUNDS = 0"),
        Change("offsets stay where they are", "time, p - p.mean(axis=0), tilt])[1:-1]", "time])[1:-1]"),
        Change("the fit takes nothing out of the noise", "* in_band / freedom)", "* 1.0)"),
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
COMPENSATION = Target(
    "hil/wrench/load/compensation.py",
    ("tests/hil/wrench/load/test_compensation.py",),
    (
        Change("a gap is a motion", "if n > 0 and not 0.0 < t - times[n - 1] <= GAP:", "if False:"),
        Change("the error is doubled", "wrench[i] + m * a[i]", "wrench[i] - m * a[i]"),
        Change(
            "samples are counted",
            "(poses[n, i] - poses[n - 1, i]) / h",
            "(poses[n, i] - poses[n - 1, i]) / 0.002",
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
        Change("a bar without an end", "min(1.0, 1e-9 * (now_ns - self._since_ns) / DURATION)", "0.5"),
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
    INERTIAL,
    COMPENSATION,
    STAMP,
    WHOLE,
    SHOWN,
    NEWEST,
)
