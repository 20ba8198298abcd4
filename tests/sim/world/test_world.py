"""The world: impulses, the certified speed, slowed time, prediction."""

from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import ConfigurationError
from hil.common.geometry import matrix_from_quat
from hil.common.time_map import object_time_at
from hil.configuration import load_configuration
from hil.configuration.schema import Stops
from hil.configuration.stops_axis import nominal_quat
from hil.messaging.messages import ImpulseSlice
from sim.world.world import World

CUBE = load_configuration(Path(__file__).parents[3] / "configs" / "cube.toml")
ASYMMETRIC = CUBE.model_copy(
    update={"object": CUBE.object.model_copy(update={"inertia": np.array([2.0, 3.5, 4.5])})}
)
FREE = CUBE.model_copy(update={"stops": Stops(enabled=False)})
START_NS = 5_000_000_000
MS = 1_000_000
TWIST = np.array([0.1, 0.05, -0.04, 0.1, 0.2, -0.2])


def started(configuration=CUBE, twist=TWIST):
    """Return a world that floats from the stops' centre on."""
    world = World(configuration)
    world.restart(START_NS, 3, CUBE.stops.centre, nominal_quat(CUBE.stops), twist)
    return world


def push(t_ms, impulse, impulse_id=1, slice_index=0, revision=0):
    """Return a slice whose centroid is `t_ms` after the start."""
    t_ns = START_NS + round(t_ms * MS)
    value = np.asarray(impulse, float)
    return ImpulseSlice(
        t_ns,
        impulse_id,
        slice_index,
        revision,
        False,
        False,
        False,
        False,
        t_ns,
        t_ns,
        t_ns,
        value,
        np.zeros(6),
    )


def run_until(world, t_ms):
    """Advance the world by cycles of 5 ms and return its state at the end."""
    for n in range(5, t_ms + 1, 5):
        world.advance(START_NS + n * MS)
    return world.state(START_NS + t_ms * MS)


def test_impulse_acts_about_the_centre_of_mass_in_object_axes():
    """Velocity changes by R J / m and spin by R I^-1 J_ang, at the centroid and between grid points."""
    world = started(FREE)
    impulse = np.array([1.0, -2.0, 0.5, 0.1, 0.2, -0.3])
    world.apply(push(100.4, impulse))
    before = world.state(START_NS + round(100.399 * MS))
    after = world.state(START_NS + round(100.4 * MS))
    R = matrix_from_quat(after.quat_world_object)
    change = after.twist_world_object - before.twist_world_object
    assert np.allclose(change[:3], R @ impulse[:3] / 60.0, atol=1e-12)
    assert np.allclose(change[3:], R @ impulse[3:] / 3.0, atol=1e-12)


def test_free_flight_is_a_straight_line_between_grid_points_too():
    """State at any instant is on the line p0 + v t, and object time is wall time since the start."""
    world = started(FREE)
    for t in (0.0, 0.0123456, 0.4999, 0.5):
        state = world.state(START_NS + round(t * 1e9))
        assert np.allclose(state.p_world_object, CUBE.stops.centre + t * TWIST[:3], atol=1e-9)
        assert (state.object_time, state.time_rate, state.epoch) == (pytest.approx(t), 1.0, 3)


def test_newest_revision_counts_and_zeros_take_back():
    """A slice that is revised ends as its last revision; revised to zeros it never was."""
    world, once, never = started(), started(), started()
    for revision, scale in ((1, 0.5), (3, 1.0), (2, 9.0)):
        world.apply(push(100, [scale, 0, 0, 0, 0, 0.1], revision=revision))
        world.advance(START_NS + (110 + revision) * MS)
    once.apply(push(100, [1.0, 0, 0, 0, 0, 0.1]))
    assert np.array_equal(run_until(world, 300).p_world_object, run_until(once, 300).p_world_object)
    world.apply(push(100, np.zeros(6), revision=4))
    assert np.array_equal(
        world.state(START_NS + 300 * MS).twist_world_object, run_until(never, 300).twist_world_object
    )


def test_slices_that_cannot_be_are_ignored():
    """A slice from before the restart, or of NaN, changes nothing and is counted."""
    world, other = started(), started()
    world.apply(push(10, [np.nan, 0, 0, 0, 0, 0]))
    world.apply(push(-1, [5.0, 0, 0, 0, 0, 0]))
    assert np.array_equal(run_until(world, 50).p_world_object, run_until(other, 50).p_world_object)
    assert world.ignored_slices == 2
    assert len(world.predict(START_NS + 50 * MS).slices) == 0


