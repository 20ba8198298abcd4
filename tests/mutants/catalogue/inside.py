"""Bodies inside the floating object: composite, steps, pushes, orders, modes, trees, who hears of them."""

from tests.mutants.mutant import Change, Target

INSIDE = ("tests/sim/world/inside/test_gyrostat.py",)
MODES = ("tests/sim/world/inside/test_modes.py",)
ORDERS = ("tests/sim/world/inside/test_joint_orders.py",)
REFUSED = ("tests/sim/world/inside/test_refusals.py",)
LOOP = ("tests/hil/loop/test_inside_loop.py",)

TARGETS = (
    Target(
        "sim/world/inside/composite.py",
        INSIDE,
        (
            Change(
                "the momentum inside is about the base's frame",
                "row[6] = h0 - total * (c1 * s2 - c2 * s1)",
                "row[6] = h0",
            ),
            Change(
                "a body's own spin is left out",
                "h0 += g0 + m * (p1 * v2 - p2 * v1)",
                "h0 += m * (p1 * v2 - p2 * v1)",
            ),
            Change(
                "a product of inertia has the other sign",
                "row[17], row[18] = xy + total * c0 * c1, xz + total * c0 * c2",
                "row[17], row[18] = xy - total * c0 * c1, xz + total * c0 * c2",
            ),
        ),
    ),
    Target(
        "sim/world/inside/gyrostat.py",
        INSIDE,
        (
            Change(
                "the middle of a step is its begin",
                "b0, b1, b2, b3 = _rate(w + h * a0, x + h * a1, y + h * a2, z + h * a3, L0, L1, L2, middle)",
                "b0, b1, b2, b3 = _rate(w + h * a0, x + h * a1, y + h * a2, z + h * a3, L0, L1, L2, begin)",
            ),
            Change(
                "the centre's motion in the base is left out",
                "u0 = at[12] + spin[1] * c2 - spin[2] * c1",
                "u0 = spin[1] * c2 - spin[2] * c1",
            ),
            Change(
                "a stop's force has no lever about the centre",
                "L[1] + h * (t1 - (r2 * f0 - r0 * f2)),",
                "L[1] + h * t1,",
            ),
        ),
    ),
    Target(
        "sim/world/flight/gyrostat.py",
        INSIDE,
        (
            Change(
                "what motors do against a push is the push's work",
                "row[GIVEN] += 0.5 * float(impulse @ (before + self._own_twist(row, R)))",
                "row[GIVEN] += float(impulse @ before)",
            ),
            Change(
                "a push has no lever about the whole's centre",
                "row[10:13] += R @ (impulse[3:] - np.cross(at[9:12], impulse[:3]))",
                "row[10:13] += R @ impulse[3:]",
            ),
            Change("tables keep what an order changes", "        self._fine.spoil(s)\n", ""),
        ),
    ),
    Target(
        "sim/world/flight/inside.py",
        INSIDE,
        (
            Change("a push is not cut", "if linear < 1.0 or angular < 1.0:", "if False:"),
            Change(
                "the cap knows no mobility",
                "impulse = np.asarray(np.linalg.solve(W, after - own), np.float64)",
                "impulse *= min(linear, angular)",
            ),
        ),
    ),
    Target(
        "sim/world/inside/modal_shapes.py",
        (*MODES, *REFUSED),
        (
            Change(
                "the modal mass that is left forgets the turning",
                "np.eye(len(self.omega)) - moved - turned",
                "np.eye(len(self.omega)) - moved",
            ),
            Change("no mode is too fast", "    if fastest > most:", "    if False:"),
        ),
    ),
    Target(
        "sim/world/inside/modal.py",
        (*MODES, *INSIDE),
        (
            Change(
                "damping acts on the deflection's rate alone twice",
                "- m.damping[k] * speed",
                "- 2.0 * m.damping[k] * speed",
            ),
        ),
    ),
    Target(
        "sim/world/inside/tree.py",
        MODES,
        (
            Change(
                "the attitude's rate is the spin",
                "going[3] += 0.5 * c0 + (o1 * c2 - o2 * c1) / 12.0",
                "going[3] += 0.0 * c0",
            ),
        ),
    ),
    Target(
        "sim/world/inside/joint_orders.py",
        ORDERS,
        (
            Change("held speeds run beyond limits", "min(most, float(times.min()))", "most"),
            Change(
                "an order's joints may be anywhere",
                "if not arm.lower[j] <= q[j] <= arm.upper[j]:",
                "if False:",
            ),
        ),
    ),
    Target(
        "sim/world/inside/script.py",
        REFUSED,
        (Change("a script may be too fast", "if speed > arm.velocity[j] + ROUNDING:", "if False:"),),
    ),
    Target(
        "hil/loop/driver/live_slices.py",
        LOOP,
        (
            Change(
                "a push is answered as if the object were rigid",
                "missing[:2] = missing[:2] @ self._mobility.T",
                "missing[:2] = missing[:2] * np.diag(self._mobility)",
            ),
        ),
    ),
)
