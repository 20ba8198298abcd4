"""The loop with an arm whose geometry is none of ours: floating, judged by its own kinematics, replayed."""

import math
import re
import shutil
from pathlib import Path

import mujoco
import numpy as np
import pytest

from bench.fidelity import changed
from drivers.emulation.controller.controller import POSITION_MARGIN, EmulatedController
from drivers.fri.layout import SessionState
from drivers.robot.model import MOCKUP, arm_spec, robot_spec
from hil.analysis.figures import figures
from hil.commands.cli import main
from hil.common.arm_files import read_arm
from hil.common.errors import RobotModelError
from hil.common.geometry import matrix_from_quat
from hil.configuration import Configuration, load_configuration
from hil.configuration.frames import Frames, mockup_centre
from hil.configuration.stops_axis import nominal_quat
from hil.loop.approach.held_cube import HeldCube, distances
from hil.loop.approach.way import WayHome
from hil.loop.driver.certificate import FOUND_LATE, Certificate, lateness
from hil.loop.judging.held_pose import HeldPose
from hil.loop.judging.real_arm import lacks
from hil.loop.judging.state_machine import State
from hil.loop.lockstep import LockStep
from hil.loop.solids import ArmPicture
from hil.recording.reading import summary_of
from hil.recording.replaying.runner import CORES, in_one_process
from planner.inverse.lagrange import LagrangeInverse
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose, jacobian
from planner.workspace.resting import SPREAD
from planner.workspace.set_geometry import WorkspaceSet
from tests.drivers.emulation.loops import LockStepClient
from tests.hil.loop.test_certificate import step_of

PATH = Path(__file__).resolve().parents[3] / "configs" / "fr3.toml"
LEAD = 0.012
TILTED = {
    "mount_position": np.array([0.1, -0.2, 0.3]),
    "mount_rotvec": np.array([0.3, -0.2, 0.9]),
    "tcp_position": np.array([0.01, 0.02, 0.05]),
    "tcp_rotvec": np.array([-0.4, 0.2, 0.1]),
}


@pytest.fixture(scope="module")
def c() -> Configuration:
    """The cube on an FR3."""
    return load_configuration(PATH)


@pytest.fixture(scope="module")
def crooked(c: Configuration, tmp_path_factory: pytest.TempPathFactory) -> Configuration:
    """The same on a tilted mount with a tilted tool, with axes that are nobody's z and a bent flange."""
    axes = iter(("0 0 1", "0.6 0 0.8", "0 -1 0", "1 0 0", "0 0.28 -0.96", "0.48 0.6 0.64", "0 0.8 0.6"))
    text, count = re.subn(
        '<axis xyz="[^"]*"', lambda _: f'<axis xyz="{next(axes)}"', read_arm(c.robot.model).urdf.decode()
    )
    assert count == 7
    joint = re.search(r'<joint [^>]*type="fixed".*?</joint>', text, flags=re.S)
    assert joint is not None
    bent = re.sub("<origin [^>]*>", '<origin xyz="0.02 -0.03 0.1" rpy="0.3 0.5 -0.7"/>', joint.group())
    assert bent != joint.group()
    path = tmp_path_factory.mktemp("arm") / "crooked.urdf"
    path.write_text(text.replace(joint.group(), bent), encoding="utf-8")
    return changed(c, "robot", model=path, **TILTED)


@pytest.fixture(params=["c", "crooked"])
def either(request: pytest.FixtureRequest) -> Configuration:
    """Both arms."""
    found: Configuration = request.getfixturevalue(request.param)
    return found


