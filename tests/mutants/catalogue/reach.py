"""The arm's reach: its kinematics, both ways, and the set of poses that is certified."""

from tests.mutants.mutant import Change, Target

KINEMATICS = ("tests/planner/kinematics/test_inverse.py", "tests/planner/kinematics/test_kinematics.py")

ANY_ARM = ("tests/planner/kinematics/test_any_arm.py",)
ANY_ARM_IN_PHYSICS = ("tests/hil/loop/test_any_arm.py", "-k", "physics_engine")
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
        Change(
            "the chain's point is turned by nothing",
            "    compose_into(point, poses[tip], T_flange_point)\n",
            "    point[:] = poses[tip]\n    point[:3, 3] += T_flange_point[:3, 3]\n",
            tests=ANY_ARM_IN_PHYSICS,
        ),
        Change(
            "a chain's flange is where the closed form has it",
            "        return tip_pose(arm, q)\n",
            "        pass\n",
            tests=ANY_ARM_IN_PHYSICS,
        ),
        Change(
            "a chain moves as the closed form does",
            "        return _jacobian_of_chain(arm, q, T_flange_point)\n",
            "        pass\n",
            tests=ANY_ARM_IN_PHYSICS,
        ),
    ),
)

CHAIN = Target(
    "sim/chain/kinematics.py",
    ANY_ARM_IN_PHYSICS,
    (
        Change(
            "joints sit on each other",
            "        compose_into(placed, poses[i], chain.placements[i])\n",
            "        placed[:] = poses[i]\n",
        ),
        Change(
            "the tip is the last link",
            "    compose_into(poses[n + 1], poses[n], chain.T_last_tip)\n",
            "    poses[n + 1] = poses[n]\n",
        ),
        Change(
            "every joint turns about its frame's z",
            "J[3, i], J[4, i], J[5, i] = ax, ay, az",
            "J[3, i], J[4, i], J[5, i] = poses[i + 1, 0, 2], poses[i + 1, 1, 2], poses[i + 1, 2, 2]",
        ),
        Change(
            "the lever is the joint's before",
            "rx = poses[n + 1, 0, 3] - poses[i + 1, 0, 3]",
            "rx = poses[n + 1, 0, 3] - poses[i, 0, 3]",
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
        Change(
            "a radius is taken for a diameter",
            'along, radius = 2, float(numbers(solid.get("radius"), "0", where)[0])',
            'along, radius = 2, 0.5 * float(numbers(solid.get("radius"), "0", where)[0])',
        ),
        Change(
            "a cylinder is twice as long",
            'half = 0.5 * float(numbers(solid.get("length")',
            'half = 1.0 * float(numbers(solid.get("length")',
        ),
        Change(
            "a box is as thin as its face",
            "0.5 * float(np.linalg.norm(np.delete(size, along)))",
            "0.5 * float(np.delete(size, along).max())",
        ),
        Change(
            "a solid is on the link before",
            "capsule for capsule in own if capsule is not None",
            "Capsule(c.name, max(0, c.link - 1), c.start, c.end, c.radius) for c in own if c is not None",
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
            "(grid.arm.lower, grid.arm.upper),",
            "(model.lower, model.upper),",
            equivalent="a joint that a limit holds back from where it would settle takes part in the self-motion; "
            "moved along to that side it breaks the limit, so there is no certificate either way",
        ),
        Change(
            "a twisted arm may settle anywhere",
            "        return found.q, self._twisted_aside(found.q)\n",
            '        return found.q, ""\n',
        ),
        Change(
            "a passive chain settles too",
            'if configuration.planner.inverse != "lagrange":',
            "if False:",
        ),
    ),
)

STAMP = Target(
    "hil/configuration/workspace_stamp.py",
    ("tests/planner/workspace/test_resting.py", "-k", "fingerprint"),
    (
        Change("without branches nothing more counts", 'if c.planner.inverse == "branches":', "if True:"),
        Change(
            "any branch is certified",
            "bytes(family_of(c.robot.start) if family is None else family)",
            "bytes(3)",
            tests=("tests/hil/loop/test_posture.py", "-k", "start_pose"),
        ),
        Change(
            "the certificate's branch is never known",
            "        if c.stops.certified == workspace_stamp(c, family):\n            return family\n",
            "        pass\n",
            tests=("tests/hil/loop/test_posture.py", "-k", "start_pose"),
        ),
        Change("any inverse kinematics will do", "c.planner.inverse.encode() + ", ""),
        Change("the start pose counts with branches", 'if c.planner.inverse == "branches":', "if False:"),
        Change(
            "any link will do",
            "hashlib.sha256(read_arm(c.robot.model).stamped)",
            "hashlib.sha256(c.robot.model.name.encode())",
            tests=("tests/hil/loop/test_any_arm.py", "-k", "one_digit"),
        ),
    ),
)

COMMAND = Target(
    "hil/commands/workspace.py",
    ("tests/planner/workspace/test_workspace_command.py", "-k", "without_branches"),
    (
        Change(
            "another branch than the start pose's is certified",
            "if isinstance(found, Certificate) and found.dense.branch != own_branch(",
            "if False and own_branch(",
            tests=("tests/planner/workspace/test_workspace_command.py", "-k", "start_poses"),
        ),
        Change(
            "the arm alone tells what is certified",
            "certify if configuration.planner.inverse == BRANCHES else",
            "certify if not model.open_form else",
        ),
        Change(
            "branches of any arm",
            "    check_inverse(model, configuration.planner.inverse, configuration.robot.model.name)\n",
            "",
        ),
    ),
)

TARGETS = (INVERSE, FORWARD, CHAIN, PSEUDO, SET, ARM, BODIES, RESTING, STAMP, COMMAND)