def test_slices_older_than_the_history_act_at_its_end():
    """Too late a slice is counted and changes the velocity all the same; its revision by the difference."""
    world = started(FREE)
    run_until(world, 3000)
    before = world.state(START_NS + 3000 * MS)
    world.apply(push(100, [6.0, 0, 0, 0, 0, 0]))
    run_until(world, 6000)
    world.apply(push(100, [9.0, 0, 0, 0, 0, 0], revision=1))
    world.advance(START_NS + 6005 * MS)
    after = world.state(START_NS + 6005 * MS)
    speed = np.linalg.norm(after.twist_world_object[:3] - before.twist_world_object[:3])
    assert world.late_slices == 2
    # the two parts act at different attitudes, so their sum is at most 9 N s
    assert 0.08 < speed * 60.0 / 100.0 <= 0.09 + 1e-9


def test_push_beyond_the_certified_speed_ends_at_it():
    """Speed ends at the cap in the direction asked for, spin likewise, and the state says so."""
    world, uncapped = started(), started()
    impulse = np.array([20.0, 5.0, -3.0, 0.0, 4.0, 1.0])
    world.apply(push(50, impulse))
    before, state = world.state(START_NS + 50 * MS - 1), world.state(START_NS + 50 * MS)
    R = matrix_from_quat(state.quat_world_object)
    wanted = before.twist_world_object + np.concatenate([R @ impulse[:3] / 60.0, R @ impulse[3:] / 3.0])
    for part, cap in ((slice(0, 3), CUBE.stops.max_speed), (slice(3, 6), CUBE.stops.max_spin)):
        got = state.twist_world_object[part]
        assert np.linalg.norm(got) == pytest.approx(cap, rel=1e-9)
        assert np.allclose(got / cap, wanted[part] / np.linalg.norm(wanted[part]), atol=1e-6)
    assert state.capped and not before.capped
    assert world.state(START_NS + 90 * MS).capped, "as long as no other push has come"
    uncapped.apply(push(50, 0.1 * impulse))
    assert not uncapped.state(START_NS + 50 * MS).capped


def test_stops_do_not_give_back_more_than_the_certified_speed():
    """A push within a stop counts what its spring holds: the object never leaves faster than the cap."""
    world = started(twist=np.array([0.15, 0, 0, 0, 0, 0]))
    world.apply(push(100.0 / 0.15 + 120, [12.0, 12.0, 0, 0, 0, 0]))
    fastest = 0.0
    for n in range(600, 2000, 5):
        world.advance(START_NS + n * MS)
        fastest = max(fastest, np.linalg.norm(world.state(START_NS + n * MS).twist_world_object[:3]))
    assert fastest <= CUBE.stops.max_speed * (1 + 1e-9)
    assert fastest > 0.99 * CUBE.stops.max_speed


def test_without_stops_there_is_no_cap():
    """A free body takes any push."""
    world = started(FREE)
    world.apply(push(50, [60.0, 0, 0, 0, 0, 0]))
    assert np.linalg.norm(world.state(START_NS + 60 * MS).twist_world_object[:3]) > 0.9


def test_push_during_hold_changes_velocity_only():
    """While object time stands still the pose stays, a push changes the twist, and the motion resumes so."""
    world = started()
    world.set_time_rate(START_NS + 100 * MS, 0.0)
    held = run_until(world, 500)
    assert held.time_rate == 0.0
    assert held.object_time == pytest.approx(0.1 + 0.1)  # 1 -> 0 at 5 per second
    world.apply(push(450, [3.0, 0, 0, 0, 0, 0.2]))
    pushed = run_until(world, 600)
    assert np.array_equal(pushed.p_world_object, held.p_world_object)
    assert np.array_equal(pushed.quat_world_object, held.quat_world_object)
    change = pushed.twist_world_object - held.twist_world_object
    R = matrix_from_quat(held.quat_world_object)
    assert np.allclose(change, np.concatenate([R @ [0.05, 0, 0], R @ [0, 0, 0.2 / 3.0]]), atol=1e-12)
    first = world.predict(START_NS + 600 * MS)
    node = object_time_at(first.time_map, 0.0)[0] - first.object_time_0
    assert np.allclose(
        first.p_world_object[0] + node * pushed.twist_world_object[:3], held.p_world_object, atol=1e-12
    )


