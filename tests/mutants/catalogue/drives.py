"""Drives: springs, friction, windings, heat, the step of an arm, the floating base."""

from tests.mutants.mutant import Change, Target

CLOSED = "tests/sim/drives/test_closed_forms.py"
ENERGY = "tests/sim/drives/test_energy.py"
FLOATING = "tests/sim/drives/test_floating.py"
ARM = "tests/sim/drives/test_driven_arm.py"
SLOPES = "tests/sim/drives/test_slopes.py"

SPRING = Target(
    "sim/drives/spring.py",
    ("tests/sim/drives/test_spring.py", CLOSED),
    (
        Change("the sensor is left out of the series", "soft = 1.0 / d.sensor_stiffness", "soft = 0.0"),
        Change("the gap is whole on either side", "x = abs(twist) - 0.5 * d.backlash", "x = abs(twist) - d.backlash"),
        Change("the third line has the second's slope", "d.t2 + k3 * y, k3, 3", "d.t2 + k2 * y, k2, 3"),
        Change("the mean torque is that of the ends", "mean = (stored_1 - stored_0) / way", "mean = 0.5 * (torque_0 + torque_1)"),
        Change("damping acts in the gap", "min(high, half) - max(low, -half)) / (high - low)", "min(high, half) - max(low, -half)) / 1e9"),
    ),
)  # fmt: skip

DRIVE_STEP = Target(
    "sim/drives/drive_step.py",
    (CLOSED, "tests/sim/drives/test_robot_r3.py", ENERGY),
    (
        Change("a motor has no counter-voltage", "driven = coil * s.current + s.voltage_integral - d.torque_constant * mid", "driven = coil * s.current + s.voltage_integral"),
        Change("a standing rotor holds as it slides", "return forwards, backwards, max(forwards, stick + more), max(backwards, stick + more_back)", "return forwards, backwards, forwards, backwards"),
        Change("a rotor that turns round slides on", "if omega > 0.0:\n            return omega, forwards, False", "return omega, forwards, False"),
        Change("the load brakes alike both ways", "(1.0 - d.efficiency) * abs(load)", "(1.0 / d.efficiency - 1.0) * abs(load)"),
        Change("an open brake holds", "if s.brake_timer >= d.brake_closing_time and s.braked != 0 else 0.0", "if s.brake_timer >= 0.0 else 0.0"),
        Change("a brake bites at once", "s.brake_timer >= d.brake_closing_time and", "s.brake_timer >= 0.0 and"),
        Change("the torque that is measured has the other slope", "by_torque = -d.torque_gain * per", "by_torque = d.torque_gain * per", tests=(SLOPES,)),
        Change("the integral takes the end's error whole", "lag = 1.0 + 0.5 * h / d.integral_time", "lag = 1.0 + h / d.integral_time", tests=(f"{CLOSED}::test_a_cascade_follows_its_equations",)),
        Change("heat does not bound the current", "min(limit, d.current_max),", "d.current_max,"),
    ),
)  # fmt: skip

COMMIT = Target(
    "sim/drives/commit.py",
    (CLOSED, ENERGY, "tests/sim/drives/test_end_stop.py"),
    (
        Change("the shaft's friction is no heat", "s.friction_heat += h * (dry * mid + viscous * mid * mid)", "s.friction_heat += h * viscous * mid * mid"),
        Change("the gear's damper is no heat", "s.damper_heat += damper", "s.damper_heat += 0.0"),
        Change("an end stop makes no heat", "s.stop_heat -= s.end_stop * (q - s.q) + stop_energy(d, q) - stop_energy(d, s.q)", "s.stop_heat -= 0.0"),
        Change("the housing keeps its heat", "m11, m12, m22 = cw + a, -a, ch + a + b", "m11, m12, m22 = cw + a, -a, ch + a"),
        Change("the current ends at its middle", "s.current = 2.0 * e.current - s.current", "s.current = e.current"),
    ),
)  # fmt: skip

ARM_STEP = Target(
    "sim/drives/arm_step.py",
    (ENERGY, CLOSED, FLOATING),
    (
        Change("joints move with their speed at the end", "step.q_mid[i] = step.q[i] + 0.5 * h * step.dq_mid[i]", "step.q_mid[i] = step.q[i] + 0.5 * h * (step.dq[i] + h * step.ddq[i])", tests=(f"{CLOSED}::test_a_step_is_the_midpoint_rule",)),
        Change("a joint's friction is no heat", "s.friction_heat += h * (step.dry[i] + step.friction[i, 4] * mid) * mid", "s.friction_heat += 0.0"),
        Change("the satellite's share stays in the force between", "            arm, poses, step.dq_mid", "            chain, poses, step.dq_mid"),
        Change("momenta drift", "keep_momenta(chain, base, step.q, step.dq, step.own)", "pass"),
        Change("what floats is held against a weight", "if not floats:  # what floats has no weight", "if True:"),
    ),
)  # fmt: skip

