"""Own mock-ups and their pictures, the reference of keys, exported tables."""

from tests.mutants.mutant import Change, Target

SHAPE = Target(
    "hil/loop/mockup_shape.py",
    ("tests/hil/loop/test_mockup_shape.py", "-k", "not check_and_run"),
    (
        Change(
            "a mesh in millimetres is taken for metres", '{"mm": 1e-3, "m": 1.0}', '{"mm": 1.0, "m": 1.0}'
        ),
        Change("what reaches beyond the cube is drawn", "if reach > edge + TOLERANCE:", "if False:"),
        Change("half of a width counts", ".max() * 2.0, high[2])", ".max(), high[2])"),
        Change("what lies behind the flange is drawn", "if low[2] < -TOLERANCE:", "if False:"),
        Change(
            "a scene is drawn where it stands", "R_root.T @ (data.geom_xpos[i] - p_root)", "data.geom_xpos[i]"
        ),
        Change("a scene's turn is kept", "quat_of(R_root.T @ data", "quat_of(data"),
        Change("what is fixed to the body is left out", "while body and body != root:", "while False:"),
        Change("the object's frame is the tcp's", 'if mockup.shape_frame == "object":', "if False:"),
    ),
)
SOLID = Target(
    "hil/loop/solid.py",
    ("tests/hil/loop/test_mockup_shape.py", "-k", "shapes or fits or frame or mesh"),
    (
        Change("cylinders are drawn as boxes", 'mjGEOM_CYLINDER): "cylinder"', 'mjGEOM_CYLINDER): "box"'),
        Change("a moved solid keeps its turn", "multiplied(quat, self.quat))", "self.quat)"),
        Change("a moved solid's place is not turned", "p + turned(quat, self.p)", "p + self.p"),
    ),
)
CREASES = Target(
    "hil/loop/creases.py",
    ("tests/hil/loop/test_mockup_shape.py", "-k", "creases"),
    (
        Change("diagonals of flat faces show", "edges[~flat]", "edges"),
        Change("no bend is a crease", "BEND = 0.87", "BEND = -1.0"),
        Change(
            "vertices at one place are several",
            "np.round(mesh.vertices, 6), axis=0,",
            "mesh.vertices + np.arange(len(mesh.vertices))[:, None], axis=0,",
        ),
    ),
)
PICTURES = Target(
    "hil/recording/picture.py",
    ("tests/hil/loop/test_mockup_shape.py", "-k", "triangles"),
    (
        Change(
            "triangles lose their order",
            "solid.mesh.faces.reshape(-1).tolist()",
            "sorted(solid.mesh.faces.reshape(-1).tolist())",
        ),
    ),
)
REFERENCE = Target(
    "hil/configuration/reference.py",
    ("tests/hil/configuration/test_reference.py", "-k", "default or bounds or same or si_ or meaning"),
    (
        Change(
            "a default is in SI",
            "return toml_value(_rounded(np.array(value), UNITS[unit]))",
            "return toml_value(value)",
        ),
        Change("upper bounds are left out", '"le": "<="}', "}"),
        Change("the table's own default is not seen", "else getattr(given, field)", "else info.default"),
    ),
)
MEANINGS = Target(
    "hil/configuration/meanings.py",
    ("tests/hil/configuration/test_reference.py", "-k", "means or up_to_date"),
    (
        Change(
            "a table's parts are not its keys'",
            "return found if found.acts_in else",
            "return found if True else",
        ),
        Change(
            "what a parent says is not heard",
            "for owner in table.__mro__:",
            "for owner in table.__mro__[:1]:",
        ),
    ),
)
SPELLED = Target(
    "hil/configuration/spelled.py",
    ("tests/hil/configuration/test_reference.py", "-k", "check or si_"),
    (
        Change("nothing is marked as a default", "remarks = [] if written else", "remarks = [] if True else"),
        Change(
            "what is absent has a line",
            "elif text := in_file(value, info):",
            "elif (text := in_file(value, info)) or True:",
        ),
    ),
)
KRL = Target(
    "configs/krl/zerog.src",
    ("tests/drivers/fri/test_krl_program.py",),
    (
        Change("command mode begins again by itself", "      HALT\n   ENDLOOP", "   ENDLOOP"),
        Change("nobody asks the client", "($FRI_FRM_INT[1]==ASK_START) AND ", ""),
        Change("a block stays open", "         ENDWHILE\n", ""),
    ),
)
KRL_VALUES = Target(
    "configs/krl/zerog.dat",
    ("tests/drivers/fri/test_krl_program.py",),
    (
        Change("the second joint counts as the interface does", "A2 25.689", "A2 -64.311"),
        Change("another sample time", "CYCLE_MS=2", "CYCLE_MS=5"),
    ),
)
NAMES = Target(
    "hil/wrench/recorded/names.py",
    ("tests/hil/recording/test_wrench_export.py", "-k", "older"),
    (
        Change("units behind numbered heads stop them", ".removesuffix(BOTH_UNITS)", ""),
        Change(
            "a unit that stands there twice hides the time", "if unit and words[-1:] == [unit]:", "if False:"
        ),
    ),
)
READING = Target(
    "hil/wrench/recorded/reading.py",
    ("tests/hil/recording/test_wrench_export.py", "-k", "every_export"),
    (Change("a folder of tables is no recording", "if (path / OWN_TABLE).is_file():", "if False:"),),
)
WARNING = Target(
    "hil/commands/unbounded.py",
    ("tests/hil/configuration/test_reference.py", "tests/hil/commands/test_check.py", "-k", "warn"),
    (
        Change(
            "stops that are not certified pass", "if c.stops.certified != workspace_stamp(c):", "if False:"
        ),
        Change("an arm that stands is warned of", "if not c.run.follow:", "if False:"),
    ),
)
TARGETS = (
    SHAPE, SOLID, CREASES, PICTURES, REFERENCE, MEANINGS, SPELLED, KRL, KRL_VALUES, NAMES, READING, WARNING,
)  # fmt: skip