def test_rate_change_leaves_the_past_as_it_was():
    """Wall times before a change keep their object times; after it time runs at the new rate."""
    world = started()
    run_until(world, 1000)
    past = [world.state(START_NS + t * MS) for t in (400, 700, 1000)]
    world.set_time_rate(START_NS + 300 * MS, 0.5)  # too late to change what has been
    for old in past:
        again = world.state(old.t_ns)
        assert again.object_time == old.object_time
        assert np.allclose(again.p_world_object, old.p_world_object, atol=1e-15)
    assert world.state(START_NS + 3000 * MS).object_time == pytest.approx(1.0 + 0.1 * 0.75 + 1.9 * 0.5)


def test_no_later_change_of_pace_touches_what_an_earlier_one_has_done():
    """At full pace, at half pace, within the ramp: as it was, after another change; before the start: 0."""
    world = started()
    run_until(world, 1000)
    world.set_time_rate(START_NS + 1000 * MS, 0.5)
    run_until(world, 1500)
    past = [world.state(START_NS + t * MS) for t in (600, 1000, 1050, 1300, 1500)]
    world.set_time_rate(START_NS + 1500 * MS, 1.0)
    run_until(world, 1550)
    for old in past:
        again = world.state(old.t_ns)
        assert (again.object_time, again.time_rate) == (old.object_time, old.time_rate)
        assert np.allclose(again.p_world_object, old.p_world_object, atol=1e-15)
    assert world.state(START_NS - 500 * MS).object_time == 0.0


def test_a_slice_that_came_too_late_stays_whatever_the_pace():
    """It acts at the oldest state; a change of pace does not carry it back out of reach."""
    world = started(FREE)
    run_until(world, 3000)
    before = world.state(START_NS + 3000 * MS).twist_world_object[:3]
    world.apply(push(100, [6.0, 0, 0, 0, 0, 0]))
    world.set_time_rate(START_NS + 3000 * MS, 0.5)
    after = run_until(world, 3100).twist_world_object[:3]
    assert np.linalg.norm(after - before) * 60.0 == pytest.approx(6.0)


def test_a_slice_to_come_is_foreseen():
    """Its centroid lies 100 ms ahead: the path foreseen has its velocity from there on, and comes true."""
    world, impulse = started(FREE), [6.0, 0, 0, 0, 0, 0]
    run_until(world, 500)
    world.apply(push(600, impulse))
    prediction = world.predict(START_NS + 500 * MS)
    for n, node in enumerate(prediction.twist_world_object[:20]):
        t_ms = round(1e3 * (prediction.object_time_0 + n * prediction.step))
        if abs(t_ms - 600) > 1:
            assert np.allclose(node, world.state(START_NS + t_ms * MS).twist_world_object, atol=1e-12), t_ms
    change = prediction.twist_world_object[15, :3] - prediction.twist_world_object[0, :3]
    assert np.linalg.norm(change) == pytest.approx(6.0 / 60.0)


def test_a_world_that_begins_anew_knows_nothing_of_before():
    """No slice, no pace, no lateness of the last floating."""
    world = started()
    run_until(world, 1500)
    world.apply(push(1450, [3.0, 0, 0, 0, 0, 0]))
    world.apply(push(100, [3.0, 0, 0, 0, 0, 0], 2))
    world.set_time_rate(START_NS + 1500 * MS, 0.2)
    run_until(world, 1600)
    world.restart(START_NS, 4, CUBE.stops.centre, nominal_quat(CUBE.stops), TWIST)
    assert (world.late_slices, world.ignored_slices) == (0, 0)
    fresh = started()
    again, first = run_until(world, 1600), run_until(fresh, 1600)
    assert np.array_equal(again.p_world_object, first.p_world_object)
    assert (again.object_time, again.time_rate, again.epoch) == (first.object_time, 1.0, 4)
    assert len(again.slices) == len(world.predict(START_NS + 1600 * MS).slices) == 0


