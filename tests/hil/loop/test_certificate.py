"""The certificate behind the planner: no plan carries the object out of the certified set, or too fast."""

import dataclasses
import math
from pathlib import Path

import numpy as np
import pytest

from bench.fidelity import changed
from hil.common.arrays import Array
from hil.configuration import Configuration, load_configuration
from hil.configuration.frames import Frames
from hil.loop.driver.certificate import FOUND_LATE, PLAN_ERROR, Certificate, lateness
from hil.loop.driver.certified_motion import ASKED, COMMANDED, PLANNED
from hil.loop.judging.held_pose import HeldPose
from hil.loop.judging.outside_set import outside_set, place_of
from hil.loop.judging.state_machine import State
from hil.loop.lockstep import LockStep
from planner.following.interpolator import JointCommand
from planner.following.lead import LEAD_RATE
from planner.kinematics.arm_model import load_arm_model
from planner.workspace.set_geometry import WorkspaceSet
from tests.hil.loop.driven import Driven

CONFIGS = Path(__file__).resolve().parents[3] / "configs"
DT = 0.002
STILL = np.zeros(7)
STEP = 1e-6  # [rad] of a joint, for differences
LEAD = 0.012
OFF = 1e-6  # share of a bound by which values lie beside it
REAL = load_configuration(CONFIGS / "lwr_fri.toml")


def certificate(c: Configuration) -> Certificate:
    """The certificate of a configuration's arm."""
    return Certificate(c, load_arm_model(c.robot.model))


def step_of(q: Array, **changes) -> JointCommand:
    """A command that stands at `q` and follows a plan that does."""
    plain = JointCommand(
        q=q, dq=STILL, ddq=STILL, elapsed=DT, planned=np.array([q, STILL]), wanted=STILL, following=True,
        reason="", fault="",
    )  # fmt: skip
    return dataclasses.replace(plain, **changes)


def judged(c: Configuration, q: Array, before: Array | None = None, dq: Array = STILL, **changes) -> str:
    """What the certificate objects to a command at `q`."""
    return certificate(c).objection(q if before is None else before, dq, step_of(q, **changes), LEAD)


def motion(c: Configuration, q: Array, dq: Array) -> tuple[float, float]:
    """Speed [m/s] and spin [rad/s] of the held object by differences of its pose, in plain Python."""
    held = HeldPose(c)
    (p, a), (p_next, b) = held.at(q - STEP * dq), held.at(q + STEP * dq)
    turned = 2.0 * math.asin(min(1.0, min(np.linalg.norm(a - b), np.linalg.norm(a + b)) / 2.0)) * 2.0
    return float(np.linalg.norm(p_next - p)) / (2.0 * STEP), turned / (2.0 * STEP)


def allowed(c: Configuration, what: int) -> tuple[Array, Array]:
    """Bounds of place and speed for what is judged, at the look-ahead of these tests."""
    bounds = certificate(c).bounds
    places, speeds = bounds.places[:, what], bounds.speeds[:, what]
    return places[0] + LEAD * places[1], speeds[0] + LEAD * speeds[1]


@pytest.fixture(params=["cube", "real", "mounted"])
def c(request: pytest.FixtureRequest, cube: Configuration) -> Configuration:
    """The default configuration, that of a real arm with stops half as fast, and one in another place."""
    return {"cube": cube, "real": REAL, "mounted": mounted(cube)}[request.param]


def mounted(c: Configuration) -> Configuration:
    """The same arm and stops, turned by a quarter about the vertical and moved."""
    x, y, z = c.stops.centre
    moved = np.array([0.1, -0.2, 0.3])
    quarter = changed(c, "robot", mount_position=moved, mount_rotvec=np.array([0.0, 0.0, 0.5 * math.pi]))
    return changed(
        quarter, "stops", centre=moved + np.array([-y, x, z]), half_extent=c.stops.half_extent[[1, 0, 2]],
        axis_yaw=0.5 * math.pi,
    )  # fmt: skip


