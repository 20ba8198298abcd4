"""The floating body: body, motion, stops, object time, slices, world, bounces."""

from tests.mutants.mutant import Change, Target

WORLD_TESTS = ("tests/sim/world/test_world.py",)
LATE = (*WORLD_TESTS, "tests/sim/world/test_late_slices.py")

STOPS = Target(
    "sim/world/stops.py",
    ("tests/sim/world/test_stops.py",),
    (
        Change(
            "swing is as stiff as the first axis",
            "0.5 * (inertia[0] + inertia[1]) * rate**2",
            "inertia[0] * rate**2",
        ),
        Change(
            "swing is softer than certified",
            "0.5 * (inertia[0] + inertia[1]) * rate**2",
            "min(inertia) * rate**2",
        ),
        Change(
            "twist is as stiff as the first axis",
            "packed[TWIST_STIFFNESS] = inertia[2] * rate**2",
            "packed[TWIST_STIFFNESS] = inertia[0] * rate**2",
        ),
        Change(
            "a contact lasts a whole period",
            "rate = math.pi / stops.contact_time",
            "rate = 2.0 * math.pi / stops.contact_time",
        ),
        Change(
            "a stop takes energy",
            "v = -side * math.sqrt(speed * speed + (depth * rate) ** 2)",
            "v = -0.98 * side * math.sqrt(speed * speed + (depth * rate) ** 2)",
        ),
        Change(
            "a stop gives the entry speed back",
            "v = -side * math.sqrt(speed * speed + (depth * rate) ** 2)",
            "v = -side * speed",
        ),
        Change(
            "the swing's torque pushes outwards",
            "pull = stops[SWING_STIFFNESS] * (swing - stops[SWING]) / sine",
            "pull = -stops[SWING_STIFFNESS] * (swing - stops[SWING]) / sine",
        ),
        Change(
            "the twist's torque pushes outwards",
            "pull = -stops[TWIST_STIFFNESS] * beyond / (2.0 * along)",
            "pull = stops[TWIST_STIFFNESS] * beyond / (2.0 * along)",
        ),
        Change(
            "the twist's gradient is the axis",
            "tx + pull * (zx + nx), ty + pull * (zy + ny), tz + pull * (zz + nz)",
            "tx + 2.0 * pull * zx, ty + 2.0 * pull * zy, tz + 2.0 * pull * zz",
        ),
        Change(
            "a negative twist is not stopped",
            "    if abs(twist) > stops[TWIST]:",
            "    if twist > stops[TWIST]:",
        ),
        Change(
            "swing is measured by half",
            "return 2.0 * math.atan2(math.sqrt(x * x + y * y)",
            "return 1.0 * math.atan2(math.sqrt(x * x + y * y)",
        ),
        Change(
            "the nominal orientation is the world's",
            "    packed[6:10] = nominal_quat(stops)\n",
            "    packed[6:10] = (1.0, 0.0, 0.0, 0.0)\n",
        ),
        Change(
            "springs of the box hold nothing",
            "            total += (stops[RATE] * depth) ** 2\n",
            "            pass\n",
            tests=("tests/sim/world/test_stops.py", *WORLD_TESTS),
        ),
        Change(
            "disabled stops act",
            "stops.half_extent if stops.enabled else np.inf",
            "stops.half_extent",
            tests=WORLD_TESTS,
        ),
    ),
)

BODY = Target(
    "sim/world/body.py",
    ("tests/sim/world/test_body.py",),
    (
        Change(
            "momentum is not kept: the first kick is whole",
            "    h = 0.5 * dt\n    w, x, y, z = state",
            "    h = dt\n    w, x, y, z = state",
        ),
        Change(
            "Runge-Kutta with a wrong weight",
            "w += s * (a0 + 2.0 * (b0 + c0) + d0)",
            "w += s * (a0 + 2.0 * b0 + 3.0 * c0)",
        ),
        Change(
            "the quaternion is not normalized",
            "scale = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)",
            "scale = 1.0",
        ),
        Change(
            "the wrench acts half on the velocity",
            "        out[7 + i] = v + kick\n",
            "        out[7 + i] = v\n",
        ),
        Change(
            "the second kick has no wrench",
            "out[10] = L0 + h * (wrench_world[3] + t0)",
            "out[10] = L0 + h * t0",
        ),
        Change(
            "the body turns with its momentum in world axes",
            "a, b, c = 0.5 * a / body[1], 0.5 * b / body[2], 0.5 * c / body[3]",
            "a, b, c = 0.5 * a / body[1], 0.5 * b / body[1], 0.5 * c / body[1]",
        ),
        Change(
            "the state's momentum lacks the attitude",
            "spin = R[0, j] * twist[3] + R[1, j] * twist[4] + R[2, j] * twist[5]",
            "spin = twist[3 + j]",
        ),
        Change(
            "the energy lacks the spin",
            "energy += 0.5 * body[0] * twist[i] ** 2 + 0.5 * state[10 + i] * twist[3 + i]",
            "energy += 0.5 * body[0] * twist[i] ** 2",
        ),
        Change(
            "NaN in the twist is finite",
            "for values in (p, quat, twist):",
            "for values in (p, quat):",
            tests=("tests/hil/loop/test_sim_blows_up.py", "tests/sim/world/test_body.py"),
        ),
        Change(
            "the centre's stops are at the origin",
            "spring_flow(state[i] - stops[i], state[7 + i] + kick",
            "spring_flow(state[i], state[7 + i] + kick",
            tests=("tests/sim/world/test_body.py", *WORLD_TESTS),
        ),
    ),
)