class PhysicsArm:
    """The arm with the mock-up as the physics engine has it."""

    def __init__(self, c: Configuration) -> None:
        frames = Frames.from_configuration(c)
        self._model = robot_spec(c, frames).compile()
        self._data = mujoco.MjData(self._model)
        self._offset = frames.T_tcp_object[:3, 3]

    def rates(self, q: np.ndarray) -> np.ndarray:
        """Velocity and angular velocity of the object for each joint's, world axes, shape (6, 7)."""
        centre, _ = self.object_at(q)
        mujoco.mj_comPos(self._model, self._data)
        J = np.zeros((6, self._model.nv))
        mujoco.mj_jac(self._model, self._data, J[:3], J[3:], centre, self._data.body(MOCKUP).id)
        return J

    def object_at(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Centre [m] and axes of the held object in the world."""
        self._data.qpos[:] = q
        mujoco.mj_kinematics(self._model, self._data)
        body = self._data.body(MOCKUP)
        R = body.xmat.reshape(3, 3)
        return body.xpos + R @ self._offset, R


def test_it_floats_for_a_minute(c: Configuration) -> None:
    """60 s of object time with pushes and bounces: no fault, no hold, no limit broken; the arm is with it."""
    loop = LockStep(c)
    trace = loop.run(60.5)
    values = figures(trace)
    assert loop.fault == "" and trace.state[-1] == State.FLOATING
    assert float(trace.rate.sum()) * c.fri.sample_time > 60.0
    assert values["plan"]["holds"] == 0 and values["plan"]["time_kept"] > 0.99
    assert values["limits"]["violations"] == 0
    assert values["bounces"]["count"] > 10 and values["impulses"]["missed"] == 0
    assert values["tracking"]["free_rms_mm"] < 0.01
    arm = load_arm_model(c.robot.model)
    velocity = np.minimum(arm.velocity, c.limits.velocity)
    twist = np.append(np.zeros(6), WorkspaceSet.from_configuration(c).full_twist)
    settling = LagrangeInverse(
        arm.chain, arm.lower + twist, arm.upper - twist, weights=((velocity.max() / velocity) ** 2,),
        q_ref=c.robot.start,
    )  # fmt: skip
    for q in trace.q_command[::250]:  # not farther from what is certified, without twist, than was looked at
        q = untwisted(c, q)
        settled = settling.solve(flange_pose(arm.geometry, q), q)
        assert settled.reachable and np.abs(settled.q - q).max() < SPREAD


def untwisted(c: Configuration, q: np.ndarray) -> np.ndarray:
    """The joints with A7 turned so that the held object has no twist: the nominal one swung only."""
    model = load_arm_model(c.robot.model)
    frames, R_stops = Frames.from_configuration(c), matrix_from_quat(nominal_quat(c.stops))

    def twist_of(q: np.ndarray) -> float:
        R = (
            R_stops.T
            @ (frames.T_world_base @ flange_pose(model.geometry, q) @ frames.T_flange_object)[:3, :3]
        )
        return math.atan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])

    found = q.copy()
    for _ in range(2):
        slope = twist_of(found + 1e-6 * np.eye(7)[6]) - twist_of(found - 1e-6 * np.eye(7)[6])
        found[6] -= twist_of(found) * math.copysign(1.0, slope)
    assert abs(twist_of(found)) < 1e-9
    return found


def test_the_passive_chain_floats_it_too(c: Configuration) -> None:
    """Three seconds."""
    loop = LockStep(load_configuration(PATH, ["planner.inverse=passive-chain"]))
    trace = loop.run(3.0)
    assert loop.fault == "" and trace.state[-1] == State.FLOATING and trace.rate[-1] == 1.0


@pytest.mark.parametrize("command", ["run", "simulate", "check"])
def test_branches_are_refused_before_anything_starts(
    command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One line, with the remedy; status 1 of a check, else 2."""
    text = PATH.read_text(encoding="utf-8")
    path = tmp_path / "branches.toml"
    text = text.replace('"assemblies/', f'"{PATH.parent}/assemblies/').replace('"lagrange"', '"branches"')
    path.write_text(text, encoding="utf-8")
    assert main([command, str(path)]) == (1 if command == "check" else 2)
    told = capsys.readouterr().err.strip()
    assert "planner.inverse = 'branches' is refused" in told and "'lagrange' or 'passive-chain'" in told
    assert "\n" not in told


def test_the_certificate_is_judged_by_the_arms_own_kinematics(c: Configuration) -> None:
    """Where a joint carries the centre out, it objects, by as much as the physics engine has it outside."""
    certificate, arm = Certificate(c, load_arm_model(c.robot.model)), PhysicsArm(c)
    start, still, found = np.array(c.robot.start), np.zeros(7), 0
    allowed = certificate.bounds.places[0, 0, 0] + LEAD * certificate.bounds.places[1, 0, 0]
    for joint in range(6):
        for angle in np.linspace(-0.5, 0.5, 41):
            q = start.copy()
            q[joint] += angle
            p, R = arm.object_at(q)
            swing = math.acos(min(1.0, -R[2, 2]))
            twist = math.atan2(-R[1, 0] - R[0, 1], R[0, 0] - R[1, 1]) if swing < 1.0 else 0.0
            beyond = np.abs(p - c.stops.centre) - c.stops.half_extent
            objection = certificate.objection(q, still, step_of(q), LEAD)
            within = swing < c.stops.swing and abs(twist) < c.stops.twist
            if within and beyond.max() < allowed - 1e-9:
                assert objection == "", (joint, angle)
            first = int(np.argmax(beyond > allowed))
            if beyond[first] > allowed + 1e-4:
                found += 1
                told = f"beyond the stops along {'xyz'[first]} {1e3 * beyond[first]:.1f} mm"
                assert told in objection
    assert found > 20


def test_speed_is_judged_by_the_arms_own_jacobian(c: Configuration) -> None:
    """A plan just below its bound of speed by differences of the physics engine passes, just above not."""
    certificate, arm = Certificate(c, load_arm_model(c.robot.model)), PhysicsArm(c)
    start, still, h = np.array(c.robot.start), np.zeros(7), 1e-6
    bound = certificate.bounds.speeds[0, 0, 0] + LEAD * certificate.bounds.speeds[1, 0, 0]
    for joint in (0, 1, 3):
        unit = np.eye(7)[joint]
        ends = [arm.object_at(start + s * h * unit)[0] for s in (1.0, -1.0)]
        rate = float(np.linalg.norm(ends[0] - ends[1])) / (2.0 * h)
        for share, told in ((0.999, False), (1.001, True)):
            dq = share * bound / rate * unit
            objection = certificate.objection(
                start, still, step_of(start, planned=np.array([start, dq])), LEAD
            )
            assert ("stops.max_speed_mm_s" in objection) == told, (joint, objection)


def test_a_push_is_taken_up_as_late_as_the_arms_own_joints_need(c: Configuration) -> None:
    """By the physics engine's Jacobian at the start pose, and the minimum of weighted speeds (Krenn's)."""
    arm = load_arm_model(c.robot.model)
    v, a, j = (getattr(c.limits, name) for name in ("velocity", "acceleration", "jerk"))
    share = c.limits.command_fraction
    v, a, j = share * np.minimum(v, arm.velocity), share * a, share * j
    J = PhysicsArm(c).rates(np.array(c.robot.start))
    rates = np.diag(v**2) @ J.T @ np.linalg.inv(J @ np.diag(v**2) @ J.T)
    speeds = c.stops.max_speed * np.linalg.norm(rates[:, :3], axis=1)
    speeds += c.stops.max_spin * np.linalg.norm(rates[:, 3:], axis=1)
    expected = FOUND_LATE + 0.5 * (2.0 * speeds / a + a / j).max()
    expected += 0.5 * c.detector.sustained_time if c.detector.report == "ended" else 0.0
    assert lateness(c, arm, Frames.from_configuration(c)) == pytest.approx(expected, rel=1e-3)


def test_pose_and_jacobian_are_those_of_the_physics_engine(either: Configuration) -> None:
    """Of the held object at random joints, by the kernels; axes need not be anybody's z."""
    arm, physics, frames = (
        load_arm_model(either.robot.model),
        PhysicsArm(either),
        Frames.from_configuration(either),
    )
    turn = np.kron(np.eye(2), frames.T_world_base[:3, :3])
    assert arm.open_form
    for q in np.random.default_rng(6).uniform(arm.lower, arm.upper, (50, 7)):
        p, R = physics.object_at(q)
        T = frames.T_world_base @ flange_pose(arm.geometry, q) @ frames.T_flange_object
        np.testing.assert_allclose(T[:3], np.column_stack([R, p]), atol=1e-12)
        J = turn @ jacobian(arm.geometry, q, frames.T_flange_object)
        np.testing.assert_allclose(J, physics.rates(q), atol=1e-12)


def test_the_daemon_and_the_page_hold_the_object_where_the_physics_engine_does(either: Configuration) -> None:
    """Plain Python and the drawing agree with it at random joints."""
    c = either
    held, arm, picture, rng = HeldPose(c), PhysicsArm(c), ArmPicture(c), np.random.default_rng(3)
    model = load_arm_model(c.robot.model)
    for q in rng.uniform(model.lower, model.upper, (50, 7)):
        p, R = arm.object_at(q)
        found, (w, x, y, z) = held.at(q)
        np.testing.assert_allclose(found, p, atol=1e-12)
        axis = [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)]
        np.testing.assert_allclose(axis, R[:, 2], atol=1e-12)
        np.testing.assert_allclose(picture.held_object(q)[0], p, atol=1e-12)