def test_the_bounds_are_the_certified_ones_and_what_following_adds(c: Configuration) -> None:
    """Equations 42a to 42c by hand; where the certified set ends is what `zerog workspace` has certified."""
    certified = WorkspaceSet.from_configuration(c)
    deep = np.array([certified.depth, certified.swing_depth, certified.twist_depth])
    inside = np.array([0.0, c.stops.swing, c.stops.twist])
    caps = np.array([c.stops.max_speed, c.stops.max_spin])
    late = lateness(c, load_arm_model(c.robot.model), Frames.from_configuration(c)) + LEAD
    places, speeds = allowed(c, PLANNED)
    np.testing.assert_allclose(places, inside + 1.02 * deep, rtol=1e-12)
    np.testing.assert_allclose(speeds, 1.04 * caps, rtol=1e-12)
    assert (LEAD_RATE, PLAN_ERROR) == (0.02, 0.02)
    places, speeds = allowed(c, COMMANDED)
    np.testing.assert_allclose(places, inside + deep + late * caps[[0, 1, 1]], rtol=1e-12)
    share = 1.04 + 2.0 * c.interpolation.closing_overshoot + c.stops.max_spin * (late + 2.0 * LEAD)
    np.testing.assert_allclose(speeds, share * caps, rtol=1e-12)
    np.testing.assert_allclose(allowed(c, ASKED)[1], speeds, rtol=1e-12)


def test_a_push_counts_as_late_until_the_joints_could_reverse(cube: Configuration) -> None:
    """Half the time that the slowest joint needs from the certified motion to the opposite one."""
    model, frames = load_arm_model(cube.robot.model), Frames.from_configuration(cube)
    late = lateness(cube, model, frames)
    q, held = np.array(cube.robot.start), HeldPose(cube)
    J = np.array([held.at(q + STEP * e)[0] - held.at(q - STEP * e)[0] for e in np.eye(7)]).T / (2.0 * STEP)
    slowest = min(cube.limits.acceleration)
    assert late > FOUND_LATE + 0.5 * 2.0 * cube.stops.max_speed / (
        np.linalg.norm(J, 2) * max(cube.limits.acceleration)
    )
    assert late < FOUND_LATE + 0.5 * (2.0 * max(cube.limits.velocity) / slowest + 0.06)
    ended = changed(cube, "detector", report="ended")
    assert lateness(ended, model, frames) == pytest.approx(late + 0.5 * cube.detector.sustained_time)
    half = changed(cube, "limits", acceleration=0.5 * cube.limits.acceleration, jerk=0.25 * cube.limits.jerk)
    assert lateness(half, model, frames) - FOUND_LATE == pytest.approx(2.0 * (late - FOUND_LATE), rel=1e-9)


def test_unequal_inertias_spin_faster_and_no_more(cube: Configuration) -> None:
    """Energy that turns a body about its heavy axis turns it faster about the light one, and is certified."""
    c = changed(cube, "object", inertia=np.array([1.0, 2.0, 4.0]))
    np.testing.assert_allclose(
        allowed(c, PLANNED)[1], [1.04 * c.stops.max_speed, 2.0 * 1.04 * c.stops.max_spin]
    )


