"""The planner: branch program, paths, pace, accelerations, bounces; the arm's kinematics; the certified set."""

from tests.mutants.mutant import Change, Target

PLANNER = ("tests/planner/branches/test_path_planner.py",)
BOUNCING = ("tests/planner/branches/test_path_planner.py::test_predicted_bounces_are_smoothed_in_time",)
ANEW = ("tests/planner/branches/test_floating_anew.py",)
CHOICE_TESTS = ("tests/planner/branches/test_path_choice.py",)
PROGRAM_TESTS = ("tests/planner/branches/test_dynamic_program.py",)
PATH_TESTS = ("tests/planner/branches/test_joint_path.py",)
TOO_FAST = (
    "a flip turns the joint to its other side, by |q| + |q'| >= |q|: where |q| is beyond velocity * dt, step_cost "
    "finds the same step beyond the speed limit; the line only saves a fifth of a plan's time"
)
KINEMATICS = ("tests/planner/kinematics/test_inverse.py", "tests/planner/kinematics/test_kinematics.py")

PROGRAM = Target(
    "planner/branches/dynamic_program.py",
    PROGRAM_TESTS,
    (
        Change("speed limits are not kept", "    if largest > 1.0:\n        return INFINITE\n", ""),
        Change(
            "steps are weighed without the speeds",
            "d = abs(b[j] - a[j]) / (velocity[j] * dt)",
            "d = abs(b[j] - a[j]) / (velocity[0] * dt)",
        ),
        Change(
            "nearness to the upper limit costs nothing",
            "min(q[j] - lower[j], upper[j] - q[j])",
            "q[j] - lower[j]",
        ),
        Change(
            "a branch changes at a bent wrist",
            "return not (flip & WRIST and abs(q[5]) > velocity[5] * dt)",
            "return True",
            equivalent=TOO_FAST,
        ),
        Change(
            "a branch changes at a bent shoulder",
            "    if flip & SHOULDER and abs(q[1]) > velocity[1] * dt:\n        return False\n",
            "",
            equivalent=TOO_FAST,
        ),
        Change(
            "a branch never changes at a straight wrist",
            "return not (flip & WRIST and abs(q[5]) > velocity[5] * dt)",
            "return not flip & WRIST",
        ),
        Change("long steps are not checked halfway", "    if cost > CHECK_HALFWAY:", "    if False:"),
        Change(
            "halfway limits are not looked at",
            "        if not bounds.lower[j] <= q[j] <= bounds.upper[j]:\n            return False\n",
            "",
        ),
        Change(
            "the greedy bound cuts the greedy path itself",
            "bound = greedy * (1.0 + 1e-9) + 1e-12",
            "bound = greedy * 0.9",
        ),
        Change(
            "costs forget the way so far",
            "work.cost[k, target, b] = base + cost",
            "work.cost[k, target, b] = cost",
        ),
        Change(
            "the node's cost is left out",
            "    return cost + work.node[k, j % m, branch]\n",
            "    return cost\n",
        ),
        Change(
            "nodes of the last program are kept",
            "            work.solved[k, j] = False\n",
            "            pass\n",
        ),
        Change(
            "the grid of arm angles begins at zero",
            "angle = start.arm_angle + j * (2.0 * math.pi / m)\n        work",
            "angle = j * (2.0 * math.pi / m)\n        work",
        ),
        Change("arm angles go the long way round", "(moved + m // 2) % m - m // 2", "moved % m"),
        Change(
            "traced back to the dearest end",
            "if work.cost[reached - 1, i, b] < cost:",
            "if work.cost[reached - 1, i, b] < INFINITE:",
        ),
        Change(
            "the window is one-sided",
            "    for moved in range(-window, window + 1):\n        target = (j + moved) % m\n        _solve_node(work, bounds, T, k, target, near, a)\n        for flip in FLIPS:\n            b =",
            "    for moved in range(0, window + 1):\n        target = (j + moved) % m\n        _solve_node(work, bounds, T, k, target, near, a)\n        for flip in FLIPS:\n            b =",
        ),
    ),
)