MOTION = Target(
    "sim/world/motion.py",
    ("tests/sim/world/test_motion.py", *LATE),
    (
        Change(
            "an impulse acts in world axes",
            "row[7 + i] += R[i, j] * item[1 + j] / body[0]",
            "row[7 + i] += (1.0 if i == j else 0.0) * item[1 + j] / body[0]",
        ),
        Change(
            "an impulse is turned back",
            "row[7 + i] += R[i, j] * item[1 + j] / body[0]",
            "row[7 + i] += R[j, i] * item[1 + j] / body[0]",
        ),
        Change(
            "an angular impulse is divided by the mass",
            "row[10 + i] += R[i, j] * item[4 + j]",
            "row[10 + i] += R[i, j] * item[4 + j] / body[0]",
        ),
        Change(
            "the speed is not capped",
            "return 1.0 if speed <= most else math.sqrt(most / speed)",
            "return 1.0",
        ),
        Change(
            "what the springs hold does not count",
            "most = max(cap * cap - stored, speed_before)",
            "most = max(cap * cap, speed_before)",
        ),
        Change(
            "a braking push on a fast body is cut",
            "most = max(cap * cap - stored, speed_before)",
            "most = cap * cap - stored",
        ),
        Change("the cut is not told", "        row[LAST_CAPPED] = item[7]\n", "        pass\n"),
        Change(
            "a slice acts at its cell's beginning",
            "offset = min(max(slices[k, 0] - index * step, passed), step)",
            "offset = passed",
        ),
        Change(
            "slices of a cell act but the first",
            "        k += 1\n    if until > passed:",
            "        k += 2\n    if until > passed:",
        ),
        Change(
            "a slice at the cell's end is left out",
            "        if offset > until:\n            break\n",
            "        if offset >= until:\n            break\n",
        ),
        Change(
            "backwards keeps the velocity",
            "    for i in range(7, 13):\n        row[i] *= -1.0\n    count",
            "    count",
        ),
        Change(
            "a prediction flies through a stop",
            "    if swing > min(stops[SWING], NEAR_UPSIDE_DOWN):\n        return -1.0\n",
            "",
        ),
        Change(
            "a prediction flies through the twist's stop",
            "    if abs(twist) + turned / math.cos(steep) > stops[TWIST]:\n        return -1.0\n",
            "",
        ),
        Change("a prediction turns at once whatever the spin", "TURN_AT_ONCE = 0.02", "TURN_AT_ONCE = 20.0"),
        Change(
            "a prediction forgets the slices to come",
            "        free = k == cells.shape[0] or cells[k] >= index + ratio\n",
            "        free = True\n",
        ),
        Change(
            "the last impulse is lost in free cells",
            "            for j in range(LAST_IMPULSE, ROW_SIZE):\n                row[j] = ring[i % size, j]\n",
            "",
        ),
    ),
)

OBJECT_TIME = Target(
    "sim/world/object_time.py",
    ("tests/sim/world/test_object_time.py", *WORLD_TESTS),
    (
        Change(
            "a late change of pace rewrites the past",
            "t = max((t_ns - self.t_start_ns) * 1e-9, newest[0])",
            "t = (t_ns - self.t_start_ns) * 1e-9",
        ),
        Change(
            "the last answer is kept over a change of pace",
            "        self._asked_ns = -1\n        while",
            "        while",
        ),
        Change(
            "no stand at the start",
            "if stand > 0.0 else",
            "if False else",
            tests=("tests/hil/loop/test_sim_core.py",),
        ),
        Change(
            "before the start object time runs",
            "        if t <= 0.0:\n            return 0.0, self._maps[0][2]\n",
            "",
        ),
        Change("the map counts from the run's start", "        relative[0] = 0.0\n", ""),
        Change(
            "the newest map holds for the past as well",
            "            if known[0] <= t:\n                return known\n",
            "            return known\n",
        ),
    ),
)

