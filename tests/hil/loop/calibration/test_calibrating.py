"""An operator's hand lets the arm show what its load data misses: the whole loop on virtual time."""

import json
import tomllib

import numpy as np
import pytest

from bench.fidelity import changed
from hil.common.errors import OperatorError
from hil.configuration import Configuration
from hil.configuration.frames import mockup_centre
from hil.configuration.load_stamp import load_stamp
from hil.configuration.schema import FoundLoad as Section
from hil.configuration.workspace_stamp import workspace_stamp
from hil.force.setup import DriveModel
from hil.loop.approach.permit import Permit
from hil.loop.calibration.poses import WHOLE
from hil.loop.calibration.shown_motion import load_shown
from hil.loop.driver.cycle import Counters
from hil.loop.judging.approaching import HAND_OFF
from hil.loop.judging.state_machine import Machine, State
from hil.messaging.messages import CycleBlock, Mode, Push
from hil.wrench.load.compensation import LoadCompensation
from hil.wrench.load.found_words import found_table
from hil.wrench.load.held import held_parameters
from hil.wrench.load.identification import FoundLoad
from planner.kinematics.arm_model import load_arm_model
from tests.hil.loop.approach.hand_loop import HandLoop
from tests.hil.loop.approach.test_approach import BRAKE, HAND, moved, moved_after, no_limit_is_broken
from tests.hil.loop.approach.test_driver_approach import Ordered

DRIVE = DriveModel(0.002, 0.01, 0.8)  # of the emulated arm: a cycle, and its drives' lag


class CalibrationLoop(HandLoop):
    """A loop that keeps what the driver tells of its cycles."""

    def __init__(self, configuration: Configuration) -> None:
        super().__init__(configuration)
        self.blocks: list[CycleBlock] = []
        self.before = np.zeros(7)

    def ask_calibration(self) -> str:
        """Ask for a session and return its way."""
        self._judge.order("calibrate")
        granted = json.loads(self._judge.approaching.granted)
        self.session, self.number = granted["session"], 0
        return str(granted["way"])

    def go(self, seconds: float) -> None:
        """Let time pass, and note each cycle as a block of its own."""
        for _ in range(round(seconds / self._dt)):
            super().go(self._dt)
            sample = self._driver._sample
            assert sample is not None
            stamps = np.array([[sample.t_ns] * 6])
            self.blocks.append(
                CycleBlock(
                    sample.t_ns, stamps, np.zeros((1, 5), np.int64), self._driver.q_command[None].copy(),
                    sample.q_measured[None], self._driver.wrench_object[None].copy(),
                )
            )  # fmt: skip


def section(found: FoundLoad, c: Configuration) -> Section:
    """The finding as the configuration has it."""
    table = tomllib.loads("\n".join(found_table(found, load_stamp(c))))["mockup"]["found"]
    return Section.model_validate(table)


def quiet(c: Configuration, **mockup: float) -> Configuration:
    """Nobody pushes and nothing floats by itself."""
    c = changed(changed(c, "operator", random=None), "run", float_at_start=False)
    return changed(c, "mockup", **mockup)


def begun(c: Configuration, seconds: float = 1.0) -> CalibrationLoop:
    """A loop whose arm is in motion, held on for a while."""
    loop = CalibrationLoop(quiet(c))
    loop.ready()
    loop.go(0.2)
    loop.ask_calibration()
    loop.hold(seconds)
    assert loop.state is State.CALIBRATING and loop.driver.moving, loop.reason
    return loop