JOINT_PATH = Target(
    "planner/branches/joint_path.py",
    PATH_TESTS,
    (
        Change(
            "the flange's velocity lacks the turning",
            "twist_base_flange[i, 0] = v[0] + w[1] * z - w[2] * y",
            "twist_base_flange[i, 0] = v[0]",
        ),
        Change(
            "the lever has the other sign",
            "twist_base_flange[i, 1] = v[1] + w[2] * x - w[0] * z",
            "twist_base_flange[i, 1] = v[1] - w[2] * x + w[0] * z",
        ),
        Change(
            "velocities stay in world axes",
            "v = R_base_world @ twist_world_object[i, :3]",
            "v = twist_world_object[i, :3].copy()",
        ),
        Change(
            "position limits are not kept",
            "        if not bounds.lower[j] <= q[j] <= bounds.upper[j]:\n            return LIMIT\n",
            "        pass\n",
        ),
        Change(
            "speeds are not kept",
            "        if abs(q[j] - q_before[j]) > bounds.velocity[j] * step:",
            "        if False:",
            tests=(*PATH_TESTS, *PLANNER),
        ),
        Change(
            "a pose out of reach is followed",
            "        if not reached:\n            return i, REACH\n",
            "",
            tests=(*PATH_TESTS, *PLANNER),
        ),
        Change(
            "joint speeds are one-sided", "dq[j] = change / (2.0 * DIFFERENCE)", "dq[j] = change / DIFFERENCE"
        ),
        Change(
            "joint speeds jump over a turn",
            "        change -= 2.0 * math.pi * round(change / (2.0 * math.pi))\n",
            "",
        ),
        Change("accelerations reach over a bounce", "left = i > 0 and not breaks[i - 1]", "left = i > 0"),
        Change(
            "accelerations are of second order",
            "ddq[i, j] = 2.0 * curve / step**2 - (dq[i + 1, j] - dq[i - 1, j]) / (2.0 * step)",
            "ddq[i, j] = curve / step**2",
        ),
        Change(
            "the end's acceleration has a wrong weight",
            "(8.0 * near + 3.5 * far - speeds) / h",
            "(8.0 * near + 3.0 * far - speeds) / h",
        ),
        Change(
            "the cubic's acceleration has a wrong sign",
            "(6.0 * near - 4.0 * dq[i, j] - 2.0 * dq[i + side, j]) / h",
            "(6.0 * near - 4.0 * dq[i, j] + 2.0 * dq[i + side, j]) / h",
        ),
        Change(
            "the branch never crosses a straight joint",
            "        if _farthest(other, q_before) < distance:\n",
            "        if False:\n",
        ),
        Change(
            "poses are carried from the node before",
            "i = min(max(round((instants[k] - s_0) / step), 0), T.shape[0] - 1)",
            "i = min(max(int((instants[k] - s_0) / step), 0), T.shape[0] - 1)",
            equivalent="constant twist over less than a whole step, instead of less than half of one: both are within the order of the "
            "method, and in flight, where the twist is constant, the same",
        ),
    ),
)

