"""An object with bodies inside in the whole loop: early answers, energy, recording, replay."""

from pathlib import Path

import numpy as np
import pytest

from bench.acceptance.inside_trials import CONFIGS
from hil.analysis.figures import figures
from hil.analysis.inside_words import inside_in_words
from hil.common.errors import ConfigurationError
from hil.configuration import load_configuration
from hil.configuration.loading import text_of
from hil.loop.driver.live_slices import LiveSlices
from hil.loop.inside_log import inside_turn, orders_of
from hil.loop.inside_setting import start_mobility
from hil.loop.judging.judge import Judge
from hil.loop.lockstep import LockStep, float_when_ready
from hil.loop.solids import other_frames, surroundings_of
from hil.messaging.inside_messages import InsideJoints
from hil.messaging.messages import ImpulseSlice
from hil.recording.lockstep_file import lockstep_recorder
from hil.recording.replaying.runner import in_one_process
from hil.wrench.detector.push_report import PushReport
from hil.wrench.force_path import force_path_ratio
from planner.kinematics.arm_model import load_arm_model
from sim.world.world import World

MASSES = np.array([12.0, 12.0, 12.0, 0.3, 0.4, 0.5])
START = [0.0, -60.0, 0.0, 90.0, 0.0, 60.0, 0.0]


def book(mobility: np.ndarray | None) -> LiveSlices:
    """Return the driver's books of one push of 100 ms."""
    made = LiveSlices(12.0, MASSES[3:], 0.3)
    if mobility is not None:
        made.answer_by(mobility)
    impulse = np.array([0.1, -0.2, 0.3, 0.04, 0.05, -0.06])
    item = ImpulseSlice(10**8, 1, 0, 0, True, True, False, False, 0, 10**8, 5 * 10**7, impulse, np.zeros(6))
    made.add(PushReport.of(item, 0, 0.2))
    return made


def test_a_push_is_answered_by_the_mobility() -> None:
    """Twist and displacement that the plan lacks are the mobility times impulse, and times its age."""
    W = np.linalg.inv(np.diag(MASSES) + 0.1 * np.ones((6, 6)))
    impulse = np.array([0.1, -0.2, 0.3, 0.04, 0.05, -0.06])
    found = book(W).missing(10**8, 15 * 10**7)
    assert found is not None
    assert found[0] == pytest.approx(W @ impulse, rel=1e-13)
    assert found[1] == pytest.approx(W @ impulse * 0.1, rel=1e-9)
    rigid, same = (
        book(None).missing(10**8, 15 * 10**7),
        book(np.diag(1.0 / MASSES)).missing(10**8, 15 * 10**7),
    )
    assert rigid is not None and same is not None
    assert same == pytest.approx(rigid, rel=1e-14)


def test_a_rigid_object_knows_nothing_of_it() -> None:
    """Without the table there is no mobility, no state of bodies inside and no further frame."""
    c = load_configuration(CONFIGS / "cube.toml")
    world = World(c)
    world.advance(10**8)
    assert start_mobility(c) is None and world.inside(10**8) is None
    assert other_frames(c) == [] and surroundings_of(c) == []
    assert len(world.state(10**8).other_poses) == 0


def test_the_force_path_counts_the_lighter_answer() -> None:
    """What answers like less mass than it has has the larger bias; a rigid mobility gives the rigid ratio."""
    c = load_configuration(CONFIGS / "panels.toml")
    rigid = np.diag(np.concatenate((np.full(3, 1.0 / c.object.mass), 1.0 / c.object.inertia)))
    assert force_path_ratio(c, rigid) == pytest.approx(force_path_ratio(c), rel=1e-12)
    assert force_path_ratio(c, start_mobility(c)) > 1.03 * force_path_ratio(c)


def test_what_a_push_asks_of_the_arm_is_told_and_bounded() -> None:
    """Frequencies stand side by side; more than the joints can is refused with both numbers."""
    c = load_configuration(CONFIGS / "panels.toml")
    model = load_arm_model(c.robot.model)
    told = inside_in_words(c, model)
    assert any("cantilever 0.4 Hz" in line and "free object 0.4257" in line for line in told)
    assert any("object.mass_kg = 80" in line and "of the whole object" in line for line in told)
    assert any("a push of 1 N s asks" in line for line in told)
    slow = c.limits.model_copy(update={"acceleration": np.full(7, 1e-4)})
    with pytest.raises(ConfigurationError, match="more than the arm can follow"):
        inside_in_words(c.model_copy(update={"limits": slow}), model)


@pytest.mark.parametrize(("name", "count"), [("servicer", 7), ("panels", 2), ("hinged", 3)])
def test_what_is_inside_is_drawn_where_it_is(name: str, count: int) -> None:
    """There is a frame, a pose and at least a solid for each body that moves inside."""
    c = load_configuration(CONFIGS / f"{name}.toml")
    frames = other_frames(c)
    assert len(frames) == len(World(c).other_poses_at_start) == count
    assert {solid.frame for solid in surroundings_of(c)} == set(frames)


def test_orders_are_told_as_they_came() -> None:
    """A turn's message gives back its orders, also those of a wrong length."""
    orders = [InsideJoints(1, np.arange(7.0), np.ones(7)), InsideJoints(2, np.arange(3.0), np.zeros(0))]
    found = orders_of(inside_turn(5, 1, orders))
    assert [order.t_ns for order in found] == [1, 2]
    for a, b in zip(orders, found, strict=True):
        assert np.array_equal(a.q, b.q) and np.array_equal(a.dq, b.dq)


def streamed(folder: Path) -> Path:
    """Return the file of the servicer with joints by orders, and one push after a second."""
    arm = (CONFIGS / "robots/lwr4.urdf").as_posix()
    text = (CONFIGS / "servicer.toml").read_text(encoding="utf-8").replace("robots/lwr4.urdf", arm)
    script = next(line for line in text.splitlines() if line.startswith("script ="))
    text = text.replace(script, f'motion = "stream"\nstart_deg = {START}')
    text = text.replace("count = 200", "count = 1").replace("first_s = 4.0", "first_s = 1.0")
    (folder / "streamed.toml").write_text(text, encoding="utf-8")
    return folder / "streamed.toml"


def test_a_stream_floats_is_recorded_and_replayed_the_same(tmp_path: Path) -> None:
    """Orders move base and arm, nothing is held, momentum stays, and all cores come to the same in replay."""
    path = streamed(tmp_path)
    c = load_configuration(path)
    recorder = lockstep_recorder(tmp_path / "run.mcap", c, text_of(path), (), duration_s="3.0")
    loop = LockStep(c, listener=recorder.take, operator=lambda t_ns, judge: operator(t_ns, judge))
    begin, told = np.deg2rad(START), [False]

    def operator(t_ns: int, judge: Judge) -> None:
        float_when_ready(t_ns, judge)
        if loop.floated_s > 0.5 and not told[0]:
            told[0] = True
            loop.inside.order(InsideJoints(t_ns, begin + 0.01, np.full(7, 0.15)))

    trace = loop.run(3.0)
    recorder.end({})
    found = figures(trace)
    assert told[0] and not loop.fault and found["plan"]["holds"] == 0
    assert found["velocity_error"]["sim"]["median"] is None
    assert np.ptp(trace.p_world_object_sim, axis=0).max() > 1e-3
    assert np.ptp(trace.inside_work) > 1e-4
    verdicts = in_one_process(tmp_path / "run.mcap", lambda core, turns: None)
    assert [verdict.core for verdict in verdicts if not verdict.same] == []
