"""Components and assemblies: what is refused, what an arm can do, what comes from other programs."""

from tests.mutants.mutant import Change, Target

RULES = Target(
    "sim/assembly/component_rules.py",
    ("tests/sim/assembly/test_broken_files.py",),
    (
        Change(
            "any inertia is that of a body", "moments[0] + moments[1] < moments[2] * (1.0 - SLACK)", "False"
        ),
        Change("assumed may name anything", "if key not in _keys(c)", "if False"),
    ),
)
ORDER = Target(
    "sim/assembly/assembly_file.py",
    ("tests/sim/assembly/test_broken_files.py",),
    (
        Change("loops are overlooked", "if left or parts[0].on:", "if False:"),
        Change("branches are overlooked", "if before in behind:", "if False:"),
    ),
)
EXTREMES = Target(
    "sim/assembly/extremes.py",
    ("tests/sim/assembly/test_checks.py",),
    (
        Change("weights pull the other way", "    return -held", "    return held"),
        Change("limits do not bound the top", "<= high and peak > best:", "<= 1e9 and peak > best:"),
    ),
)
FIGURES = Target(
    "sim/assembly/figures.py",
    ("tests/sim/assembly/test_checks.py",),
    (
        Change(
            "gears lose nothing", "gear.ratio * gear.efficiency\n    return min", "gear.ratio\n    return min"
        ),
        Change("an overloaded arm carries", "if mass <= 0.0:", "if False:"),
    ),
)
TIMOR = Target(
    "sim/assembly/interchange/timor_in.py",
    ("tests/sim/assembly/interchange/test_timor.py",),
    (
        Change(
            "inputs look outwards", "self._connector(inlet, T, FLIP)", "self._connector(inlet, T, np.eye(4))"
        ),
        Change("rotors count by the ratio", "* ratio**2", "* ratio"),
    ),
)
URDF = Target(
    "sim/assembly/interchange/urdf_in.py",
    ("tests/sim/assembly/interchange/test_urdf.py",),
    (
        Change("inertias are not turned", ".seen(self._origin(inertial))", ".seen(np.eye(4))"),
        Change("mimics are driven", 'if joint.find("mimic") is not None:', "if False:"),
    ),
)
STAMP = Target(
    "sim/assembly/stamp.py",
    ("tests/sim/assembly/test_stamp.py",),
    (
        Change(
            "drives do not count",
            "components |= {name: chain.database[name] for name in names}",
            "pass",
        ),
    ),
)
ARM = Target(
    "sim/exports/assembled_arm.py",
    ("tests/sim/exports/test_assembled_arm.py",),
    (Change("all assemblies are alike", "stamp_of(chain).encode()", 'b"same"'),),
)

TARGETS = (RULES, ORDER, EXTREMES, FIGURES, TIMOR, URDF, STAMP, ARM)