BRANCH_PLANNER = Target(
    "planner/branches/path_planner.py",
    PLANNER,
    (
        Change(
            "another epoch goes on with the last path",
            "return epoch == self.epoch and self.task.s_0",
            "return self.task.s_0",
        ),
        Change(
            "a gap in object time goes on with the last path",
            " <= s <= self.task.s_end",
            " <= s",
            tests=ANEW,
        ),
        Change(
            "object time that goes back goes on with the last path",
            "self.task.s_0 - 1e-9 <= s <= self.task.s_end",
            "s <= self.task.s_end",
            tests=ANEW,
        ),
        Change(
            "the commanded joints are asked for always",
            "if reference is not None and reference.covers(prediction.epoch, s_0):",
            "if False:",
        ),
        Change(
            "the margin to position limits is not kept",
            "self._bounds = bounds_within(model, speed, settings.limit_margin)",
            "self._bounds = bounds_within(model, speed, 0.0)",
        ),
        Change(
            "the full speeds are planned",
            "speed = settings.speed_fraction * np.asarray(configuration.limits.velocity)",
            "speed = np.asarray(configuration.limits.velocity)",
        ),
        Change(
            "the pace of the last floating is kept",
            "self._bounces, self._jumps, self._policy = np.empty(0), np.empty((0, 7)), Policy()",
            "self._bounces, self._jumps = np.empty(0), np.empty((0, 7))",
            tests=ANEW,
        ),
        Change(
            "bounces of the last floating are kept",
            "self._bounces, self._jumps, self._policy = np.empty(0), np.empty((0, 7)), Policy()",
            "self._policy = Policy()",
            tests=ANEW,
        ),
        Change(
            "bounces just passed are forgotten",
            "passed = (self._bounces < task.s_0) & (self._bounces > task.s_0 - REACH)",
            "passed = np.zeros(len(self._bounces), bool)",
        ),
        Change(
            "bounces are not smoothed",
            "        smooth_bounces(q[:count], dq[:count], ddq[:count], task.s_0, task.step, self._bounces, self._jumps)\n",
            "",
            tests=BOUNCING,
        ),
        Change(
            "the slices are not named",
            "            slices=prediction.slices,\n            policy",
            "            slices=prediction.slices[:0],\n            policy",
        ),
        Change(
            "the horizon is the prediction's",
            "n = min(len(prediction.p_world_object), 1 +",
            "n = max(len(prediction.p_world_object), 1 +",
        ),
        Change(
            "the path goes on in the wrong place behind its end",
            "        q[count:] = q[count - 1]\n",
            "        q[count:] = 0.0\n",
        ),
        Change(
            "the depth is one pose too deep",
            "depth = max(path.count - 1, 0) * task.step",
            "depth = path.count * task.step",
        ),
        Change(
            "the mount is left out",
            "self._T_base_world = transform_inverse(np.ascontiguousarray(frames.T_world_base))",
            "self._T_base_world = np.eye(4)",
        ),
    ),
)

CHOICE = Target(
    "planner/branches/path_choice.py",
    CHOICE_TESTS,
    (
        Change(
            "the jump of speeds has the other sign",
            "        return behind - before\n",
            "        return before - behind\n",
            tests=BOUNCING,
        ),
        Change("any cheaper path is taken", "CLEARLY_CHEAPER = 0.8", "CLEARLY_CHEAPER = 1.0"),
        Change(
            "what is committed is replanned",
            "committed = math.floor((task.s_0 + self._committed) / self._knot + ROUNDING) + 2",
            "committed = math.floor(task.s_0 / self._knot + ROUNDING) + 2",
        ),
        Change(
            "the path is not smoothed",
            "        control[:end] = smoothed(control[:end], fixed)\n",
            "        pass\n",
        ),
        Change(
            "a shallower path is taken",
            "return other if gained >= DEEPER or reaches_end else path",
            "return other",
        ),
        Change(
            "nothing deeper is looked for",
            "return other if gained >= DEEPER or reaches_end else path",
            "return path",
            tests=PLANNER,
        ),
        Change(
            "control points are not moved on",
            "index = np.clip(np.arange(self._size) + first - path.first, 0, self._size - 1)",
            "index = np.arange(self._size)",
            tests=PLANNER,
        ),
        Change(
            "from rest the arm angle may not leave",
            "        if task.at_rest:\n            best = self._from_rest(task, best)\n",
            "",
        ),
        Change(
            "from rest the arm angle jumps",
            "        control[1] += missing / arm_angle_at(np.eye(self._size)[1], first, self._knot, task.s_0)\n",
            "",
        ),
    ),
)

