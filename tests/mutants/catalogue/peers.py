"""The admittance law beside ours, and the figures that compare the two."""

from tests.mutants.mutant import Change, Target

FORCE = Target(
    "hil/wrench/admittance.py",
    ("tests/hil/wrench/test_admittance.py",),
    (
        Change("the offset acts", "(wrench - self._offset - self._filtered)", "(wrench - self._filtered)"),
        Change("the dead band only switches", "self._filtered[part] * (1.0 - band / size)", "self._filtered[part]"),
        Change("slices go on across a gap", "self._sum, self._taken = np.zeros(6), 0\n\n    def take", "pass\n\n    def take"),
        Change("a slice is stamped at its end", "t_ns - lasted_ns // 2", "t_ns"),
        Change("it acts before floating", "        if self._offset is None:\n            return None\n", "        if self._offset is None:\n            self._offset = np.zeros(6)\n"),
    ),
)  # fmt: skip
BODY = Target(
    "sim/world/flight/damped.py",
    ("tests/sim/world/test_damped.py",),
    (
        Change("spin is not damped", "math.exp(-drag[1] / body[1 + i] * duration)", "1.0"),
        Change("spin is damped by one axis", "body[1 + i] * duration", "body[1] * duration"),
        Change("a cell is not damped", "damp_into(row, until, self.body, self._drag)", "pass"),
        Change("back in time it is damped again", "damp_into(row, -duration,", "damp_into(row, duration,"),
        Change("foresight knows no damping", "            damp_into(row, 0.5 * ratio * step, body, drag)\n            for", "            for"),
    ),
)  # fmt: skip
COASTING = Target(
    "hil/analysis/figures/coasting.py",
    ("tests/hil/analysis/figures/test_coasting.py",),
    (
        Change("energy of the whole stretch", "(after / before) ** (LATER / float(trace.t[end - 1] - trace.t[first]))", "after / before"),
        Change("spin has no energy", " + 0.5 * spin @ trace.inertia_object @ spin", ""),
        Change("drift of the whole run", "trace.p_world_object_arm[:rows] - trace.p_world_object_ideal[:rows]", "trace.p_world_object_arm - trace.p_world_object_ideal"),
        Change("a slow motion counts", "< SLOWEST", "< 0.0"),
    ),
)  # fmt: skip
HOLES = Target(
    "hil/analysis/figures/conservation.py",
    ("tests/hil/analysis/figures/test_conservation.py",),
    (Change("a stretch goes on across missing rows", "    disturbed |= holes(trace)\n", ""),),
)
TARGETS = (FORCE, BODY, COASTING, HOLES)