def test_clearances_are_those_of_the_arms_own_links(either: Configuration) -> None:
    """To its capsules, by the physics engine's frames."""
    c = either
    cube, arm = HeldCube(c), load_arm_model(c.robot.model)
    model = arm_spec(c.robot.model, Frames.from_configuration(c).T_world_base).compile()
    data, rng = mujoco.MjData(model), np.random.default_rng(4)
    physics, half = PhysicsArm(c), 0.5 * c.mockup.edge
    assert np.allclose(mockup_centre(c), Frames.from_configuration(c).T_tcp_object[:3, 3])
    assert cube.pairs[: len(arm.bodies)] == tuple(body.name for body in arm.bodies) != ()
    for q in rng.uniform(arm.lower, arm.upper, (20, 7)):
        data.qpos[:] = q
        mujoco.mj_kinematics(model, data)
        centre, axes = physics.object_at(q)
        expected = []
        for body in arm.bodies:
            link = data.body(f"link_{body.link}")
            R = link.xmat.reshape(3, 3)
            ends = [(link.xpos + R @ end)[None] for end in (body.start, body.end)]
            expected.append(float(distances(*ends, centre[None], axes[None], half)[0]) - body.radius)
        np.testing.assert_allclose(cube.clearances(q[None])[0, : len(expected)], expected, atol=1e-9)


