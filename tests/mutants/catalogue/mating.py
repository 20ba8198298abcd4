"""Mating: where hooks settle, what O-rings bear, where surfaces touch, features and sweeps."""

from tests.mutants.mutant import Change, Target

SNAP_EQUILIBRIUM = Target(
    "sim/mating/snap_equilibrium.py",
    ("tests/sim/mating/test_snap.py",),
    (
        Change("a contact may pull", "on_both and settled.forces[side] >= -WEAK * numbers.force", "on_both"),
        Change(
            "a point may lie beyond its edge",
            "good = good and on_both and settled",
            "good = good and settled",
        ),
        Change(
            "a hook's edge may cut through the other corner",
            "numbers.whole or touching == 0 or (on_edge and contacts[side] < 2 * edges)",
            "numbers.whole or touching == 0",
        ),
        Change(
            "the other end of a hook's width may cut through a corner",
            "(on_edge and contacts[side] < 2 * edges)",
            "(on_edge and 0 <= contacts[side] < 2 * edges)",
        ),
        Change(
            "errors are judged in newtons",
            "(numbers.force if k < 3 else numbers.size * numbers.force)",
            "(1.0 if k < 3 else numbers.size)",
        ),
        Change("friction pushes on", "return normal - v * (numbers.mu", "return normal + v * (numbers.mu"),
        Change(
            "an edge's normal is not of unit length",
            "normal = np.array([along[2] / flat, 0.0, -along[0] / flat])",
            "normal = np.array([along[2], 0.0, -along[0]])",
        ),
        Change(
            "the support's moment is taken about the part",
            "crossed((point[0] - pose[0, 3], point[1] - pose[1, 3], point[2] - pose[2, 3]), push)",
            "crossed((point[0] - T[0, 3], point[1] - T[1, 3], point[2] - T[2, 3]), push)",
        ),
        Change(
            "a hook rests on one side rather than on both",
            "for touching in range(sides, -1, -1):",
            "for touching in range(sides + 1):",
        ),
    ),
)

SNAP = Target(
    "sim/mating/snap.py",
    ("tests/sim/mating/test_snap.py",),
    (
        Change(
            "what is held on its way out is held for ever",
            "forth = 1.0 if twist[0] >= 0.0 else -1.0",
            "forth = 1.0",
        ),
        Change(
            "friction is blamed for everything",
            "if not all(one.found for one in slippery):",
            "if not slippery:",
        ),
        Change(
            "a pose that is no number hangs free",
            "if not (np.isfinite(T).all() and np.isfinite(twist).all()):",
            "if False:",
        ),
        Change(
            "a held hook has a stiffness",
            "        if state.forth * (T[0, 3] - state.held) >= 0.0:\n            return Derivative(",
            "        if False:\n            return Derivative(",
        ),
        Change(
            "the lower half is not mirrored back", "_mirrored(one.load) if half else one.load", "one.load"
        ),
        Change("an annular snap has a side force", "if self.annular else total", "if False else total"),
        Change(
            "a plate's hook is looked at in its middle",
            "np.array([-half, half]) if PHI_X in flexible",
            "np.array([half]) if PHI_X in flexible",
        ),
    ),
)

STIFFNESS = Target(
    "sim/mating/snap_stiffness.py",
    (
        "tests/sim/mating/test_snap.py",
        "-k",
        "matrix or compliance or handbook or plate or torsion or bar or ring or strain or beam",
    ),
    (
        Change(
            "the beam does not taper",
            "h = height[0] + (height[1] - height[0]) * x\n    b = width[0] + (width[1] - width[0]) * x\n    bending",
            "h = height[0] + 0.0 * x\n    b = width[0] + (width[1] - width[0]) * x\n    bending",
        ),
        Change(
            "the beam's coupling has the other sign",
            "np.array([[ww, -wp], [-wp, pp]])",
            "np.array([[ww, wp], [wp, pp]])",
        ),
        Change("twist weighs half in the plate", "+ 2.0 * (1.0 - nu) *", "+ (1.0 - nu) *"),
        Change(
            "the tube's curvature lacks its root",
            "** 0.25 / math.sqrt(radius * thickness)",
            "** 0.5 / math.sqrt(radius * thickness)",
        ),
        Change("one torsion bar for two", "bars * G * math.pi", "G * math.pi"),
    ),
)