@pytest.fixture(scope="module")
def whole(cube: Configuration) -> tuple[CalibrationLoop, list[float]]:
    """A loop in which a hand held on to the end, and how far the wrench changed by the motion itself.

    A tenth of the mock-up is missed, its weight as well, beside the object's centre.
    """
    beside = changed(cube, "object", position=np.array([0.03, -0.02, 0.15]))
    c = changed(beside, "stops", certified=workspace_stamp(beside))
    weighing = changed(c, "emulator.wrench", missed_weight=True)
    loop, changes = CalibrationLoop(quiet(weighing, uncompensated=0.1)), [0.0]
    loop.ready()
    loop.go(0.2)
    loop.before = loop.driver.q_command
    assert "12 poses" in loop.ask_calibration()
    assert not moved(loop), "nothing moves before the hand holds"
    loop.holds = True
    for _ in range(round((WHOLE + 0.5) / 0.1)):
        loop.go(0.1)
        changes.append(loop.driver._by_hand._contact.change)
    return loop, changes


def test_the_motion_comes_back_to_where_it_began(whole: tuple[CalibrationLoop, list[float]]) -> None:
    """READY, no limit broken, and by itself no contact: weight, inertia, offset and noise stay far below."""
    loop, changes = whole
    assert loop.state is State.READY and not loop.reason and not loop.driver.fault
    np.testing.assert_allclose(loop.driver.q_command, loop.before, atol=1e-9)
    no_limit_is_broken(loop)
    assert 1.0 < max(changes) < 0.6 * loop._c.approach.contact_force


def test_what_the_load_data_misses_is_found(whole: tuple[CalibrationLoop, list[float]]) -> None:
    """The truth within twice the interval told; the centre across the vertical by its weight."""
    loop, _ = whole
    found, left = load_shown(loop.blocks, loop._c)
    truth = 0.1 * held_parameters(loop._c, mockup_centre(loop._c))
    assert np.linalg.norm(truth[1:3]) > 0.01, "the centre lies beside the object's"
    assert (np.abs(found.value - truth) <= 2.0 * found.interval).all()
    assert found.interval[0] < 0.09 and found.shown.all() and found.weighs and not found.mended
    assert (np.abs(found.value[1:3] - truth[1:3]) < 2e-3).all() and (found.interval[1:3] < 2e-3).all()
    assert found.offset is not None and left.at_rest is not None
    assert found.offset.bias[2] == pytest.approx(-0.5 * 9.81, abs=0.01), "the missed weight is part of it"
    assert (
        left.at_rest[0, 0] > 1.0 and left.at_rest[0, 1] < 0.02 and left.in_motion[0, 1] < left.in_motion[0, 0]
    )


def test_with_the_finding_nothing_is_read_at_rest_and_in_motion(
    whole: tuple[CalibrationLoop, list[float]],
) -> None:
    """The driver's own compensation on the same cycles: what is left is what was told, and no bias."""
    loop, _ = whole
    found, left = load_shown(loop.blocks, loop._c)
    c = changed(loop._c, "mockup", found=section(found, loop._c))
    stage = LoadCompensation(c, load_arm_model(c.robot.model), drive=DRIVE)
    felt, before = [], loop.blocks[0].q_command[0]
    for block in loop.blocks:
        t, wrench = int(block.stamps[0, 0]), block.wrench_object[0]
        felt.append(stage.taken_out(t, block.q_measured[0], wrench, before))
        before = block.q_command[0]
    rest = np.array(felt[20:80])  # before anything moves
    assert np.abs(rest.mean(axis=0)[:3]).max() < 0.1 and np.abs(rest.mean(axis=0)[3:]).max() < 0.02
    moving = np.array(felt[300:2000])
    rms = np.sqrt(np.sum(moving[:, :3] ** 2) / len(moving))
    assert rms < 1.8 * left.in_motion[0, 1]  # told is what is left behind smoothing over 20 ms


def test_letting_go_brakes_the_arm(cube: Configuration) -> None:
    """After 0.3 s without a heartbeat; READY with the reason; another hold needs another look."""
    loop = begun(cube)
    off = loop.t[-1]
    loop.go(1.0)
    assert HAND - 0.06 < moved_after(loop, off) < HAND + BRAKE
    assert loop.state is State.READY and loop.reason == HAND_OFF
    with pytest.raises(OperatorError, match="refused in READY"):
        loop.beat()
    no_limit_is_broken(loop)