def test_a_way_home_is_judged_by_the_arms_own_links(c: Configuration) -> None:
    """Nearby there is one; a folded arm has none."""
    start = np.array(c.robot.start)
    away = start + np.radians([20.0, 0.0, 0.0, 5.0, 0.0, 0.0, 10.0])
    way, refusal = WayHome(c).judged(away, math.radians(3.0))
    assert refusal == "" and way is not None and way.nearest > c.approach.clearance
    folded = start + np.radians([0.0, -40.0, 0.0, -45.0, 0.0, -65.0, 0.0])
    way, refusal = WayHome(c).judged(folded, math.radians(3.0))
    assert way is None and "the mock-up comes in touch of link 'link_" in refusal


def test_a_recording_is_replayed_to_the_bit(tmp_path: Path) -> None:
    """Four seconds: every core says again what it said."""
    path = tmp_path / "fr3.mcap"
    assert main(["simulate", str(PATH), "--duration", "4", "--record", str(path)]) == 0
    counts = summary_of(path).counts
    verdicts = in_one_process(path, lambda core, turns: None)
    assert [verdict.core for verdict in verdicts] == list(CORES)
    assert all(verdict.same and not verdict.first for verdict in verdicts)
    assert verdicts[1].compared["plan"] == counts["/plan"] > 20


def test_a_meshed_model_without_solids_cannot_be_approached(c: Configuration) -> None:
    """What is not known is not passed: the way is refused with the link's name."""
    home = WayHome(c)
    home._cube.unjudged = "link 'link_3' of the robot's model has no solids of its own, or meshes"
    way, refusal = home.judged(np.array(c.robot.start) + 0.1, 0.05)
    assert way is None and "link_3" in refusal