POLICY = Target(
    "planner/branches/policy.py",
    ("tests/planner/branches/test_policy.py",),
    (
        Change("a hold flickers", "(self._held and depth >= DEPTH_TO_LEAVE_HOLD)", "self._held"),
        Change(
            "a hold never ends",
            "if horizon_reached or (self._held and depth >= DEPTH_TO_LEAVE_HOLD):",
            "if horizon_reached:",
        ),
        Change("time creeps up to the exit", "LEAST_RATE = 0.08", "LEAST_RATE = 0.0"),
        Change(
            "time runs up to the exit",
            "(depth - DEPTH_OF_HOLD) / (DEPTH_OF_RUN - DEPTH_OF_HOLD)",
            "depth / DEPTH_OF_RUN",
        ),
        Change(
            "a free horizon slows",
            "rate = 1.0 if horizon_reached else rate_at(depth)",
            "rate = rate_at(depth)",
        ),
    ),
)

SPLINE = Target(
    "planner/branches/arm_angle_path.py",
    ("tests/planner/branches/test_arm_angle_path.py",),
    (
        Change(
            "a wrong weight of the spline",
            "(4.0 - 6.0 * u * u + 3.0 * u * u * u) * b",
            "(4.0 - 6.0 * u * u + 2.0 * u * u * u) * b",
        ),
        Change("the spline begins a knot late", "x = s / knot - first", "x = s / knot - first - 1"),
        Change(
            "fixed points are moved",
            "np.concatenate((control[:fixed], bent))",
            "np.concatenate((1.001 * control[:fixed], bent))",
        ),
        Change(
            "fixed points do not hold the free ones",
            "                    right[row] -= product * control[column + fixed]\n",
            "                    pass\n",
        ),
    ),
)

SMOOTHING = Target(
    "planner/branches/bounce_smoothing.py",
    ("tests/planner/branches/test_bounce_smoothing.py",),
    (
        Change(
            "the smoothing's slope has one sign",
            "return g, slope if u > 0.0 else -slope, curve",
            "return g, slope, curve",
        ),
        Change(
            "the plateau is left out",
            "outer, inner = REACH - x, max(0.0, 0.5 * (LONG - SHORT) - x)",
            "outer, inner = REACH - x, 0.0",
        ),
        Change(
            "two bounces of an interval count as one of them",
            "float(np.mean(bounces[nodes == node]))",
            "float(bounces[nodes == node][0])",
        ),
        Change(
            "bounces before the plan break its end",
            "holds[nodes[(nodes >= 0) & (nodes < count)]] = True",
            "holds[nodes[nodes < count]] = True",
        ),
    ),
)

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
ANY_ARM_IN_PHYSICS = ("tests/hil/loop/test_any_arm.py", "-k", "physics_engine")
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
    ("tests/planner/workspace/test_workspace_set.py", "tests/sim/world/test_stops.py"),
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
        Change("without branches nothing more counts", 'if c.planner.inverse != "branches":', "if False:"),
        Change("any inverse kinematics will do", "c.planner.inverse.encode() + ", ""),
        Change("the start pose counts with branches", 'if c.planner.inverse != "branches":', "if True:"),
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
            "the arm alone tells what is certified",
            "certify if configuration.planner.inverse == BRANCHES else",
            "certify if not model.open_form else",
        ),
        Change(
            "branches of any arm",
            "    check_inverse(model, configuration.planner.inverse)\n",
            "",
        ),
    ),
)
TARGETS = (
    PROGRAM,
    JOINT_PATH,
    BRANCH_PLANNER,
    CHOICE,
    POLICY,
    SPLINE,
    SMOOTHING,
    INVERSE,
    FORWARD,
    ARM,
    BODIES,
    RESTING,
    CHAIN,
    PSEUDO,
    SET,
    STAMP,
    COMMAND,
)
