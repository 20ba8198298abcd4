"""The robot that pushes parts: contacts in hand, drives in its equations, motors at their limits, its path."""

from tests.mutants.mutant import Change, Target

STEP = ("tests/sim/insertion/test_contact_step.py",)
MOTORS_TESTS = ("tests/sim/insertion/test_motors.py",)
ROBOT = ("tests/sim/insertion/test_robot.py",)

ROBOT_STEP = Target(
    "sim/insertion/robot_step.py",
    STEP,
    (
        Change("a moment turns the other way", "moment = r[a] * d[b] - r[b] * d[a]", "moment = r[b] * d[a] - r[a] * d[b]"),
        Change("contacts push on the tip alone", "J[i, j] * d[i] + J[3 + i, j] * moment", "J[i, j] * d[i]"),
        Change("arms are those of the base", "r[i] = hole[i, 3] - T[i, 3]", "r[i] = hole[i, 3]"),
        Change("normals stand in the hole's axes", "out[0, i] += hole[i, k] * own[k]", "out[0, i] += hole[k, i] * own[k]"),
        Change("a tangent is not of unit length", "* own[a] - hole[i, a] * own[b]) / size", "* own[a] - hole[i, a] * own[b])"),
        Change("all contacts are planar", "near, 3 if pair.across < 0 else 2", "near, 2"),
        Change("friction is half of Coulomb's", "np.full(count, pair.mu)", "np.full(count, 0.5 * pair.mu)"),
        Change("stiff parts bounce", "gaps, mu, np.zeros(gaps.shape[0]), h", "gaps, mu, np.ones(gaps.shape[0]), h"),
        Change("impulses are told as forces", "forces[c, k] = room.p[dim * c + k] / h", "forces[c, k] = room.p[dim * c + k]"),
        Change("moments are about the hole", "0.0, out.points[row, i] - out.T[i, 3]", "0.0, out.points[row, i]"),
        Change("loads are told in the base", "hole[k, i] * axes[c, column, k]", "hole[i, k] * axes[c, column, k]"),
        Change("a damper pushes what leaves", "pair.stiffness * gap - pair.damping * approach", "pair.stiffness * gap + pair.damping * approach"),
        Change("a damper pulls", "if gap >= 0.0 or normal <= 0.0:", "if gap >= 0.0:"),
        Change("slip is not squared", "pair.slip**2, W.shape[1]", "pair.slip, W.shape[1]"),
        Change("a spring begins at the path", "pair.stiffness * W[i, 0] * (along - gap)", "pair.stiffness * W[i, 0] * -gap"),
        Change("friction of springs is their whole force", "drag = pair.mu * normal", "drag = normal"),
        Change("a law's damper counts twice", "law.by_q[i, j] * q[j] + law.by_v[i, j] * V[j]", "law.by_q[i, j] * q[j]"),
        Change("a law's stiffness drives", "now.Q[i, j] -= law.by_q[i, j]", "now.Q[i, j] += law.by_q[i, j]"),
        Change("what is no number goes on", "if not abs(speed) < FASTEST:", "if abs(speed) > FASTEST:"),
        Change("a step whose motors fit no limits goes on", "    status = UNSETTLED\n", "    status = GOING\n", tests=MOTORS_TESTS),
        Change("the path's way counts as deviation", "q[i] = room.q[i] - advanced[i]", "q[i] = room.q[i]"),
    ),
)  # fmt: skip

INSTANT = Target(
    "sim/insertion/instant.py",
    STEP,
    (
        Change("nodes are taken the wrong way round", "M[i, j] = (1.0 - x) * nominal.M[node, i, j] + x * nominal.M[node + 1, i, j]", "M[i, j] = x * nominal.M[node, i, j] + (1.0 - x) * nominal.M[node + 1, i, j]"),
        Change("a turn is in the tip's axes", "T[i, j] += turn[i, k] * nominal.T_begin[k, j]", "T[i, j] += nominal.T_begin[i, k] * turn[k, j]"),
        Change("the controller is not told the rate", "(nominal.P[i, j] + h * Q[i, j]) * v_nominal[j]", "h * Q[i, j] * v_nominal[j]"),
        Change("weight pulls up", "force[m + i] += held[i] - needed[i]", "force[m + i] += needed[i] - held[i]"),
        Change("velocities make no forces", "bias(robot.chain, joints, V[m:].copy(), robot.gravity)", "bias(robot.chain, joints, np.zeros(n), robot.gravity)"),
        Change("the tip stays on its path", "T[i, 3] += way * nominal.direction[i] + moved[i]", "T[i, 3] += way * nominal.direction[i]"),
    ),
)  # fmt: skip