TIME_MAP = Target(
    "hil/common/time_map.py",
    ("tests/hil/common/test_time_map.py",),
    (
        Change("pace changes at once", "TIME_RATE_SLEW = 5.0", "TIME_RATE_SLEW = 500.0"),
        Change(
            "the ramp's way is that of its end",
            "s_ramp = s_a + 0.5 * (rate_a + target) * ramp",
            "s_ramp = s_a + target * ramp",
        ),
        Change(
            "the slew has one sign",
            "slew = math.copysign(TIME_RATE_SLEW, target - rate_a)",
            "slew = TIME_RATE_SLEW",
        ),
        Change(
            "a new target forgets the pace",
            "return np.array([t, s, rate, target])",
            "return np.array([t, s, target, target])",
        ),
    ),
)

BOOK = ("tests/sim/world/test_slice_book.py",)

SLICE_BOOK = Target(
    "sim/world/slice_book.py",
    (*BOOK, *LATE),
    (
        Change(
            "an older revision replaces a newer",
            "if known is not None and known.revision >= item.revision:",
            "if False:",
        ),
        Change(
            "the same revision counts again",
            "known.revision >= item.revision",
            "known.revision > item.revision",
        ),
        Change(
            "what has settled is forgotten",
            "settled = known.settled if known is not None else np.zeros(6)",
            "settled = np.zeros(6)",
        ),
        Change(
            "a revision acts in full after it has settled",
            "row[1:7] = entry.value - entry.settled",
            "row[1:7] = entry.value",
        ),
        Change(
            "states before the revision's old place stay",
            "return s if live is None else min(s, live.s)",
            "return s",
        ),
        Change("nothing is ever forgotten", "while len(self._settled) > SETTLED_KEPT:", "while False:"),
        Change(
            "what was forgotten is taken for new",
            "        if known is None and item.t_centroid_ns <= self._forgotten_ns:\n            return None\n",
            "",
        ),
        Change("a change of pace moves the past", "if entry.t_centroid_ns > t_ns]", "]"),
        Change(
            "a change of pace leaves slices to come",
            "            entry.s = object_time(entry.t_centroid_ns)\n",
            "            pass\n",
        ),
        Change(
            "slices act in the order in which they came",
            "acting = sorted((entry.s, *key, entry)",
            "acting = list((entry.s, *key, entry)",
        ),
        Change(
            "settled slices are named to the planner no more",
            "for entries in (self._live, self._settled)",
            "for entries in (self._live,)",
            tests=BOOK,
        ),
        Change(
            "an old slice hides the younger ones that settled before it",
            "for key, entry in entries.items()\n            if entry.t_centroid_ns >= t_ns",
            "for key, entry in __import__('itertools').takewhile(\n"
            "                lambda item: item[1].t_centroid_ns >= t_ns, reversed(entries.items())\n            )",
            tests=BOOK,
        ),
        Change(
            "slices of any age are named",
            "            if entry.t_centroid_ns >= t_ns\n",
            "            if entry.t_centroid_ns >= 0\n",
            tests=BOOK,
        ),
    ),
)