@pytest.mark.parametrize("what", [PLANNED, COMMANDED])
def test_a_pose_outside_the_certified_set_is_objected_to(c: Configuration, what: int) -> None:
    """Random postures about the set: plan and command, as the daemon's own reckoning of the stops says."""
    held, rng, seen = HeldPose(c), np.random.default_rng(3), set[str]()
    most = allowed(c, what)[0] - [0.0, c.stops.swing, c.stops.twist]
    for _ in range(600):
        q = np.array(c.robot.start) + rng.normal(size=7) * [0.1, 0.12, 0.1, 0.12, 0.1, 0.12, 1.2]
        place = place_of(*held.at(q), c.stops)
        beyond = {
            **{f"along {axis} ": depth - most[0] for axis, depth in zip("xyz", place.box, strict=True)},
            "swing": place.swing - most[1],
            "twist": place.twist - most[2],
        }
        if what == PLANNED:
            said = judged(c, np.array(c.robot.start), planned=np.array([q, STILL]))
        else:
            said = judged(c, q, planned=np.array([np.array(c.robot.start), STILL]))
        first = next((name for name, excess in beyond.items() if excess > 0.0), "")
        assert bool(said) == bool(first), (beyond, said)
        assert first.strip() in said
        seen.add(first)
    assert seen == {"", "along x ", "along y ", "along z ", "swing", "twist"}


def test_the_words_name_bound_value_and_limit(cube: Configuration) -> None:
    """By hand: A1 turned by 0.25 rad takes the centre 790 sin 0.25 - 130 = 65.4 mm beyond the stop at +y."""
    q = cube.robot.start + 0.25 * np.eye(7)[0]
    assert (
        "certified set: centre beyond the stops along y 65.4 mm, 14.6 mm allowed (stops.half_extent_mm)"
        in judged(cube, q)
    )
    q = cube.robot.start + math.radians(120.0) * np.eye(7)[6]
    said = judged(cube, q)
    assert said.startswith("the plan leaves the certified set: twist ") and said.endswith("(stops.twist_deg)")
    assert f"{90.0 + 1.02 * 28.0 * 0.3 / math.pi:.2f} deg allowed" in said


@pytest.mark.parametrize("part", [0, 1])
@pytest.mark.parametrize("what", [PLANNED, ASKED, COMMANDED])
def test_a_speed_beyond_the_bound_is_objected_to(c: Configuration, what: int, part: int) -> None:
    """Just below the bound nothing is said, just above it is named with both figures, in any direction."""
    rng, q = np.random.default_rng(part), np.array(c.robot.start)
    bound = allowed(c, what)[1][part]
    key, unit = (("stops.max_speed_mm_s", "mm/s"), ("stops.max_spin_deg_s", "deg/s"))[part]
    tried = 0
    while tried < 20:
        direction = rng.normal(size=7)
        speeds = motion(c, q, direction)
        dq = direction * bound / speeds[part]
        if motion(c, q, dq)[1 - part] > 0.9 * allowed(c, what)[1][1 - part]:
            continue
        tried += 1
        for factor in (1.0 - 1e-4, 1.0 + 1e-4):
            now = factor * dq
            if what == PLANNED:
                said = judged(c, q, planned=np.array([q, now]))
            elif what == ASKED:
                said = judged(c, q, wanted=now, dq=now)
            else:  # the limiter has nothing left to make up, yet the command moves so
                said = judged(c, q + 0.5 * DT * now, before=q - 0.5 * DT * now)
            assert bool(said) == (factor > 1.0), (said, factor)
        value = (1e3 if part == 0 else math.degrees(1.0)) * bound
        assert said.endswith(f"allowed ({key})") and f"{value:.1f}"[:-2] in said and unit in said


def test_what_the_limiter_has_to_make_up_counts_up_to_the_bound_again(cube: Configuration) -> None:
    """A command between two lawful velocities may go astray by what is left of the way, and no farther."""
    q = np.array(cube.robot.start)
    A1 = np.eye(7)[0]
    bound = allowed(cube, COMMANDED)[1][0]
    at = A1 * bound / motion(cube, q, A1)[0]  # joint velocity that moves the object at the bound
    for left, most in ((0.0, 1.0), (0.5, 1.5), (5.0, 2.0)):
        for factor in (0.999, 1.001):
            now = factor * most * at
            said = judged(cube, q + 0.5 * DT * now, before=q - 0.5 * DT * now, dq=left * at)
            assert bool(said) == (factor > 1.0), (left, factor, said)