JOINT_FRICTION = Target(
    "sim/drives/joint_friction.py",
    (CLOSED, "tests/sim/drives/test_robot_r3.py"),
    (
        Change("a joint that turns round slides on", "if case != FREE and case * dq < 0.0:", "if case != FREE and case * dq < -1e9:"),
        Change("a joint stands for ever", "if needed > friction[2]:", "if needed > 1e9 + friction[2]:"),
        Change("the motor's friction is not geared", "out[i, 0] += ratio * forwards", "out[i, 0] += forwards"),
    ),
)  # fmt: skip

BASE = Target(
    "sim/drives/base.py",
    (FLOATING,),
    (
        Change("the moment of momentum is about the base", "add_cross(wanted[3:], base.pose[:3, 3].copy(), wanted[:3].copy(), -1.0)", "pass"),
        Change("a push has no lever", "add_cross(base.momentum[3:], tip, force, h)", "pass"),
    ),
)  # fmt: skip

PARAMETERS = Target(
    "sim/drives/parameters.py",
    (ARM,),
    (
        Change("a bound itself is always allowed", "if bound.equal else value > bound.least", "if True else value > bound.least"),
        Change("no number is allowed", "if not (math.isfinite(value) and above and value <= bound.most):", "if value < bound.least or value > bound.most:"),
    ),
)  # fmt: skip

OF_ASSEMBLY = Target(
    "sim/drives/of_assembly.py",
    ("tests/sim/drives/test_of_assembly.py",),
    (
        Change("a slide's spring is geared once", "(table.stiffness * turns**2).tolist()", "(table.stiffness * turns).tolist()"),
        Change("the gear's friction is taken as the motor's", "gear_table.coulomb * turns / ratio", "gear_table.coulomb * turns"),
        Change("a gear breaks away as it slides", "stick = max(gear_table.stick - gear_table.coulomb, 0.0) * turns / ratio", "stick = 0.0"),
        Change("the joint's torque does not bound the current", "peak = min(peak, axis.effort / (ratio * k * gear.efficiency))", "peak = peak + 0.0"),
    ),
)  # fmt: skip

END_STOP = Target(
    "sim/drives/end_stop.py",
    ("tests/sim/drives/test_end_stop.py",),
    (
        Change("there is one end alone", "1.0 if max(before, after) > d.upper else -1.0", "1.0"),
        Change("the mean torque is that of the ends", "push = 0.5 * k * (last * last - first * first) / way", "push = 0.5 * k * (first + last)"),
        Change("a stop gives all back", "hard = 1.0 + d.stop_damping * way / h", "hard = 1.0"),
        Change("a stop's spring holds double", "return 0.5 * d.stop_stiffness * depth * depth", "return d.stop_stiffness * depth * depth"),
    ),
)  # fmt: skip

ROTORS = Target(
    "sim/drives/rotors.py",
    (FLOATING,),
    (
        Change("a turning carrier feels no spin", "m[0] = spin.rate * a[0] + spin.momentum * (w[1] * a[2] - w[2] * a[1])", "m[0] = spin.rate * a[0]"),
        Change("a rotor does not feel its carrier", "carried[i] = a[0] * alpha[0] + a[1] * alpha[1] + a[2] * alpha[2]", "carried[i] = 0.0"),
        Change("links do not turn carriers", "            w[k] += a[k] * dq[i]", "            w[k] += 0.0"),
        Change("spin has no momentum", "total[k] += spins[i] * axes[i, k]", "total[k] += 0.0"),
        Change("spin has no energy", "total += spins[i] * carriers.axes[i, k] * carriers.turning[i, k]", "total += 0.0"),
        Change("an armature does not react", "return Spin(geared * dq, geared * ddq, geared * order.carried, geared, 0.0)", "return Spin(geared * dq, 0.0, geared * order.carried, geared, 0.0)"),
    ),
)  # fmt: skip

TARGETS = (
    SPRING, DRIVE_STEP, COMMIT, ARM_STEP, JOINT_FRICTION, BASE, PARAMETERS, OF_ASSEMBLY, END_STOP, ROTORS,
)  # fmt: skip
