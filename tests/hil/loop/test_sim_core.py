"""The simulation's turn: where a floating begins, and whose pace it obeys."""

import dataclasses

import numpy as np
import pytest

from hil.common.geometry import matrix_from_quat
from hil.common.time_map import TIME_RATE_SLEW
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.judging.state_machine import Machine, State
from hil.loop.sim_core import SET_OFF, SimCore
from hil.messaging.codec import over_the_wire
from hil.messaging.messages import ImpulseSlice, RobotState, SimState
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose

MS = 1_000_000
DELAY = 0.03
RAMP = 1.0 / TIME_RATE_SLEW  # [s] from standing to full pace, half of which is lost


@dataclasses.dataclass(frozen=True)
class Asked:
    """What the simulation obeys of a plan."""

    epoch: int
    time_rate: float
    t_ns: int = 0


class Turns:
    """A simulation that turns every 5 ms."""

    def __init__(self, c: Configuration) -> None:
        self.sim = SimCore(c, load_arm_model(c.robot.model))
        self.t_ms = 1000
        q = np.array(c.robot.start)
        self.robot = RobotState(
            t_ns=0, arrival_ns=0, session="command", quality=3, power_on=True,
            q_measured=q + 0.02, q_command=q,
            dq_command=np.zeros(7), wrench_object=np.zeros(6), wrench_witness=np.zeros(6), delay=DELAY,
            following=False, braking_reason="", fault="", refusal="", cycles=0, missed=0, cycle_p50=0.0,
            sample_to_command_p50=0.0, ring_p50=0.0, unsent=0, unsent_reason="", warning="",
            approach_session=0, approach_end="",
        )  # fmt: skip

    def turn(
        self,
        epoch: int = 1,
        state: State = State.FLOATING,
        plan: Asked | None = None,
        push: ImpulseSlice | None = None,
    ) -> SimState:
        """One turn."""
        self.t_ms += 5
        mode = Machine(state, epoch).mode(self.t_ms * MS)
        found = self.sim.step(self.t_ms * MS, mode, self.robot, [push] if push else [], plan)
        assert found is not None
        return found

    def until(self, t_ms: int, epoch: int = 1, plan: Asked | None = None) -> SimState:
        """Turns up to an instant; the newest state."""
        while self.t_ms < t_ms - 5:
            self.turn(epoch, plan=plan)
        return self.turn(epoch, plan=plan)


@pytest.fixture
def turns(cube: Configuration) -> Turns:
    """The default configuration, about to float."""
    return Turns(cube)


@pytest.mark.parametrize("state", [State.READY, State.FLOATING])
def test_the_object_is_where_the_arm_is_commanded(turns: Turns, cube: Configuration, state: State) -> None:
    """Standing, and in the first turn of a floating: FK of `q_command`; the measured arm is elsewhere."""
    model, frames = load_arm_model(cube.robot.model), Frames.from_configuration(cube)

    def held(q: np.ndarray) -> np.ndarray:
        return frames.T_world_base @ flange_pose(model.geometry, q) @ frames.T_flange_object

    found, T = turns.turn(state=state), held(turns.robot.q_command)
    np.testing.assert_allclose(found.p_world_object, T[:3, 3], atol=1e-12)
    np.testing.assert_allclose(matrix_from_quat(found.quat_world_object), T[:3, :3], atol=1e-12)
    assert np.linalg.norm(held(turns.robot.q_measured)[:3, 3] - T[:3, 3]) > 5e-3


def test_object_time_gains_pace_when_the_arm_can_follow(turns: Turns) -> None:
    """It stands for delay and `SET_OFF`, then slews to full pace: s = t - delay - SET_OFF - ramp / 2."""
    turns.turn()
    begun = turns.t_ms
    stand = 1e3 * (DELAY + SET_OFF)
    still = turns.until(begun + round(stand) - 5)
    assert (still.object_time, still.time_rate) == (0.0, 0.0)
    soon = turns.until(begun + round(stand) + 20)
    u = 1e-3 * (turns.t_ms - begun - stand)
    assert soon.object_time == pytest.approx(0.5 * TIME_RATE_SLEW * u * u, abs=1e-12)
    later = turns.until(begun + 600)
    assert later.time_rate == 1.0
    assert later.object_time == pytest.approx(1e-3 * (turns.t_ms - begun - stand) - 0.5 * RAMP, abs=1e-12)


@pytest.mark.parametrize("epoch", [0, 2])
def test_the_pace_of_another_floatings_plan_is_ignored(turns: Turns, epoch: int) -> None:
    """A plan of another epoch that asks for a stand changes nothing; one of this epoch is obeyed."""
    turns.until(2000)
    assert turns.until(2500, plan=Asked(epoch, 0.0)).time_rate == 1.0
    assert turns.until(3000, plan=Asked(1, 0.25)).time_rate == 0.25
    assert turns.until(3500).time_rate == 0.25, "until another is asked for"