def test_lost_packets_make_no_command_fast(cube: Configuration) -> None:
    """A step over ten cycles is as fast as its way over its time."""
    q, A1 = np.array(cube.robot.start), np.eye(7)[0]
    way = 10 * DT * A1 * 0.9 * allowed(cube, COMMANDED)[1][0] / motion(cube, q, A1)[0]
    assert judged(cube, q + way, before=q, elapsed=10 * DT) == ""
    assert "speed" in judged(cube, q + way, before=q)


def test_what_is_not_judged(cube: Configuration) -> None:
    """No stops, an arm that follows nothing, a brake, a packet that was answered before: nothing is said."""
    far = np.array(cube.robot.start) + 0.5
    assert judged(cube, far)
    assert judged(changed(cube, "stops", enabled=False), far) == ""
    assert judged(changed(cube, "run", follow=False), far) == ""
    assert judged(cube, far, following=False) == ""
    assert judged(cube, far, elapsed=0.0) == ""


@pytest.mark.parametrize("speed", [1.5, 3.0, 8.0])
def test_a_plan_too_fast_brakes_before_the_arm_is_fast(cube: Configuration, speed: float) -> None:
    """Times the certified speed, all joints far within their limits: a fault with the first command."""
    run = Driven(cube)
    A1 = np.eye(7)[0]
    dq = A1 * speed * cube.stops.max_speed / motion(cube, run.start, A1)[0]
    run.cycle(plan=run.plan(dq))
    for _ in range(300):
        run.cycle()
    assert "stops.max_speed_mm_s" in run.driver.fault and not run.driver.following
    assert f"speed of {1e3 * speed * cube.stops.max_speed:.1f} mm/s, 156.0 mm/s allowed" in run.driver.fault
    np.testing.assert_array_equal(run.commands[-1], run.start)
    run.assert_within_limits()


def test_a_plan_that_turns_wrong_in_motion_brakes_within_limits(cube: Configuration) -> None:
    """The next plan is twice as fast as certified: the guard brakes from the motion at hand, once."""
    run = Driven(cube)
    A1 = np.eye(7)[0]
    dq = A1 * cube.stops.max_speed / motion(cube, run.start, A1)[0]
    run.floated(100, 0.9 * dq)
    assert run.driver.moving and not run.driver.fault
    run.cycle(plan=run.plan(2.0 * dq))
    for _ in range(400):
        run.cycle()
        assert not run.driver.following
    assert run.driver.fault.startswith("the plan asks for a speed of 300.0 mm/s")
    assert run.driver._guard.violations == 1  # a brake under way is not judged
    np.testing.assert_array_equal(run.commands[-1], run.commands[-50])
    run.assert_within_limits()


def led_astray(c: Configuration, drift: Array, since_s: float) -> LockStep:
    """A loop whose planner adds a drift of the joints [rad/s] from so many seconds of floating on."""
    loop = LockStep(c)
    plain = loop._planner.step

    def wrong(prediction, q_command):
        plan = plain(prediction, q_command)
        s = plan.object_time_0 + plan.step * np.arange(len(plan.q)) - since_s
        grown = np.clip(s, 0.0, None)[:, None]
        ramp = np.clip(grown / 0.3, 0.0, 1.0)
        rate = ramp**2 * (3.0 - 2.0 * ramp)
        way = np.where(grown < 0.3, 0.3 * ramp**3 * (1.0 - 0.5 * ramp), grown - 0.15)
        slope = np.where(grown < 0.3, 6.0 * ramp * (1.0 - ramp) / 0.3, 0.0)
        return dataclasses.replace(
            plan, q=plan.q + way * drift, dq=plan.dq + rate * drift, ddq=plan.ddq + slope * drift
        )

    loop._planner.step = wrong
    return loop


def resting(cube: Configuration) -> Configuration:
    """An object at rest in the middle of the stops that nobody pushes."""
    c = changed(cube, "operator", random=None)
    return changed(c, "object", initial_velocity=np.zeros(3), initial_spin=np.zeros(3))