O_RING_LOAD = Target(
    "sim/mating/o_ring_load.py",
    ("tests/sim/mating/test_o_ring.py",),
    (
        Change(
            "the groove's wall holds nothing",
            "wall = ring.mu * fading, ring.mu * abs(fading)",
            "wall = ring.mu * fading, 0.0",
        ),
        Change(
            "the wall pushes the wrong way when the ring comes out",
            "        wall = -wall",
            "        wall = 1.0 * wall",
        ),
        Change("the exit slopes as the entrance", "(1 if depth < 0.0 else -1), sine", "1, sine"),
        Change(
            "the ring touches all around",
            "half = math.pi if deepest >= 2.0 * e else math.acos(1.0 - deepest / e)",
            "half = math.pi",
        ),
        Change("what jams has a load", "    if rest <= 0.0:", "    if rest == 0.0:"),
        Change("the load acts at the groove's radius", "* width * ring.hole", "* width * ring.groove"),
        Change(
            "no moment of the axial force",
            "load[4] += by[3] * fr * x - by[2] * x * fz",
            "load[4] += by[3] * fr * x",
        ),
    ),
)

O_RING_SCHEMA = Target(
    "sim/mating/o_ring_schema.py",
    ("tests/sim/mating/test_o_ring.py",),
    (
        Change(
            "the last notch ends with the turn",
            "max(gaps[0][0], *(begin + width - turn for begin, width in gaps))",
            "gaps[0][0]",
        ),
        Change("a loose ring passes", "if self.groove < self.inner:", "if self.groove < 0.0:"),
        Change(
            "friction fades over no speed at all", 'Quantity("mm_s", ge=1e-6)', 'Quantity("mm_s", gt=0.0)'
        ),
    ),
)

TOUCHING = Target(
    "sim/surfaces/touching.py",
    ("tests/sim/surfaces/test_surfaces.py",),
    (
        Change(
            "steps are lengths, around a thin tube too",
            "1.0 / max(lengths[k] / size, math.sqrt(turn @ turn))",
            "size / lengths[k]",
        ),
        Change(
            "the gap has the paper's sign",
            "gap = n2 @ (s1[R] - s2[R]) + first",
            "gap = n2 @ (s2[R] - s1[R]) + first",
        ),
        Change("normals that look the same way touch", "n1 @ n2 < -1.0 + 1e-9", "abs(n1 @ n2) > 1.0 - 1e-9"),
        Change("an edge is as thick as its tube", "+ first.tube + second.tube", "+ second.tube"),
        Change("what is no number breaks", "    if not np.isfinite(J.sum()):\n        return dx, rank\n", ""),
    ),
)

SHAPE = Target(
    "sim/surfaces/shape.py",
    ("tests/sim/surfaces/test_surfaces.py",),
    (
        Change("a hole's normal points into the material", "n * (outward / length)", "n * (1.0 / length)"),
        Change("Weingarten with F twice", "(F * M - G * L) * shape[U, j]", "(F * M + G * L) * shape[U, j]"),
        Change("no tangents, a division", "if length > 0.0 else n", "if length >= 0.0 else n"),
    ),
)

RATES = Target(
    "sim/surfaces/rates.py",
    ("tests/sim/surfaces/test_surfaces.py", "-k", "rates_along"),
    (
        Change(
            "the centripetal part is that of the velocity",
            "cross(w, cross(w, r) + along)",
            "cross(w, vC + along)",
        ),
        Change("the point does not wander", "cross(w, cross(w, r) + along)", "cross(w, cross(w, r))"),
        Change("the normal does not turn", "n2_rate @ vC + n2 @ aC", "n2 @ aC"),
    ),
)

TRACKING = Target(
    "sim/surfaces/tracking.py",
    ("tests/sim/surfaces/test_surfaces.py",),
    (
        Change("any root is kept", "if now.converged and now.opposite:", "if now.converged:"),
        Change(
            "the pole is reached by its own chart",
            "if abs(own[2]) < math.sin(STEEP)",
            "if abs(own[2]) < 2.0 * math.sin(STEEP)",
        ),
    ),
)

FEATURES = Target(
    "hil/trials/mating/features.py",
    ("tests/hil/trials/mating/test_machine.py",),
    (
        Change("faded friction is not told", "if share < FADED:", "if share < 0.0:"),
        Change(
            "what is held is not told",
            '[HELD] if "jammed" in phases or "held" in phases else []',
            '[HELD] if "jammed" in phases else []',
        ),
        Change("a ratio of nothing", "np.mean(inside) > EVEN * force[peak]", "np.mean(inside)"),
        Change(
            "a nose in the counterpart is not told",
            "if off < 0.0 or (two and off != 0.0):",
            "if experiment.offset_z < -1.0:",
        ),
    ),
)