def test_a_release_that_is_told_brakes_at_once(cube: Configuration) -> None:
    loop = begun(cube)
    off = loop.t[-1]
    loop.beat(released=True)
    loop.go(1.0)
    assert moved_after(loop, off) < 0.03 + BRAKE and loop.state is State.READY


def test_somebody_in_the_way_brakes_it(cube: Configuration) -> None:
    """Somebody stands in the way, for a tenth of a second."""
    loop = begun(cube)
    force = np.array([0.0, 40.0, 0.0])
    loop.controller.operator.push(Push(loop.now_ns, force, 0.3, np.zeros(3)), 1e-9 * (loop.now_ns - 10**9))
    struck = loop.t[-1]
    loop.hold(1.0)
    loop.go(0.5)
    assert loop.state is State.READY and "contact" in loop.reason
    assert moved_after(loop, struck) < 0.2 + BRAKE
    no_limit_is_broken(loop)


def test_what_a_motion_has_met_and_presses_on_is_no_offset_to_float_with(cube: Configuration) -> None:
    """Pressed with 40 N for two seconds: no float by the supervisor or the driver; let go, it may float."""
    loop = begun(cube)
    press = Push(loop.now_ns, np.array([0.0, 40.0, 0.0]), 3.0, np.zeros(3))
    loop.controller.operator.push(press, 1e-9 * (loop.now_ns - 10**9))
    loop.hold(0.5)
    loop.go(0.7)
    assert loop.state is State.READY and "contact" in loop.reason
    with pytest.raises(OperatorError, match=r"float is refused: the mock-up has been pressed with [34]\d N"):
        loop.judge.order("float")
    assert loop.judge.status()["float_refused"].startswith("the mock-up has been pressed")
    loop.go(2.5)
    assert loop.driver.state(loop.now_ns, Counters()).refusal == ""
    loop.judge.order("float")
    assert loop.state is State.FLOATING


def test_an_operator_who_has_looked_says_that_nothing_presses(cube: Configuration) -> None:
    """An offset learnt under a hand's push seems to press when that is over: stop and reset take it back."""
    loop = begun(cube)
    press = Push(loop.now_ns, np.array([0.0, 40.0, 0.0]), 30.0, np.zeros(3))
    loop.controller.operator.push(press, 1e-9 * (loop.now_ns - 10**10))
    loop.hold(0.5)
    loop.go(0.7)
    assert "`zerog stop` and `zerog reset`" in loop.driver.state(loop.now_ns, Counters()).refusal
    for order in ("stop", "reset"):
        loop.judge.order(order)
        loop.go(0.2)
    assert loop.state is State.READY and loop.driver.state(loop.now_ns, Counters()).refusal == ""


def test_a_driver_that_is_told_to_float_while_it_presses_suspects_it(cube: Configuration) -> None:
    """Whoever ordered it: the driver itself begins nothing."""
    loop = begun(cube)
    press = Push(loop.now_ns, np.array([0.0, 40.0, 0.0]), 3.0, np.zeros(3))
    loop.controller.operator.push(press, 1e-9 * (loop.now_ns - 10**9))
    loop.hold(0.5)
    loop.go(0.7)
    loop.judge.machine = loop.judge.machine.float()
    loop.go(0.1)
    assert "ever since a motion by hand met something" in loop.driver.fault and not loop.driver.moving


def test_a_driver_that_finds_no_poses_brakes(cube: Configuration) -> None:
    """Though the daemon found some: it is over, the arm stands, and the reason is told."""
    loop = begun(cube, 0.5)
    search = loop.driver._by_hand._motions[State.CALIBRATING]._search
    search.over, search.refusal = True, "a pose cannot be reached"
    loop.hold(0.5)
    loop.go(0.3)
    assert loop.state is State.READY and "cannot be reached" in loop.reason and not loop.driver.moving
    no_limit_is_broken(loop)