@pytest.mark.parametrize("configuration", [CUBE, ASYMMETRIC], ids=["sphere", "asymmetric"])
def test_prediction_is_what_comes_true(configuration):
    """Every pose foreseen over 2 s, bounces included, is met within 20 um and 20 urad (here far less)."""
    world = started(configuration)
    foreseen = {}
    for n in range(5, 8000, 5):
        t_ns = START_NS + n * MS
        world.advance(t_ns)
        if n % 200 == 0:
            prediction = world.predict(t_ns)
            for k, node in enumerate(
                zip(prediction.p_world_object, prediction.quat_world_object, strict=True)
            ):
                foreseen.setdefault(
                    round((prediction.object_time_0 + k * prediction.step) / 0.02), []
                ).append(node)
        if n % 20 == 0:
            state = world.state(t_ns)
            for p, quat in foreseen.pop(n // 20, []):
                assert np.abs(p - state.p_world_object).max() < 1e-9
                assert np.abs(quat - state.quat_world_object).max() < 1e-9


def test_prediction_says_when_it_is_and_what_it_knows():
    """Nodes stand on multiples of the step, the map leads from `t_ns` on, newest slices are listed."""
    world = started()
    world.apply(push(700, [1.0, 0, 0, 0, 0, 0], 4, 1, 2))
    world.apply(push(720, [0.5, 0, 0, 0, 0, 0], 4, 0, 7))
    run_until(world, 750)
    world.set_time_rate(START_NS + 750 * MS, 0.4)
    t_ns = START_NS + 800 * MS
    world.advance(t_ns)
    prediction = world.predict(t_ns)
    assert prediction.p_world_object.shape == (101, 3)
    assert prediction.step == 0.02
    assert prediction.object_time_0 / 0.02 == pytest.approx(round(prediction.object_time_0 / 0.02))
    for later in (0.0, 0.05, 0.3):
        s, rate, _ = object_time_at(prediction.time_map, later)
        state = world.state(t_ns + round(later * 1e9))
        assert (s, rate) == (pytest.approx(state.object_time), pytest.approx(state.time_rate))
    assert prediction.object_time_0 <= object_time_at(prediction.time_map, 0.0)[0]
    assert prediction.slices.tolist() == [[4, 0, 7], [4, 1, 2]]
    assert world.predict(t_ns).number == prediction.number + 1


def test_predictions_name_slices_that_the_history_has_left_behind():
    """It reaches back a second; slices of two seconds are named, older ones are not."""
    world = started()
    world.apply(push(700, [1.0, 0, 0, 0, 0, 0], 4, 1, 2))
    world.apply(push(720, [0.5, 0, 0, 0, 0, 0], 4, 0, 7))
    run_until(world, 2500)
    world.apply(push(2450, [0.1, 0, 0, 0, 0, 0], 5, 0, 1))
    assert set(world._book._settled) == {(4, 0), (4, 1)}
    assert world.predict(START_NS + 2500 * MS).slices.tolist() == [[4, 0, 7], [4, 1, 2], [5, 0, 1]]
    assert world.predict(START_NS + 2710 * MS).slices.tolist() == [[4, 0, 7], [5, 0, 1]]
    assert world.predict(START_NS + 2900 * MS).slices.tolist() == [[5, 0, 1]]


def test_prediction_after_a_push_has_no_kink_where_it_is_followed():
    """From the node before now on the path runs with the velocity that the push has given."""
    world = started(FREE)
    run_until(world, 515)
    world.apply(push(505, [6.0, 0, 0, 0, 0, 0]))
    t_ns = START_NS + 515 * MS
    prediction, state = world.predict(t_ns), world.state(t_ns)
    assert prediction.object_time_0 == pytest.approx(0.5)
    v = state.twist_world_object[:3]
    for k in range(3):
        expected = state.p_world_object + v * (k * 0.02 - 0.015)
        assert np.allclose(prediction.p_world_object[k], expected, atol=1e-12)
        assert np.allclose(prediction.twist_world_object[k, :3], v, atol=1e-14)


def test_steps_that_do_not_fit_are_refused():
    """A prediction step that is no multiple of the grid's is refused with both values."""
    simulation = CUBE.simulation.model_copy(update={"step": 0.003})
    with pytest.raises(ConfigurationError, match=r"prediction_step_ms = 20 must be a multiple .* = 3"):
        World(CUBE.model_copy(update={"simulation": simulation}))


def test_warming_leaves_the_world_alone():
    """Compiling the kernels does not move the object."""
    world, other = started(), started()
    world.warm()
    assert np.array_equal(run_until(world, 20).p_world_object, run_until(other, 20).p_world_object)
