"""Real contact in the loop: closed forms, the sampled loop, the operator's rule."""

from tests.mutants.mutant import Change, Target

CRITICAL = Target(
    "hil/force/map/critical_delay.py",
    ("tests/hil/force/map/test_critical_delay.py",),
    (
        Change("the damper turns no phase", "math.atan2(d * W, k) + cmath", "0.0 + cmath"),
        Change("the drives turn no phase", " + cmath.phase(loop.drive(1j * W))", ""),
        Change("half the damping in the pure form", "math.atan(2.0 * z * y) / y", "math.atan(z * y) / y"),
        Change(
            "a free port is as heavy as the body", "return -(M * m * s * s / (d * s + k) + M) / m",
            "return -(M * m * s * s / (d * s + k) + M) / M",
        ),
        Change("too slow drives pass", "return bool(poles.real.max() < 0.0)", "return True"),
    ),
)  # fmt: skip

BOUNCE = Target(
    "hil/force/map/bounce.py",
    ("tests/hil/force/map/test_sampled_loop.py",),
    (
        Change("the port pulls", "f = -max(0.0, k * depth + d * speed) if", "f = -(k * depth + d * speed) if"),
        Change("the body lags its own speed", "x + h * v + 0.5 * h * h * f / M", "x + h * v"),
        Change("the lead forgets the force", "sent[head] = x + lead * v + 0.5 * lead * lead * f / M",
               "sent[head] = x + lead * v"),
        Change("a cycle more of dead time", "sent[(head - late) % n]", "sent[(head - late - 1) % n]"),
    ),
)  # fmt: skip

POLES = Target(
    "hil/force/map/pressed_loop.py",
    ("tests/hil/force/map/test_sampled_loop.py",),
    (
        Change("the force holds for half a cycle", "v_next = v + h / contact.mass * f",
               "v_next = v + 0.5 * h / contact.mass * f"),
        Change("a common drift counts as swinging", "poles[np.abs(poles - 1.0) > DRIFT]", "poles"),
    ),
)  # fmt: skip

RULE = Target(
    "hil/force/map/rule.py",
    ("tests/hil/force/map/test_rule.py",),
    (
        Change("the peak forgets the delay", "max(1.0, contact.rate * loop.total, 2.0", "max(1.0, 2.0"),
        Change("the peak forgets the damper", ", 2.0 * contact.ratio, led)", ", led)"),
        Change("skew is free", "noise + SKEW_FACTOR * rate * touch.skew + own", "noise + own"),
        Change("a device twice as stiff", "(DEVICE_WT / delay) ** 2", "2.0 * (DEVICE_WT / delay) ** 2"),
    ),
)

CONTACT = Target(
    "hil/force/map/contact.py",
    ("tests/hil/force/map/test_rule.py", "tests/hil/force/map/test_restitution.py"),
    (
        Change("a lever weighs nothing", "1.0 / mass + float(moment @ np.linalg.solve(inertia, moment))",
               "1.0 / mass"),
        Change("a hardening port is linear", "** (n - 1.0) / stiffness", "** 0.0 / stiffness"),
        Change("a light port counts as none", "return self.reduced_mass / self.mass", "return 1.0"),
    ),
)  # fmt: skip

LATE = Target(
    "hil/force/map/restitution.py",
    ("tests/hil/force/map/test_restitution.py",),
    (
        Change("the contact pulls to the end", "math.pi - math.atan2(2.0 * z * w, w * w - z * z)", "math.pi"),
        Change("a delay is harmless", "math.exp(X * slope)", "math.exp(0.0 * slope)"),
        Change("drives only delay", "w_lag**2 * (DRIVES[0] + DRIVES[1] * z)", "0.0"),
    ),
)

LINES = Target(
    "hil/commands/contact_lines.py",
    ("tests/hil/commands/test_contact_map.py",),
    (Change("what diverges passes", "        return 1\n", "        return 0\n"),),
)

SETTING = Target(
    "hil/analysis/contact_setting.py",
    ("tests/hil/commands/test_contact_map.py",),
    (
        Change("commands need no cycle", "LoopDelay(cycle, cycle + emulator.delay,",
               "LoopDelay(cycle, emulator.delay,"),
        Change("feet never touch together", "* (len(feet) > 1)", "* 0"),
        Change("devices are rigid", "1.0 / (1.0 / k + compliance)", "k"),
        Change("the force stop is always the usual one", "given.force_stop or c.force.stop_force", "given.force_stop or 150.0"),
        Change("the position's noise is always the usual one", "noise = c.force.noise_position if", "noise = 5e-6 if"),
    ),
)  # fmt: skip

TARGETS = (CRITICAL, BOUNCE, POLES, RULE, CONTACT, LATE, LINES, SETTING)