@pytest.mark.parametrize("state", [State.FLOATING, State.HOLDING, State.STOPPED, State.FAULT])
def test_calibration_begins_from_ready_only(cube: Configuration, state: State) -> None:
    loop = CalibrationLoop(quiet(cube))
    loop.ready()
    loop.go(0.1)
    for order in {
        State.FLOATING: ("float",), State.HOLDING: ("float", "hold"), State.STOPPED: ("stop",),
        State.FAULT: ("fault",),
    }[state]:  # fmt: skip
        loop.judge.order(order)
    with pytest.raises(OperatorError, match=f"calibrate is refused in {state}"):
        loop.ask_calibration()


def test_neither_floats_while_it_goes_on_nor_approaches(cube: Configuration) -> None:
    """One thing at a time; stop ends it."""
    loop = begun(cube, 0.5)
    for order, argument in (("float", ""), ("calibrate", ""), ("approach", "0.05"), ("reset", "")):
        with pytest.raises(OperatorError, match=r"let go first|stop first"):
            loop.judge.order(order, argument)
    loop.judge.order("stop", "by the operator")
    loop.go(0.5)
    assert loop.state is State.STOPPED and not loop.driver.moving
    no_limit_is_broken(loop)


def test_outside_the_set_and_without_a_certificate_nothing_is_granted(cube: Configuration) -> None:
    """The refusal names what lacks; a heartbeat moves nothing."""
    away = np.array(cube.robot.start) + np.radians([0.0, 14.3, 0.0, 0.0, 0.0, 0.0, 0.0])
    for c, why in (
        (changed(cube, "emulator", start=away), "outside the stops"),
        (changed(cube, "stops", certified=""), "not certified"),
    ):
        loop = CalibrationLoop(quiet(c))
        loop.ready()
        loop.go(0.1)
        with pytest.raises(OperatorError, match=why):
            loop.ask_calibration()
        with pytest.raises(OperatorError, match="nothing is granted"):
            loop.beat()
        loop.go(0.2)
        assert not moved(loop)


def test_the_certificate_judges_every_command_of_it(cube: Configuration) -> None:
    """A driver whose motion is larger than what was looked at, by whatever mistake: FAULT, braked."""
    loop = CalibrationLoop(quiet(cube))
    loop.ready()
    loop.go(0.2)
    excitation = loop.driver._by_hand._motions[State.CALIBRATING]._excitation
    excitation._shape, excitation._most = 1.4 * excitation._shape, 1e3 * excitation._most
    loop.ask_calibration()
    loop.hold(2.0)
    loop.go(0.5)
    assert loop.state is State.FAULT and "allowed (stops.max_sp" in loop.reason
    assert not loop.driver.moving


@pytest.mark.parametrize("before", [s for s in State if s not in (State.READY, State.CALIBRATING)])
def test_the_driver_begins_no_calibration_by_itself(cube: Configuration, before: State) -> None:
    """Whatever a daemon orders: the state before must be READY, and the arm where its way was looked at."""
    d = Ordered(cube)
    d.cycle(before)
    d.order = calibration(d)
    d.cycle()
    assert "not READY" in d.end and not d.moved
    d.order = None
    d.cycle(State.READY)
    d.order = calibration(d, session=2, begin=tuple(d.q + 0.01))
    d.cycle()
    assert "not where its way" in d.end and not d.moved


def test_without_stops_the_driver_makes_no_such_motion(cube: Configuration) -> None:
    """There is nothing that its commands could be judged by."""
    d = Ordered(changed(cube, "stops", enabled=False))
    d.order = calibration(d)
    d.cycle()
    assert "no certified set" in d.end and not d.moved


def calibration(d: Ordered, session: int = 1, begin: tuple[float, ...] | None = None) -> Mode:
    """An order of CALIBRATING with a fresh heartbeat."""
    q = tuple(d.q.tolist()) if begin is None else begin
    permit = Permit(session, 1, d.t_ns, q, 0.0, "calibrate")
    return Machine(State.CALIBRATING, 1, permit=permit).mode(d.t_ns)