RUN_FAULTS = Target(
    "hil/trials/mating/run_faults.py",
    ("tests/hil/trials/mating/test_robot_pegs.py", "-k", "mean_nothing or flat or reach_is_none or swing"),
    (
        Change("parts may begin inside one another", "if least < -INSIDE:", "if least < -1.0:"),
        Change("forces that swing are not told", "if share <= OFTEN:", "if share <= 1.0:"),
        Change("stiff parts may go through one another", "least < -DEEP:", "least < -1.0:"),
        Change(
            "a speed that is not reached is not told",
            "path.speed * path.ramp <= path.distance:",
            "path.speed * path.ramp <= 1e9:",
        ),
    ),
)

COMBINED = Target(
    "hil/trials/mating/combined.py",
    ("tests/hil/trials/mating/test_robot_pegs.py", "-k", "flat or reach_is_none or combined"),
    (Change("a flat ring goes on", "if law.squeeze(T) >= section:", "if law.squeeze(T) >= 1e3:"),),
)

COMBINED_FEATURES = Target(
    "hil/trials/mating/combined_features.py",
    ("tests/hil/trials/mating/test_robot_pegs.py", "-k", "reach_is_none or combined"),
    (
        Change("a bolt that hits nothing has an impact", "if not hits.size:", "if hits.size > 1e9:"),
        Change(
            "a ring that is not reached has a dip", "if not force[top] > TOUCHING:", "if force[top] < 0.0:"
        ),
    ),
)

PEG_FEATURES = Target(
    "hil/trials/mating/peg_features.py",
    ("tests/hil/trials/mating/test_robot_pegs.py", "-k", "before_its_hole"),
    (
        Change("a peg is in before its hole", "reached > 0.0 and reached - begin", "reached - begin"),
        Change(
            "what does not touch is jammed",
            "and float(seen.depth[-1]) <= 0.0:",
            "and float(seen.depth[-1]) <= -1e9:",
        ),
    ),
)

MACHINE = Target(
    "hil/trials/mating/machine.py",
    ("tests/hil/trials/mating/test_machine.py", "-k", "holds_stays"),
    (
        Change(
            "a ring that is held goes on",
            "held = JAMMED in (wrench.phase, *phases[-1:])",
            "held = wrench.phase == JAMMED",
        ),
    ),
)

LOADING = Target(
    "hil/trials/mating/loading.py",
    ("tests/hil/trials/mating/test_machine.py", "-k", "short_keys or wrong"),
    (
        Change(
            "a key of any support is one",
            'if len(tables) == 1 or _type_of(kind) == inner.get("type")',
            "if True",
        ),
        Change("no near name is told", "n=3, cutoff=0.6)", "n=3, cutoff=1.0)"),
    ),
)

SWEEP = Target(
    "hil/trials/mating/sweep.py",
    ("tests/hil/trials/mating/test_mate_command.py", "-k", "single or every_point"),
    (
        Change("answers stand as they came", "for number in sorted(found)]", "for number in found]"),
        Change(
            "a wrong point shows when its turn comes",
            "    for _, name, settings in [*jobs[:: max(1, len(jobs) // LOOKS)], jobs[-1]]:",
            "    for _, name, settings in jobs[:1]:",
        ),
    ),
)

MATE = Target(
    "hil/commands/mate.py",
    ("tests/hil/trials/mating/test_mate_command.py", "-k", "leaves or odd"),
    (
        Change("an empty folder stays", "                folder.rmdir()", "                pass"),
        Change("a folder of before goes", "if folder is not None and new:", "if folder is not None:"),
        Change(
            "brackets in a path are markup",
            "shown.add_task(escape(options.experiment)",
            "shown.add_task((options.experiment)",
        ),
        Change("a sweep keeps its warnings", 'row | {"warnings": said}', 'row | {"warnings": []}'),
    ),
)

SCHEMA = Target(
    "hil/trials/mating/schema.py",
    ("tests/hil/trials/mating/test_machine.py", "-k", "wrong"),
    (
        Change(
            "a ring may be squeezed flat",
            "self.eccentricity + ring.squeeze >= ring.section",
            "ring.squeeze >= ring.section",
        ),
    ),
)

TARGETS = (
    SNAP_EQUILIBRIUM,
    SNAP,
    STIFFNESS,
    O_RING_LOAD,
    O_RING_SCHEMA,
    TOUCHING,
    SHAPE,
    RATES,
    TRACKING,
    FEATURES,
    RUN_FAULTS,
    COMBINED,
    COMBINED_FEATURES,
    PEG_FEATURES,
    MACHINE,
    LOADING,
    SWEEP,
    MATE,
    SCHEMA,
)
