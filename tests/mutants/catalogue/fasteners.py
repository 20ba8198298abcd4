"""Seals and latches in dockings: loads on both bodies, work, what is remembered, and when they hold."""

from tests.mutants.mutant import Change, Target

PACKED = Target(
    "sim/mating/packed.py",
    ("tests/sim/mating/test_packed.py",),
    (
        Change(
            "the work is by the speed of the end",
            "row[WORK] -= 0.5 * dt * (row[POWER] + _dot(row, twist))",
            "row[WORK] -= dt * 0.9 * _dot(row, twist)",
        ),
        Change("a ring seals wherever it touches", "squeeze > 2.0 * off and whole", "whole"),
        Change("a load that drives stands", "if _dot(row, twist) > 0.0:", "if False:"),
        Change("the second half is not mirrored", "load += mirrored(one.load, half)", "load += one.load"),
        Change(
            "a latch is closed from its front edge on",
            "T[0, 3] + snap.hook[2, 0] >= snap.length",
            "T[0, 3] + snap.hook[2, 0] >= 0.0",
        ),
    ),
)
PLACED = Target(
    "sim/contact/parts.py",
    ("tests/sim/docking/test_docking_snap.py",),
    (
        Change("the module feels nothing", "            wrench[b, k] -= force[k]\n", ""),
        Change(
            "the speed of the counterpart is left out",
            "    v = added(v, scaled(_velocity_at(place, cvel[b], com[root[b]]), -1.0))\n",
            "",
        ),
    ),
)
IN_THE_WORLD = Target(
    "sim/world/scene/contact_motion.py",
    ("tests/sim/world/test_contact_world.py",),
    (
        Change(
            "the object flies as if there were no seal and no latch",
            "(scene.views.qfrc_constraint[v : v + 6] + scene.forces.by_parts[v : v + 6]) * step",
            "scene.views.qfrc_constraint[v : v + 6] * step",
        ),
    ),
)
FITTED = Target(
    "hil/trials/mating/fitting.py",
    ("tests/hil/trials/mating/test_insertion_fit.py",),
    (
        Change("samples beside a jump count", "        used = _apart_from_jumps(curve(x))\n", ""),
        Change("the noise does not widen the intervals", "covariance = noise**2 *", "covariance = 1e-4 *"),
    ),
)
TARGETS = (PACKED, PLACED, IN_THE_WORLD, FITTED)