def test_the_pace_of_the_last_floating_is_forgotten(turns: Turns) -> None:
    """The last plan of a floating asked for a stand; the next floating runs, plan or no plan."""
    assert turns.until(2000, plan=Asked(1, 0.0)).time_rate == 0.0
    turns.turn(state=State.READY)
    assert turns.until(3000, epoch=2).time_rate == 1.0
    assert turns.until(3500, epoch=2, plan=Asked(1, 0.0)).time_rate == 1.0


def test_an_operators_hold_stands_and_ends_at_the_asked_pace(turns: Turns) -> None:
    """HOLDING by an operator brings object time to a stand, whatever a plan asks; then its pace is back."""
    turns.until(2000, plan=Asked(1, 0.5))
    for _ in range(100):
        held = turns.turn(state=State.HOLDING, plan=Asked(1, 0.5))
    assert held.time_rate == 0.0
    assert turns.until(turns.t_ms + 500).time_rate == 0.5


def test_a_hold_in_the_first_turn_of_a_floating_stands(turns: Turns) -> None:
    """The last floating stood as well when it ended: object time must not run for that."""
    turns.until(2000, plan=Asked(1, 0.0))
    turns.turn(state=State.READY)
    for _ in range(200):
        held = turns.turn(epoch=2, state=State.HOLDING)
    assert held.time_rate == 0.0 and held.object_time < DELAY + SET_OFF + RAMP


def test_an_operators_motion_is_how_floating_begins(turns: Turns, cube: Configuration) -> None:
    """The order's twist if it has one, else the configured one."""
    twist = (0.05, -0.02, 0.01, 0.1, -0.1, 0.2)
    turns.t_ms += 5
    mode = Machine(State.FLOATING, 1, initial_twist=twist).mode(turns.t_ms * MS)
    found = turns.sim.step(turns.t_ms * MS, over_the_wire(mode), turns.robot, [], None)
    np.testing.assert_allclose(found.twist_world_object, twist, atol=1e-12)
    again = turns.turn(epoch=2)
    configured = np.concatenate([cube.object.initial_velocity, cube.object.initial_spin])
    np.testing.assert_allclose(again.twist_world_object, configured, atol=1e-12)


def piece(t_ms: int, revision: int, force: float) -> ImpulseSlice:
    """A slice along the object's x."""
    t_ns, impulse = t_ms * MS, np.array([force, 0, 0, 0, 0, 0])
    return ImpulseSlice(
        t_ns, 1, 0, revision, False, False, False, False, t_ns, t_ns, t_ns, impulse, np.zeros(6)
    )


def test_of_the_revisions_of_a_turn_the_newest_acts(turns: Turns, cube: Configuration) -> None:
    """Three come at once, out of order: the velocity changes by the newest over the mass."""
    before = turns.until(2000)
    now = turns.t_ms
    turns.t_ms += 5
    slices = [piece(now, 0, 9.0), piece(now, 2, 3.0), piece(now, 1, 6.0)]
    mode = Machine(State.FLOATING, 1).mode(turns.t_ms * MS)
    after = turns.sim.step(turns.t_ms * MS, mode, turns.robot, slices, None)
    change = after.twist_world_object[:3] - before.twist_world_object[:3]
    assert np.linalg.norm(change) == pytest.approx(3.0 / cube.object.mass, rel=1e-9)
    assert after.slices.tolist() == [[1, 0, 2]]


def test_predictions_come_at_their_rate_and_sooner_after_a_push(turns: Turns, cube: Configuration) -> None:
    """Without a push one a period. After one as soon as the planner is idle: its plan is there, or 8 ms on.

    So from a push in every turn come no more predictions than the planner can answer.
    """
    period_ms = 1e3 / cube.simulation.prediction_rate

    def predicted(turn_count: int, pushed: bool, answered: bool) -> list[int]:
        found: list[int] = []
        for _ in range(turn_count):
            plan = Asked(1, 1.0, found[-1] * MS) if answered and found else None
            turns.turn(plan=plan, push=piece(turns.t_ms, turns.t_ms, 0.01) if pushed else None)
            if turns.sim.predict(turns.t_ms * MS) is not None:
                found.append(turns.t_ms)
                assert turns.sim.predict(turns.t_ms * MS) is not None, "still due until the next turn"
        return found

    assert np.diff(predicted(60, pushed=False, answered=True)).tolist() == [period_ms] * 7
    assert set(np.diff(predicted(60, pushed=True, answered=True))) == {5}
    assert set(np.diff(predicted(60, pushed=True, answered=False))) == {10}, "8 ms, in turns of 5"


def test_a_pace_asked_for_while_object_time_stands_begins_after_the_stand(turns: Turns) -> None:
    """The arm cannot follow sooner for it: object time is still zero when the stand ends."""
    turns.turn()
    begun = turns.t_ms
    stand_ms = round(1e3 * (DELAY + SET_OFF))
    still = turns.until(begun + stand_ms - 5, plan=Asked(1, 0.5))
    assert (still.object_time, still.time_rate) == (0.0, 0.0)
    assert turns.until(begun + 600).time_rate == 0.5