ELASTIC_DYNAMICS = Target(
    "sim/insertion/elastic_dynamics.py",
    (*ROBOT, *MOTORS_TESTS),
    (
        Change("rotors sit on links", "at = robot.motors[i] if robot.motors[i] >= 0 else m + i\n        M[at, at]", "at = m + i\n        M[at, at]"),
        Change("a gear pushes motor and arm apart", "                A[at, link] -= value\n                A[link, at] -= value", "                A[at, link] += value\n                A[link, at] += value"),
        Change("the controller's damper is on the arm", "P[at, at] += robot.kd[i]", "P[link, link] += robot.kd[i]"),
        Change("motors rub on the arm", "P[at, at] += robot.motor_viscous[i]", "P[link, link] += robot.motor_viscous[i]"),
        Change("a bent spring is straight where it is", "more = slope - robot.stiffness[i]", "more = 0.0"),
        Change("what a bent spring holds at rest counts", "slope * away - (torque - torque_of(robot.drives[i], rest)[0])", "slope * away - torque"),
        Change("flanks that are apart damp", "if line == 0 else 0.0", "if line == 9 else 0.0"),
        Change("motors are behind what they hold", "straight = torques[i] / robot.stiffness[i]", "straight = -torques[i] / robot.stiffness[i]"),
    ),
)  # fmt: skip

MOTORS = Target(
    "sim/insertion/motors.py",
    MOTORS_TESTS,
    (
        Change("the weight does not count at a limit", "asked = now.held[k] - robot.kp[k]", "asked = -robot.kp[k]"),
        Change("a motor at its limit is not held there", "if abs(asked) > robot.limits[k]:", "if abs(asked) > 2.0 * robot.limits[k]:"),
        Change("backwards there is no limit", "if abs(asked) > robot.limits[k]:", "if asked > robot.limits[k]:"),
        Change("a motor holds its limit and the weight", "robot.limits[k] - now.held[k])", "robot.limits[k])"),
        Change("integrals go on at a limit", "            torques[k] = motors.held[k] * robot.limits[k]\n        else:\n            torques[k] = motors.asked[k]\n            motors", "            torques[k] = motors.held[k] * robot.limits[k]\n        if True:\n            torques[k] = motors.asked[k]\n            motors"),
        Change("integrals are of degrees a step", "motors.integral[k] += h * q[", "motors.integral[k] += q["),
        Change("a held motor keeps its spring", "now.Q[at, at] += sign * spring", "now.Q[at, at] += 0.0 * spring"),
        Change("an integral acts a step late", "now.Q[at, at] += h * robot.ki[k]", "now.Q[at, at] += 0.0 * robot.ki[k]"),
    ),
)  # fmt: skip

JOINT_DRIVES = Target(
    "sim/insertion/joint_drives.py",
    MOTORS_TESTS,
    (
        Change("rotors count by the ratio", "rotor_inertia * drive.gear.ratio**2", "rotor_inertia * abs(drive.gear.ratio)"),
        Change("gears lose nothing", "drive.motor.torque_constant * drive.gear.efficiency", "drive.motor.torque_constant"),
        Change("a sensor makes a gear stiffer", "1.0 / (1.0 / stiffness + 1.0 / sensor.stiffness)", "stiffness + sensor.stiffness"),
        Change("gears are on their first line", 'np.searchsorted(gear.torque_limits, abs(torque), side="right")', "0"),
        Change("a cascade has no P of its integral", "damper * control.position_gain + again, damper", "damper * control.position_gain, damper"),
        Change("frequencies are rates", "rates = 2.0 * np.pi * np.asarray", "rates = np.asarray"),
    ),
)  # fmt: skip

PATHS = Target(
    "sim/insertion/reach.py",
    ROBOT,
    (
        Change("motors do not lead their sag", "np.hstack([joints[:, elastic] + sag, joints])", "np.hstack([joints[:, elastic], joints])"),
        Change("a path may leave the joints' range", "(left > 1e-8 or not inside)", "left > 1e-8"),
        Change("between nodes the path is a broken line", "- x**2 * (1.0 - x) * slope[node + 1]", "+ x**2 * (1.0 - x) * slope[node + 1]"),
    ),
)  # fmt: skip

PLANE = Target(
    "sim/insertion/plane.py",
    STEP,
    (
        Change("inertia tells the sides", "0.5 * (nominal.M + sides[:, None] * nominal.M * sides)", "nominal.M"),
        Change("a plane has no turn", "kept[3 + across] = 1.0", "kept[3 + across] = 0.0"),
    ),
)  # fmt: skip

TARGETS = (ROBOT_STEP, INSTANT, ELASTIC_DYNAMICS, MOTORS, JOINT_DRIVES, PATHS, PLANE)