def test_the_closed_form_is_not_asked_of_it(c: Configuration) -> None:
    """Whoever needs it is told so, instead of computing with numbers that are none."""
    model = load_arm_model(c.robot.model)
    with pytest.raises(RobotModelError, match="no closed form"):
        print(model.lengths)
    assert np.isnan(model.geometry[0]["lengths"]).all()


def test_a_recording_of_an_arm_that_has_changed_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """One digit of the model's file: replay would compare with another arm; put back, nothing is refused."""
    model = tmp_path / "arm.urdf"
    text = read_arm(load_configuration(PATH).robot.model).urdf.decode()
    model.write_text(text, encoding="utf-8")
    settings = ["--set", f"robot.model='{model}'"]
    path = tmp_path / "short.mcap"
    assert main(["simulate", str(PATH), *settings, "--duration", "0.2", "--record", str(path)]) == 0
    assert "0.384" in text
    model.write_text(text.replace("0.384", "0.385"), encoding="utf-8")
    capsys.readouterr()
    assert main(["replay", str(path), "--one-process"]) == 2
    told = capsys.readouterr().err.strip()
    assert str(model) in told and "has changed" in told and "\n" not in told
    model.write_text(text, encoding="utf-8")
    assert main(["replay", str(path), "--one-process"]) == 0


def test_one_digit_of_a_link_and_the_certificate_no_longer_fits(
    c: Configuration, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A check warns, a real arm may not move; the assembly's own order of parts counts as well."""
    for name in ("components", "assemblies"):
        shutil.copytree(PATH.parent / name, tmp_path / name)
    path = Path(shutil.copy(PATH, tmp_path))
    monkeypatch.setattr("sim.exports.assembled_arm.SHIPPED", tmp_path / "components")

    def said() -> tuple[bool, bool]:
        assert main(["check", str(path)]) == 0
        warned = "these stops are not certified" in capsys.readouterr().out
        real = changed(load_configuration(path), "robot", kind="fri")
        return warned, "certificate" in [lack.key for lack in lacks(real, wrench_checked=True)]

    assert said() == (False, False)
    link = tmp_path / "components" / "arms" / "fr3" / "fr3-4.toml"
    text = link.read_text(encoding="utf-8")
    assert text.count("384.0") == 1
    link.write_text(text.replace("384.0", "384.1"), encoding="utf-8")
    assert said() == (True, True)
    link.write_text(text, encoding="utf-8")
    assert said() == (False, False)
    for inverse, expected in (("lagrange", False), ("passive-chain", True)):
        settled = path.read_text(encoding="utf-8").replace('inverse = "lagrange"', f'inverse = "{inverse}"')
        path.write_text(settled, encoding="utf-8")
        assert said() == (expected, expected)


def test_the_emulated_controller_has_this_arms_limits(c: Configuration) -> None:
    """0.99 of a joint's step passes, 1.01 falls back; A4 may be where ours never is, and no farther."""
    bound = c.limits.velocity * c.fri.sample_time
    for joint in (4, 6):
        for share, passes in ((0.99, True), (1.01, False)):
            controller, client = in_command(c)
            step = share * bound[joint] * np.eye(7)[joint]
            client.cycle(lambda sample, step=step: sample.q_commanded + step)
            assert (controller.state == SessionState.COMMAND) == passes, (joint, share)
    arm = load_arm_model(c.robot.model)
    controller, _ = in_command(c)
    assert controller._upper[3] < arm.upper[3] < 0.0 < arm.lower[5] < controller._lower[5]
    assert controller._lower[3] == pytest.approx(arm.lower[3] + POSITION_MARGIN)


def in_command(c: Configuration) -> tuple[EmulatedController, LockStepClient]:
    """A controller of the arm in command state, and who answers it."""
    controller = EmulatedController(c)
    client = LockStepClient(c, controller)
    client.until_command()
    client.cycle(lambda sample: sample.q_commanded)  # a session's first answer repeats the controller's own
    return controller, client
