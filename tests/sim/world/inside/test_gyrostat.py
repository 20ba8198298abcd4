"""An arm that moves as it is told inside a floating object: MuJoCo and conservation judge."""

import mujoco
import numpy as np
import pytest

from bench.acceptance import inside_trials as trials
from bench.acceptance.inside_oracle import judge_of, momenta, place
from hil.common.arrays import Array
from hil.common.geometry import matrix_from_quat
from hil.configuration import Configuration, load_configuration
from hil.messaging.inside_messages import InsideJoints
from hil.messaging.messages import ImpulseSlice
from sim.world.body import pack_body, step_body
from sim.world.flight.inside import InsideFlight
from sim.world.flight.inside_setting import inside_flight
from sim.world.slice_book import Acting
from sim.world.world import World

IDENTITY = np.array([1.0, 0.0, 0.0, 0.0])


def row_of(flight: InsideFlight, p: Array, quat: Array, twist: Array) -> Array:
    """Return the row at which a flight begins."""
    row = np.zeros(flight.row_size)
    flight.start_into(row, p, quat, twist)
    return row


def own_twist(flight: InsideFlight, row: Array) -> Array:
    """Return the base's twist in its own axes."""
    _, quat, twist = flight.motion(row)
    R = matrix_from_quat(quat)
    return np.concatenate((R.T @ twist[:3], R.T @ twist[3:]))


@pytest.mark.parametrize(("name", "most"), [("servicer", 1e-12), ("panels", 1e-12), ("hinged", 1e-12)])
def test_momentum_and_energy_of_all_bodies_stay(name: str, most: float) -> None:
    """P, L and energy less the motors' work, as the judge has them of where bodies are, do not drift."""
    found = trials.drift(name, 8.0)
    assert max(found.linear, found.angular) < most and found.energy < 1e-9


def test_a_base_answers_its_arm_as_the_generalised_jacobian_and_mujoco_have_it() -> None:
    """Twist and mobility are those of MuJoCo's matrices, the attitude that of its own driven arm."""
    twist, mobility, attitude = trials.reaction(2.5)
    assert twist < 1e-12 and mobility < 1e-12 and attitude < 1e-6


@pytest.mark.parametrize("name", ["servicer", "panels", "hinged"])
def test_a_late_push_changes_nothing_to_the_bit(name: str) -> None:
    """A push that is told 0.8 s late gives the states and the path of one in time, to the bit."""
    assert trials.late_push(name) == 0.0


@pytest.mark.parametrize("name", ["servicer", "panels", "hinged"])
def test_a_push_changes_the_twist_by_the_mobility_and_does_its_work(name: str) -> None:
    """The base's twist changes by W J; without motors the energy by J (V + V') / 2, whatever moves inside."""
    flight = inside_flight(trials.shipped(name))
    row = row_of(flight, *trials.START, trials.TUMBLE)
    for _ in range(50):
        flight.carry_into(row, 1e-3)
    J, before, held = (
        np.array([0.3, -0.2, 0.5, 0.04, -0.06, 0.02]),
        own_twist(flight, row),
        flight.energy(row),
    )
    done = flight.contact_work(row)
    W = flight.mobility(row)
    flight.push_into(row, J)
    after = own_twist(flight, row)
    assert after - before == pytest.approx(W @ J, abs=1e-14)
    gained = flight.energy(row) - held - (flight.contact_work(row) - done)
    assert gained == pytest.approx(float(J @ (before + after)) / 2.0, abs=1e-13)


@pytest.mark.parametrize("name", ["servicer", "panels", "hinged"])
def test_a_push_above_the_certified_speed_ends_at_it(name: str) -> None:
    """The base's speed and spin end at their caps, in the direction that was asked for."""
    flight = inside_flight(load_configuration(trials.CONFIGS / f"{name}.toml"))
    p, quat = np.array([0.79, 0.0, 0.15]), np.array([np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0])
    row = row_of(flight, p, quat, np.zeros(6))
    asked = flight.mobility(row) @ np.array([90.0, 20.0, -30.0, 30.0, 0.0, 20.0])
    slices = np.array([[0.0, 90.0, 20.0, -30.0, 30.0, 0.0, 20.0, 4.0]])
    cells = np.zeros(1, np.int64)
    flight.cell_into(row, 0, 0.0, Acting(slices, cells, np.zeros((1, 3), np.int64)))
    found = own_twist(flight, row)
    for part, cap in ((slice(0, 3), 0.15), (slice(3, 6), np.deg2rad(28.0))):
        wanted = asked[part] * cap / np.linalg.norm(asked[part])
        assert found[part] == pytest.approx(wanted, abs=1e-12)
    assert row[14] == row[13] == 4.0


