"""The emulated port: its law, the balance of its forces, its steps, and where it enters; a late wrench."""

from tests.mutants.mutant import Change, Target

BOUNCES = "tests/drivers/emulation/port/test_bounces.py"
FACES = "tests/drivers/emulation/port/test_faces.py"
IN_THE_LOOP = "tests/drivers/emulation/port/test_port_in_the_loop.py"
PINS = "tests/drivers/emulation/port/test_pins.py"

LAW = Target(
    "drivers/emulation/port/law.py",
    (BOUNCES, FACES),
    (
        Change("Hertz's exponent is that of its stiffness", "** (law.exponent - 1.0)", "** law.exponent"),
        Change("every port pulls", "    if force <= 0.0 and not latched:\n        return 0.0, 0.0, 0.0\n", ""),
        Change("no latch pulls", "if force <= 0.0 and not latched:", "if force <= 0.0:"),
        Change("the damper works the wrong way", "+ law.damping * rate", "- law.damping * rate"),
        Change("a bump stop begins at the face", "beyond = max(0.0, x - law.bump)", "beyond = max(0.0, x)"),
        Change("a port with mass stands", "0.0 if port.mass is None else 1.0 / port.mass", "0.0"),
        Change("a port's mass is its inverse", "else 1.0 / port.mass", "else port.mass"),
    ),
)  # fmt: skip
BALANCE = Target(
    "drivers/emulation/port/balance.py",
    (BOUNCES, FACES),
    (
        Change("what gives way relieves nothing", "x = at.x[i, j] - compliance * along - rest", "x = at.x[i, j] - rest"),
        Change("a damper does not feel what springs back", "relief += (n[0] * bent[0] + n[1] * bent[1] + n[2] * bent[2] - rest) / bent_step", "relief += 0.0"),
        Change("a damped device springs back at once", "compliance, left = softness(law, bent_step)\n    rates", "compliance, left = softness(law, bent_step)[0], 0.0\n    rates"),
        Change("all feet press, touching or not", "            if not at.touching[i, j]:\n                continue\n", ""),
    ),
)  # fmt: skip
STEPPING = Target(
    "drivers/emulation/port/stepping.py",
    (BOUNCES, FACES),
    (
        Change("one substep for all", "FINENESS = 0.05", "FINENESS = 5.0"),
        Change("a damper behind a spring goes in one step", "SOFT_SUBSTEPS = 10", "SOFT_SUBSTEPS = 1"),
        Change("the port is pulled along", "state.v[k] -= part * law.inverse_mass * force[k]", "state.v[k] += part * law.inverse_mass * force[k]"),
        Change("forces at the substep's end", "(m + 0.5) * part * speed[i, k]", "(m + 1.0) * part * speed[i, k]"),
        Change("friction is a spring without a cone", "share = most / size if size > most else 1.0", "share = 1.0"),
        Change("friction knows no spring", "b[k] = b[k] + slides if at.touching[i, j] else 0.0", "b[k] = slides if at.touching[i, j] else 0.0"),
        Change("friction acts along the normal too", "slides = part * (speed[i, k] - state.v[k] - into * n[k])", "slides = part * (speed[i, k] - state.v[k])"),
        Change("a port that moves is met where it began", "(feet[i, k] - planes[j, k] - state.way[k] - ahead * state.v[k])", "(feet[i, k] - planes[j, k] - ahead * state.v[k])"),
        Change("its speed is no part of the rate", "planes[j, 3 + k] * (speed[i, k] - state.v[k])", "planes[j, 3 + k] * speed[i, k]"),
        Change("no torque", "w[4] += r2 * force[0] - r0 * force[2]", "w[4] += 0.0"),
        Change("it latches from afar", "if law.latches and at.x[i, j] > 0.0:", "if law.latches:"),
        Change("depth is told without what gives way", "state.x[i, j] -= planes[j, 3 + k] * state.bent[k]", "state.x[i, j] -= 0.0"),
        Change("a turning foot has the centre's speed", "speed[i, 2] = twist[2] + twist[3] * r1 - twist[4] * r0", "speed[i, 2] = twist[2]"),
    ),
)  # fmt: skip
GEOMETRY = Target(
    "drivers/emulation/port/geometry.py",
    (FACES, IN_THE_LOOP),
    (
        Change("both flanks are one", "for side in (1.0, -1.0)", "for side in (1.0, 1.0)"),
        Change("a groove stands upright", "np.array([-n[1], n[0], 0.0])", "np.array([0.0, 0.0, 1.0])"),
        Change("the face that looks away", "towards = -(R_world_tcp.T @ port.normal_unit)", "towards = R_world_tcp.T @ port.normal_unit"),
        Change("the cube lies about the tcp", "foot = np.array([0.0, 0.0, 0.5 * edge])", "foot = np.zeros(3)"),
    ),
)  # fmt: skip
CONTROLLER = Target(
    "drivers/emulation/port/emulated_port.py",
    (IN_THE_LOOP,),
    (
        Change("it begins within the mock-up", "if state_x.max() >= 0.0:", "if state_x.max() >= 1.0:"),
        Change("feet are those of the step before", "feet_into(self._after, self.feet, T_world_object)\n        p =", "feet_into(self._before, self.feet, T_world_object)\n        p ="),
    ),
)  # fmt: skip
TOUCHES = Target(
    "hil/analysis/figures/touches.py",
    ("tests/hil/analysis/figures/test_touches.py",),
    (
        Change("every bounce is a touch", "np.diff(trace.t[rows]) > APART", "np.diff(trace.t[rows]) > 0.01"),
        Change("energy is told in the touch", "trace.t[end - 1] + APART", "trace.t[first]"),
        Change("a push beside counts for the port", "max(axis=1) > PUSHED", "max(axis=1) > 1e9"),
    ),
)  # fmt: skip
LATE = Target(
    "drivers/emulation/arm/lateness.py",
    ("tests/drivers/emulation/test_late_wrench.py",),
    (
        Change("steps instead of ramps", "value - self._ramp * change + self._keeps * (self._output - self._input)", "value + self._keeps * (self._output - value)"),
        Change("a whole step earlier", "self._past[self._whole], self._past[self._whole + 1]", "self._past[self._whole - 1], self._past[self._whole]"),
        Change("what always was begins with a jump", "self._input = self._output = value\n            self._past", "self._past"),
    ),
)  # fmt: skip
DRAWN = Target(
    "hil/loop/port_solids.py",
    ("tests/hil/loop/test_port_solids.py",),
    (
        Change("plates lie before their planes", "p = -0.5 * THICK * n", "p = 0.5 * THICK * n"),
        Change("a fixed port is drawn at the origin", "solid.at(solid.p + port.point, solid.quat)", "solid.at(solid.p, solid.quat)"),
        Change("the normal points into the port", "0.5 * LONG * n, quat_of", "-0.5 * LONG * n, quat_of"),
    ),
)  # fmt: skip
PIN_FORCES = Target(
    "drivers/emulation/port/pin_forces.py",
    (PINS,),
    (
        Change("the damper of a pin works the wrong way", "contact_force(law, x, -into, False)", "contact_force(law, x, into, False)"),
        Change("friction pushes along", "f * n[k] - rubs * speed[k]", "f * n[k] + rubs * speed[k]"),
        Change("a pin that creeps rubs fully", "min(law.friction * f / slides, CREEPS)", "law.friction * f / slides"),
        Change("no tip is held", "            held.latched[pins[i]] = True\n", "            pass\n"),
        Change("a held tip counts twice", "        if bottom and held.latched[pins[i]]:\n            continue\n", ""),
        Change("a held tip cannot pull", "contact_force(law, deep - held.seat, -into, True)", "contact_force(law, deep - held.seat, -into, False)"),
        Change("turning moves no contact", "twist[3] * r1 - twist[4] * r0", "0.0 * r1"),
    ),
)  # fmt: skip
HOLED = Target(
    "hil/loop/real_port.py",
    (PINS,),
    (
        Change("tips are held above the bottom", "mating.full_depth - mating.radius", "mating.full_depth - 1.5 * mating.radius"),
    ),
)  # fmt: skip
OWN_SENSOR = Target(
    "drivers/emulation/port/own_sensor.py",
    ("tests/drivers/emulation/port/test_own_sensor.py",),
    (
        Change("the port feels what the mock-up feels", "self.reading[:3] = -wrench[:3]", "self.reading[:3] = wrench[:3]"),
        Change("its torque is about the object's centre", " - np.cross(p - point, wrench[:3])", ""),
        Change("its torque has the force's noise", "np.repeat(noise, 3)", "np.repeat(noise[:1], 6)"),
    ),
)  # fmt: skip
MOMENTUM = Target(
    "hil/analysis/figures/momentum.py",
    ("tests/hil/analysis/figures/test_momentum.py",),
    (
        Change("spin is no angular momentum", "spin + np.cross(", "np.cross("),
        Change("momentum is about the origin", "trace.p_world_object_sim[row] - point", "trace.p_world_object_sim[row]"),
        Change("the sensor's torque is forgotten", "moment = torque + ", "moment = "),
        Change("what both have is compared as equal", "miss = got - lost", "miss = got + lost"),
    ),
)  # fmt: skip
TARGETS = (
    LAW,
    BALANCE,
    STEPPING,
    GEOMETRY,
    CONTROLLER,
    TOUCHES,
    LATE,
    DRAWN,
    PIN_FORCES,
    HOLED,
    OWN_SENSOR,
    MOMENTUM,
)