@pytest.mark.parametrize("joint", [0, 1, 3, 5, 6])
def test_a_plan_that_leads_out_of_the_set_brakes(cube: Configuration, joint: int) -> None:
    """Slowly, every joint and command within all limits: the arm stands before the object is far outside."""
    c = resting(cube)
    direction = np.eye(7)[joint]
    speed, spin = motion(c, np.array(c.robot.start), direction)
    loop = led_astray(
        c, direction * min(0.7 * c.stops.max_speed / max(speed, 1e-9), 0.7 * c.stops.max_spin / spin), 0.3
    )
    trace = loop.run(7.0)
    assert loop._machine.state is State.FAULT and "leaves the certified set" in loop._machine.reason
    assert loop._controller.monitor.violations == 0
    assert np.array_equal(trace.q_command[-1], trace.q_command[-100])
    place = place_of(*HeldPose(c).at(trace.q_command[-1]), c.stops)
    most = allowed(c, COMMANDED)[0] - [0.0, c.stops.swing, c.stops.twist]
    assert max(place.box) < most[0] and place.swing < most[1] and place.twist < most[2]
    assert not place.inside


@pytest.mark.parametrize("seed", [1, 2])
def test_no_push_however_hard_is_a_fault(cube: Configuration, seed: int) -> None:
    """Knocks of 240 N up to 25 N s, one a second, in any direction: cut to the certified speed, followed."""
    c = changed(
        cube, "operator.random", first=0.5, gap=0.8, gap_spread=0.4, impulse_min=10.0, impulse_max=25.0,
        peak=240.0, steer=False,
    )  # fmt: skip
    c = changed(changed(c, "run", seed=seed), "detector", plausible_force=1e4, plausible_torque=1e4)
    loop = LockStep(c)
    trace = loop.run(12.0)
    assert loop._machine.state is State.FLOATING, loop._machine.reason
    assert len(trace.push_t_start) > 8
    fastest = np.linalg.norm(np.diff(trace.p_world_object_arm, axis=0), axis=1).max() / DT
    assert fastest > 0.95 * c.stops.max_speed  # they were hard


def test_a_float_that_begins_beyond_a_stop_is_followed(cube: Configuration) -> None:
    """2 deg beyond the swing stop, which the entrance allows at rest: its spring returns it, and no fault."""
    start = cube.robot.start + (cube.stops.swing + math.radians(2.0)) * np.eye(7)[5]
    p, quat = HeldPose(cube).at(start)
    c = changed(resting(cube), "robot", start=start)
    c = changed(c, "stops", centre=p)  # tilted about the flange, it has moved as well
    assert math.degrees(place_of(p, quat, c.stops).swing) == pytest.approx(2.0)
    assert outside_set(p, quat, np.zeros(6), c.stops, c.object) is None
    loop = LockStep(c)
    trace = loop.run(2.0)
    assert loop._machine.state is State.FLOATING, loop._machine.reason
    assert place_of(*HeldPose(c).at(trace.q_command[-1]), c.stops).swing < 0.0


def test_a_scene_that_carries_the_object_too_fast_is_no_excuse(cube: Configuration) -> None:
    """Whatever has moved the object, the arm follows no faster than certified, and brakes."""
    c = resting(cube)
    loop = LockStep(c)
    restart = loop._sim._world.restart

    def hurled(t_ns, epoch, p, quat, twist, stand=0.0):
        restart(t_ns, epoch, p, quat, np.array([0.0, 1.2 * c.stops.max_speed, 0.0, 0.0, 0.0, 0.0]), stand)

    loop._sim._world.restart = hurled
    loop.run(2.0)
    assert loop._machine.state is State.FAULT
    assert loop._machine.reason.startswith("the plan asks for a speed of")
    assert loop._controller.monitor.violations == 0
