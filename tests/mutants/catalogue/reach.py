"""The arm's reach: its kinematics, both ways, and the set of poses that is certified."""

from tests.mutants.mutant import Change, Target

KINEMATICS = ("tests/planner/kinematics/test_inverse.py", "tests/planner/kinematics/test_kinematics.py")

INVERSE = Target(
    "planner/kinematics/inverse.py",
    KINEMATICS,
    (
        Change(
            "the hand's length is left out",
            "z = T[2, 3] - hand * T[2, 2] - lengths[0]",
            "z = T[2, 3] - lengths[0]",
        ),
        Change("a pose out of reach is solved", "    if stretch < -STRETCH_ROUNDING or fold", "    if fold"),
        Change(
            "the shoulder's flip leaves a3",
            "_opposite(a[2]) if turn_1 != elbow else a[2]",
            "_opposite(a[2]) if elbow else a[2]",
        ),
        Change("the wrist's flip leaves a7", "_opposite(a[6]) if turn_7 else a[6]", "a[6]"),
        Change(
            "at a straight wrist the flip turns the joints",
            "turn_7 = wrist and not singular[1]",
            "turn_7 = wrist",
        ),
        Change(
            "a joint's sign is not taken",
            "q[3] = signs[3] * (-a[3] if elbow else a[3])",
            "q[3] = -a[3] if elbow else a[3]",
        ),
        Change(
            "the arm angle turns the other way",
            "dx = cp * frame[1, 0] + sp * frame[2, 0]",
            "dx = cp * frame[1, 0] - sp * frame[2, 0]",
        ),
    ),
)

ANY_ARM = ("tests/planner/kinematics/test_any_arm.py",)
FORWARD = Target(
    "planner/kinematics/forward.py",
    KINEMATICS,
    (
        Change("a joint turns the other way", "R[i, second] = c * b - s * a", "R[i, second] = c * b + s * a"),
        Change(
            "the point's lever is left out",
            "p[i] += R[i, k] * T_flange_point[k, 3]",
            "p[i] += 0.0 * T_flange_point[k, 3]",
        ),
        Change(
            "the Jacobian's signs are not taken",
            "axes[j, i] = signs[j] * R[i, column]",
            "axes[j, i] = R[i, column]",
        ),
        Change(
            "a row of the Jacobian has the other sign",
            "J[1, j] = axes[j, 2] * x - axes[j, 0] * z",
            "J[1, j] = axes[j, 0] * z - axes[j, 2] * x",
        ),
        Change(
            "the chain's point stays at the flange",
            "    poses[tip] = point\n",
            "    poses[tip] = poses[tip]\n",
            tests=ANY_ARM,
        ),
    ),
)

PSEUDO = Target(
    "planner/kinematics/pseudo_inverse.py",
    ("tests/planner/kinematics/test_pseudo_inverse.py",),
    (
        Change(
            "joints are not weighed",
            "total += J[i, m] * velocity[m] * velocity[m] * J[j, m]",
            "total += J[i, m] * J[j, m]",
        ),
        Change("it is damped a thousandfold", "DAMPING = 1e-6", "DAMPING = 1e-3"),
        Change(
            "the back substitution is left out", "            x[i] -= M[m, i] * x[m]\n", "            pass\n"
        ),
    ),
)

SET = Target(
    "planner/workspace/set_geometry.py",
    ("tests/planner/workspace/test_workspace_set.py",),
    (
        Change(
            "swing and twist are the other way round",
            "quat_multiply(swung, twisted)",
            "quat_multiply(twisted, swung)",
        ),
        Change(
            "a spring leaves the speed as it is",
            "return math.sqrt(max(0.0, 1.0 - taken)), min(1.0, spin)",
            "return 1.0, min(1.0, spin)",
        ),
    ),
)

ARM = Target(
    "planner/kinematics/arm_model.py",
    ANY_ARM,
    (
        Change("branches of any arm", "if inverse == BRANCHES and model.open_form:", "if False:"),
        Change("positions that the wire cannot tell count", "WIRE_RANGE = 4.0", "WIRE_RANGE = 8.0"),
    ),
)

BODIES = Target(
    "planner/kinematics/arm_bodies.py",
    ANY_ARM,
    (
        Change(
            "a solid's capsule is half as long",
            "lever = half * T[:3, along]",
            "lever = 0.5 * half * T[:3, along]",
        ),
        Change(
            "a box is as thin as its edge",
            "float(np.linalg.norm(np.delete(size, along)))",
            "float(size.min())",
        ),
    ),
)

RESTING = Target(
    "planner/workspace/resting.py",
    ("tests/planner/workspace/test_resting.py",),
    (
        Change("the mock-up may touch the arm", "if clear and min(clear) < 0.0:", "if False:"),
        Change(
            "any speed is allowed",
            "return speed_factor(rates, share",
            "return speed_factor(0.1 * rates, share",
        ),
        Change(
            "twist takes nothing of A7",
            "grid.arm.lower, grid.arm.upper, weights",
            "model.lower, model.upper, weights",
        ),
    ),
)

TARGETS = (INVERSE, FORWARD, PSEUDO, SET, ARM, BODIES, RESTING)