def test_an_arm_that_stands_is_a_rigid_body_of_the_whole() -> None:
    """With joints that stand, path and spin are those of one rigid body, about its own centre."""
    c = trials.shipped("servicer")
    knot = {"time_s": 0.0, "joints_deg": [0.0, -60.0, 0.0, 90.0, 0.0, 60.0, 0.0]}
    inside = type(c.object.inside).model_validate(
        {"kind": "gyrostat", "arm": trials.CONFIGS / "robots/lwr4.urdf", "knot": [knot]}
    )
    c = c.model_copy(update={"object": c.object.model_copy(update={"inside": inside})})
    flight = inside_flight(c)
    row = row_of(flight, np.zeros(3), IDENTITY, trials.TUMBLE)
    model = judge_of(c, 1e-3)
    data = mujoco.MjData(model)
    place(model, data, flight.motion(row), np.array(flight.joints(row)), np.zeros(7))
    full = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, full)
    centre = momenta(model, data)[0]
    about = full[3:6, 3:6] - flight.mass * (centre @ centre * np.eye(3) - np.outer(centre, centre))
    moments, axes = np.linalg.eigh(about)
    axes[:, 0] *= np.linalg.det(axes)
    quat = np.empty(4)
    mujoco.mju_mat2Quat(quat, axes.ravel())
    body = np.array([flight.mass, *moments])
    state = np.concatenate((centre, quat, np.zeros(6)))
    state[7:13] = flight.momentum(row)[1] / np.repeat([flight.mass, 1.0], 3)
    free = np.full(17, np.inf)
    free[:3], free[6:10], free[12:] = 0.0, IDENTITY, (10.0, 0.0, 0.0, -2.0, -2.0)
    for _ in range(1000):
        flight.carry_into(row, 1e-3)
        state = step_body(state, body, free, np.zeros(6), 1e-3)
    turn = matrix_from_quat(state[3:7]) @ axes.T
    assert flight.motion(row)[0] == pytest.approx(state[:3] - turn @ centre, abs=1e-12)
    assert matrix_from_quat(flight.motion(row)[1]) == pytest.approx(turn, abs=1e-12)
    assert pack_body(c.object)[0] < flight.mass


@pytest.mark.parametrize("name", ["servicer", "panels", "hinged"])
def test_a_stop_gives_back_what_it_took(name: str) -> None:
    """Springs that turn the object back neither add nor take energy, an arm standing."""
    c = trials.shipped(name)
    if name == "servicer":
        c = streamed_servicer(c)  # nobody orders anything: its arm stands, and no motor does work
    c = c.model_copy(update={"stops": c.stops.model_copy(update={"enabled": True})})
    flight = inside_flight(c)
    p, quat = np.array(c.stops.centre), np.array([np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0])
    row = row_of(flight, p, quat, np.array([0.1, 0.05, 0.02, 0.0, 0.2, 0.0]))
    first = flight.energy(row)
    furthest, turned = 0.0, False
    for _ in range(2500):
        flight.carry_into(row, 1e-3)
        furthest = max(furthest, abs(flight.motion(row)[0][0] - p[0]))
        turned |= bool(flight.motion(row)[2][0] < 0.0)
    assert furthest > c.stops.half_extent[0] and turned
    # half kicks at both ends of a step err by (w h)^2 / 8 while a spring is bent, and by less behind it
    assert flight.energy(row) == pytest.approx(first, rel=1e-4)


def test_predictions_come_true() -> None:
    """Where nothing is pushed, the object is where it was foresaid, by a script and by orders."""
    for streamed in (False, True):
        c = load_configuration(trials.CONFIGS / "servicer.toml")
        if streamed:
            c = streamed_servicer(c)
        world = World(c)
        world.restart(0, 1, c.stops.centre, np.array([np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0]), np.zeros(6))
        if streamed:
            world.order(InsideJoints(0, START_DEG + 0.01, np.full(7, 0.05)))
        world.advance(4_000_000_000 if not streamed else 100_000_000)
        t_ns = 4_000_000_000 if not streamed else 100_000_000
        path = world.predict(t_ns)
        world.advance(t_ns + 2_000_000_000)
        later = world.state(t_ns + 2_000_000_000)
        assert path.p_world_object[-1] == pytest.approx(later.p_world_object, abs=1e-9)
        assert path.twist_world_object[-1] == pytest.approx(later.twist_world_object, abs=1e-9)
        assert np.ptp(path.p_world_object, axis=0).max() > 1e-3


START_DEG = np.deg2rad([0.0, -60.0, 0.0, 90.0, 0.0, 60.0, 0.0])


def streamed_servicer(c: Configuration) -> Configuration:
    """Return a configuration whose arm moves by orders."""
    inside = type(c.object.inside).model_validate(
        {"kind": "gyrostat", "arm": trials.CONFIGS / "robots/lwr4.urdf", "motion": "stream",
         "start_deg": np.rad2deg(START_DEG).tolist()}
    )  # fmt: skip
    return c.model_copy(update={"object": c.object.model_copy(update={"inside": inside})})


def test_a_late_order_acts_as_one_in_time() -> None:
    """An order to the joints that comes 0.3 s late gives the states of one in time.

    To the bit, pushes too.
    """
    c = streamed_servicer(load_configuration(trials.CONFIGS / "servicer.toml"))
    push = ImpulseSlice(
        10**9, 1, 0, 0, True, True, False, False, 0, 10**9, 800_000_000, np.full(6, 0.1), np.zeros(6)
    )
    found = []
    for late in (0, 300_000_000):
        world = World(c)
        world.restart(0, 1, c.stops.centre, np.array([np.sqrt(0.5), 0.0, np.sqrt(0.5), 0.0]), np.zeros(6))
        for t_ns in range(0, 1_500_000_001, 50_000_000):
            world.advance(t_ns)
            if t_ns == 700_000_000 + late:
                world.order(InsideJoints(700_000_000, START_DEG + 0.02, np.full(7, 0.1)))
            if t_ns == 1_200_000_000:
                world.apply(push)
        found.append(world.state(1_500_000_000))
    assert np.array_equal(found[0].twist_world_object, found[1].twist_world_object)
    assert np.array_equal(found[0].other_poses, found[1].other_poses)
    assert np.abs(found[0].twist_world_object).max() > 1e-4
