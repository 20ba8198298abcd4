"""The force sensor: wire, clock, readings, trust, tare, and its load."""

from tests.mutants.mutant import Change, Target

SENSOR = "tests/drivers/sensor/"
LOOP_TESTS = ("tests/hil/loop/test_force_sensor.py",)
TARE_TESTS = ("tests/hil/wrench/test_tare.py",)
EMULATED_TESTS = ("tests/drivers/emulation/test_emulated_sensor.py",)

RDT = Target(
    "drivers/sensor/rdt.py",
    (f"{SENSOR}test_rdt.py",),
    (
        Change(
            "records are little endian",
            'RECORD = struct.Struct(">III6i")',
            'RECORD = struct.Struct("<III6i")',
        ),
        Change("counts have no sign", 'struct.Struct(">III6i")', 'struct.Struct(">III6I")'),
        Change("a request needs no header", "if header != HEADER:", "if False:"),
    ),
)

STATUS = Target(
    "drivers/sensor/status.py",
    (f"{SENSOR}test_status.py",),
    (
        Change(
            "a monitor without summary is well", "status not in (WELL, MONITOR)", "status & ~MONITOR != 0"
        ),
        Change("the highest bit comes last", "range(SUMMARY_BIT - 1, -1, -1)", "range(SUMMARY_BIT)"),
    ),
)

STREAM = Target(
    "drivers/sensor/stream.py",
    (f"{SENSOR}test_stream.py",),
    (
        Change(
            "its numbers end where the robot's do",
            "FriClock(self.period, SEQUENCE_MODULUS)",
            "FriClock(self.period)",
        ),
        Change("late records are used", "if order is Order.LATE:", "if False:"),
        Change("the first stream is a restart", "self.restarts += self.began_ns > 0", "self.restarts += 1"),
        Change("its stamp is its arrival", "t_ns = self._clock.stamp_ns()", "t_ns = record.arrival_ns"),
    ),
)

WINDOW = Target(
    "drivers/sensor/window.py",
    (f"{SENSOR}test_window.py",),
    (
        Change(
            "the newest record is held",
            "1.0 / n - mean * (t - mean) / spread for t",
            "float(t == max(times)) for t",
        ),
        Change(
            "a lost stretch is extrapolated",
            "at_ns = min(t_ns, picked[0].t_ns + self._reach_ns)",
            "at_ns = t_ns",
        ),
        Change("the line leans the other way", "1.0 / n - mean", "1.0 / n + mean"),
    ),
)

WATCH = Target(
    "drivers/sensor/watch.py",
    (f"{SENSOR}test_watch.py",),
    (
        Change("silence is never told", "if silent_ns > self._stale_ns:", "if False:"),
        Change("old measurements count as new", "if now_ns - self._moved_ns > self._stale_ns:", "if False:"),
        Change("a frozen reading is believed", "if now_ns - self._changed_ns > FROZEN_NS:", "if False:"),
        Change("a serious status is believed", "if is_serious(self.status):", "if False:"),
        Change("overload counts one axis", "force = math.hypot(*counts[:3])", "force = abs(counts[0])"),
        Change(
            "overload counts at once", "if stamped.t_ns - self._over_ns >= self._overload_ns:", "if True:"
        ),
        Change(
            "another rate is believed", "return self._overload or self._pace.trouble", "return self._overload"
        ),
    ),
)

CLIENT = Target(
    "drivers/sensor/client.py",
    (f"{SENSOR}test_client.py",),
    (
        Change("records from elsewhere are believed", "if sender != self._place:", "if False:"),
        Change("it asks once and never again", "or now_ns - since_ns >= ASK_AGAIN_NS", "or False"),
        Change("it leaves the stream running", "self._send(Command.STOP)", "pass"),
    ),
)

TARE = Target(
    "hil/wrench/tare.py",
    TARE_TESTS,
    (
        Change(
            "any offset is a bias", "if not (force <= s.tare_force and torque <= s.tare_torque):", "if False:"
        ),
        Change("a restless reading is a bias", "if not restless <= s.tare_quiet:", "if False:"),
        Change("a load is tared away", "if self.tared and self._is_load(mean - self._anchor):", "if False:"),
        Change(
            "each block drifts anew", "self._is_load(mean - self._anchor)", "self._is_load(mean - self.bias)"
        ),
    ),
)

EXTERNAL = Target(
    "hil/loop/driver/external_wrench.py",
    LOOP_TESTS,
    (
        Change(
            "the weight stays in",
            "self._unloaded = read - self._weight.read(R_base_flange)",
            "self._unloaded = read",
        ),
        Change("the bias stays in", "return self._unloaded - self._tare.bias if", "return self._unloaded if"),
        Change(
            "a lost sensor's last reading counts",
            "if read is None or self.trouble(sample.arrival_ns):",
            "if read is None:",
        ),
        Change(
            "a motion needs no tare",
            "self._sensor.watch.unsettled(now_ns) or self._tare.missing",
            "self._sensor.watch.unsettled(now_ns)",
        ),
        Change(
            "a restart keeps the bias and its clock",
            "            self._tare.forget()",
            "            pass",
            tests=("tests/hil/loop/test_force_sensor.py", "-k", "forgets_its_tare"),
        ),
    ),
)

HELD = Target(
    "hil/wrench/load/held.py",
    EMULATED_TESTS,
    (
        Change("the weight acts at the sensor", "cross(self.moment, g)", "0.0 * g"),
        Change(
            "gravity is that of a tilted base",
            "frames.T_world_base[:3, :3].T @ np.array",
            "np.eye(3) @ np.array",
        ),
    ),
)

SENSED = Target(
    "hil/recording/replaying/turns.py",
    ("tests/hil/recording/test_sensor_recorded.py",),
    (Change("records come a turn early", "row.taken <= taken:", "row.taken <= taken + 1:"),),
)

TARGETS = (RDT, STATUS, STREAM, WINDOW, WATCH, CLIENT, TARE, EXTERNAL, HELD, SENSED)