WORLD = Target(
    "sim/world/world.py",
    LATE,
    (
        Change("a slice of NaN is taken", "or not np.isfinite(item.impulse_object).all():", "or False:"),
        Change(
            "a slice from before the start is taken", "if item.t_centroid_ns < self._time.t_start_ns or", "if"
        ),
        Change(
            "states after a late slice stay",
            "            first = min(first, max(math.floor(self._dirty / self._step), self._oldest))\n",
            "            pass\n",
        ),
        Change(
            "only the newest late slice is recomputed from",
            "self._dirty = s if self._dirty is None else min(s, self._dirty)",
            "self._dirty = s",
        ),
        Change(
            "what is out of date is recomputed in every turn",
            "            self._dirty = None\n        if first",
            "        if first",
            equivalent="computing again gives the same states; it only takes longer, which the speed's bench shows",
        ),
        Change(
            "too late a slice is dropped",
            "            self.late_slices += 1\n            s = s_oldest\n",
            "            self.late_slices += 1\n            return\n",
        ),
        Change("too late a slice is not counted", "            self.late_slices += 1\n", ""),
        Change(
            "a new start keeps the slices",
            "        self._book = SliceBook(self._step)\n        self._twists",
            '        self._book = getattr(self, "_book", None) or SliceBook(self._step)\n        self._twists',
        ),
        Change(
            "a new start keeps what is out of date",
            "        self._dirty: float | None = None  # object time from where on the states are out of date\n",
            '        self._dirty = getattr(self, "_dirty", None)\n',
            equivalent=(
                "the first computation after a start begins at its first grid point anyway, since nothing "
                "has been computed yet, and forgets what was out of date"
            ),
        ),
        Change(
            "the epoch is not taken",
            "        self._epoch = epoch\n",
            '        self._epoch = getattr(self, "_epoch", epoch)\n',
        ),
        Change(
            "the state is that of the grid point before",
            "max(s - index * self._step, 0.0), self._book.acting)",
            "0.0, self._book.acting)",
        ),
        Change(
            "the oldest state is not kept track of",
            "        self._oldest = max(self._oldest, target + 1 - len(self._ring))\n",
            "",
        ),
        Change(
            "a prediction begins at any grid point",
            "first = math.floor(s / self._step) // self._ratio * self._ratio",
            "first = math.floor(s / self._step)",
        ),
        Change(
            "a push just now is not in the prediction",
            "            self._flight.backwards_into(now, s - first * self._step, row)\n            return now, acting.after(taken)",
            "            return row.copy(), acting.after(taken)",
        ),
        Change(
            "a push just now counts twice in the prediction",
            "            return now, acting.after(taken)\n        return row.copy(), acting.after(taken)",
            "            return now, acting.after(taken - 1)\n        return row.copy(), acting.after(taken)",
        ),
        Change("predictions have one number", "        self._number += 1\n", ""),
        Change(
            "a past change of pace is taken",
            "        t_ns = max(t_ns, self._t_ns)\n        self._time.retarget",
            "        self._time.retarget",
        ),
    ),
)

TWISTS = Target(
    "sim/world/slice_twists.py",
    (
        *("tests/sim/world/test_slice_twists.py", "tests/hil/loop/test_energy_monitor.py"),
        *("-k", "slice_twists or work_of_pushes or reversed or twice"),
    ),
    (
        Change(
            "the twist after the push is taken",
            "        for taken in (k, k + 1):\n",
            "        for taken in (k + 1, k + 1):\n",
        ),
        Change(
            "the twist is in world axes",
            "return np.concatenate([R.T @ total[:3], R.T @ total[3:]]) / 2.0",
            "return total / 2.0",
        ),
        Change(
            "twists of changed states are kept",
            "        self._known = {name: known for name, known in self._known.items() if s_oldest <= known[0] < s}\n",
            "",
        ),
    ),
)


INTERFACE = Target(
    "sim/contact/restitution.py",
    ("tests/sim/contact/test_restitution.py", "tests/sim/world/test_interface_room.py"),
    (
        Change(
            "restitution loses at the first step of a contact",
            "return 0.5 * gap * (1.0 - depth / rate), 0.5 - depth / rate",
            "return gap, 1.0",
        ),
        Change(
            "restitution gains at the last step of a contact",
            "            return (rate - leaving) / stiffness, 0.5 + depth / leaving\n",
            "            return gap, 1.0\n",
        ),
        Change(
            "no damping",
            "    return frozen_array([ratio(GRID_START * GRID_RATIO**i) for i in range(GRID_SIZE)])",
            "    return frozen_array([0.0 * ratio(GRID_START * GRID_RATIO**i) for i in range(GRID_SIZE)])",
        ),
        Change(
            "damping of continuous time",
            "    return frozen_array([ratio(GRID_START * GRID_RATIO**i) for i in range(GRID_SIZE)])",
            "    return frozen_array(np.full(GRID_SIZE, damping_ratio(restitution)))",
        ),
        Change(
            "a contact ends when the gap opens",
            "return (math.pi - math.atan2(2.0 * zeta * w, w * w - zeta * zeta)) / w",
            "return math.pi / w",
        ),
    ),
)

OWN_CONTACTS = Target(
    "sim/contact/contact_laws.py",
    ("tests/sim/world/test_interface_room.py",),
    (
        Change("the rim's restitution: the damper works in whole steps", "    out[B] *= share\n", ""),
        Change(
            "the rim's restitution: no damper",
            "out[B] = 2.0 * ratio * max(1.0, x / largest) * math.sqrt(out[K] / inverse_mass)",
            "out[B] = 0.0",
        ),
        Change(
            "the rim's restitution: twice the damper",
            "out[B] = 2.0 * ratio * max(1.0, x / largest)",
            "out[B] = 4.0 * ratio * max(1.0, x / largest)",
        ),
    ),
)
TARGETS = (STOPS, BODY, MOTION, OBJECT_TIME, TIME_MAP, SLICE_BOOK, WORLD, TWISTS, INTERFACE, OWN_CONTACTS)
