"""The emulated force sensor: its load against MuJoCo's own force sensor, its clock, its wire."""

import socket
from itertools import pairwise

import mujoco
import numpy as np
import pytest

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.sensor.emulated_sensor import EmulatedSensor
from drivers.emulation.sensor.felt import FeltWrench
from drivers.emulation.sensor.server import SensorServer
from drivers.robot.model import MOCKUP, robot_spec
from drivers.sensor.rdt import Command, SensorRecord, decode_record, encode_request
from hil.common.free_port import free_port
from hil.configuration import Configuration
from hil.configuration.frames import Frames, mockup_centre, pose_of
from hil.wrench.load.held import HeldWeight
from planner.kinematics.arm_model import load_arm_model
from planner.kinematics.forward import flange_pose

TILTED = {
    "mount_rotvec": np.array([0.3, -0.2, 0.4]),
    "tcp_rotvec": np.array([0.1, 0.5, -0.3]),
    "tcp_position": np.array([0.01, -0.02, 0.05]),
}
PLACED = {
    "kind": "emulated",
    "position": np.array([0.01, 0.02, 0.03]),
    "rotvec": np.array([0.2, -0.4, 0.6]),
}
QUIET = {"noise_force": 0.0, "noise_torque": 0.0, "lag": 0.0, "drift": 0.0}


def with_sensor(cube: Configuration, **errors: object) -> Configuration:
    """The cube on a tilted mount, its tool and its sensor turned."""
    emulator = cube.emulator.model_copy(
        update={"sensor": cube.emulator.sensor.model_copy(update=errors or {})}
    )
    inertia = np.array([0.06, 0.08, 0.1])
    return cube.model_copy(
        update={
            "robot": cube.robot.model_copy(update=TILTED),
            "sensor": cube.sensor.model_copy(update=PLACED),
            "mockup": cube.mockup.model_copy(update={"inertia": inertia}),
            "emulator": emulator,
        }
    )


def by_mujoco(c: Configuration, q: np.ndarray, dq: np.ndarray, ddq: np.ndarray) -> np.ndarray:
    """What MuJoCo's force and torque sensors at the flange read, sensor axes, (6,)."""
    frames = Frames.from_configuration(c)
    spec = robot_spec(c, frames)
    T = np.linalg.inv(frames.T_flange_tcp) @ pose_of(c.sensor.rotvec, c.sensor.position)
    quat = np.empty(4)
    mujoco.mju_mat2Quat(quat, T[:3, :3].ravel())
    spec.body(MOCKUP).add_site(name="sensor", pos=T[:3, 3], quat=quat)
    for name, kind in (("f", mujoco.mjtSensor.mjSENS_FORCE), ("t", mujoco.mjtSensor.mjSENS_TORQUE)):
        spec.add_sensor(name=name, type=kind, objtype=mujoco.mjtObj.mjOBJ_SITE, objname="sensor")
    model = spec.compile()
    data = mujoco.MjData(model)
    data.qpos[:], data.qvel[:], data.qacc[:] = q, dq, ddq
    mujoco.mj_inverse(model, data)
    mujoco.mj_rnePostConstraint(model, data)
    mujoco.mj_sensorAcc(model, data)
    return np.array(data.sensordata)


def test_weight_and_inertia_are_those_of_mujoco(cube: Configuration) -> None:
    """In twelve random motions, to its own precision; MuJoCo tells what the flange exerts, we the reverse."""
    c, rng = with_sensor(cube), np.random.default_rng(2)
    controller = EmulatedController(c)
    arm, felt = controller.arm, FeltWrench(c, controller.arm)
    for _ in range(12):
        q, dq, ddq = rng.uniform(-1.5, 1.5, 7), rng.normal(0, 1.0, 7), rng.normal(0, 5.0, 7)
        arm.motion.update(arm._chain, q, dq, ddq)
        assert felt.now(np.zeros(6)) == pytest.approx(-by_mujoco(c, q, dq, ddq), abs=1e-9)


def test_at_rest_it_reads_the_weight_that_the_driver_takes_out(cube: Configuration) -> None:
    """Closed form: m g downwards at the mock-up's centre; in any pose nothing is left of it."""
    c, rng = with_sensor(cube), np.random.default_rng(4)
    controller, geometry = EmulatedController(c), load_arm_model(c.robot.model).geometry
    arm, felt, weight = controller.arm, FeltWrench(c, controller.arm), HeldWeight.of(c, mockup_centre(c))
    for _ in range(8):
        q = rng.uniform(-1.5, 1.5, 7)
        arm.motion.update(arm._chain, q, np.zeros(7), np.zeros(7))
        read = felt.now(np.zeros(6))
        assert np.linalg.norm(read[:3]) == pytest.approx(c.mockup.mass * 9.81, rel=1e-12)
        assert weight.read(flange_pose(geometry, q)[:3, :3]) == pytest.approx(read, abs=1e-9)


def records_of(sensor: EmulatedSensor, cycles: int, fault: str = "", push: float = 0.0) -> list[SensorRecord]:
    wrench = np.array([push, 0.0, 0.0, 0.0, 0.0, 0.0])
    told = [m for n in range(cycles) for m in sensor.measure(0.002 * n, wrench, fault)]
    return [decode_record(data, round(1e9 * t)) for t, data in told]


def test_its_clock_is_fast_by_what_is_configured(cube: Configuration) -> None:
    """100 ppm at 1 kHz: 20 003 records in 20 s and a bit, evenly apart by its own second; same by seed."""
    c = with_sensor(cube, clock_ppm=100.0)
    arm = EmulatedController(c).arm
    records = records_of(EmulatedSensor(c, arm, 1), 10_001)
    assert len(records) == 20_003  # at 0, and 20 000 x 1.0001 more
    assert [r.sequence for r in records] == list(range(1, 20_004))
    gaps = np.diff([r.arrival_ns for r in records])
    assert gaps == pytest.approx(np.full(20_002, 1e6 / 1.0001), abs=2.0)
    assert {(b.measurement - a.measurement) % 2**32 for a, b in pairwise(records)} == {1}
    assert records_of(EmulatedSensor(c, arm, 1), 100) == records_of(EmulatedSensor(c, arm, 1), 100)
    assert records_of(EmulatedSensor(c, arm, 2), 100) != records_of(EmulatedSensor(c, arm, 1), 100)


def test_noise_bias_drift_and_sign_are_those_configured(cube: Configuration) -> None:
    """Means and deviations over 4 s, within four standard errors."""
    c = with_sensor(cube, lag=0.0, drift=0.05)
    arm = EmulatedController(c).arm
    truth = FeltWrench(c, arm).now(np.zeros(6))
    records = records_of(EmulatedSensor(c, arm, 3), 2001)
    read = np.array([r.counts for r in records]) / 1e6
    errors = c.emulator.sensor
    expected = np.concatenate((errors.bias_force + 0.05 * 2.0, errors.bias_torque)) + truth
    ramp = np.outer(np.arange(len(read)) * 1e-3 - 2.0, np.repeat([0.05, 0.0], 3))
    noise = np.repeat([errors.noise_force, errors.noise_torque], 3)
    assert (np.abs(read.mean(0) - expected) < 4 * noise / np.sqrt(len(read))).all()
    assert (read - ramp).std(0) == pytest.approx(noise, rel=0.05)
    flipped = c.model_copy(update={"sensor": c.sensor.model_copy(update={"sign": -1})})
    assert records_of(EmulatedSensor(flipped, arm, 3), 10)[5].counts == tuple(-x for x in records[5].counts)


def test_its_filter_is_a_first_order_lag(cube: Configuration) -> None:
    """A push that rises to 10 N within a cycle T: 1 - (tau/T) (exp(T/tau) - 1) exp(-t/tau) of it."""
    c = with_sensor(cube, **(QUIET | {"lag": 0.004, "clock_ppm": 0.0}))
    sensor = EmulatedSensor(c, EmulatedController(c).arm, 1)
    still = np.array(records_of(sensor, 1)[-1].counts)
    step = [m for n in range(1, 20) for m in sensor.measure(0.002 * n, np.array([10.0, 0, 0, 0, 0, 0]), "")]
    sizes = [np.linalg.norm((np.array(decode_record(m.data, 0).counts) - still)[:3]) * 1e-6 for m in step]
    t = np.array([m.t for m in step[1:]])
    expected = 10.0 * (1.0 - 0.004 / 0.002 * (np.exp(0.5) - 1.0) * np.exp(-t / 0.004))
    assert np.array(sizes[1:]) == pytest.approx(expected, abs=1e-5)


def test_every_fault_shows_in_the_records(cube: Configuration) -> None:
    """What tests and `zerog disturb` ask for is what the wire then says."""
    c = with_sensor(cube)
    arm = EmulatedController(c).arm
    made = {
        kind: records_of(EmulatedSensor(c, arm, 1), 200, kind)
        for kind in ("", "nan", "saturated", "stuck", "reversed", "silent", "idle", "latched", "lossy")
    }
    well = made[""]
    assert {r.status for r in well} == {0}
    assert {r.status for r in made["nan"]} == {0x80000010}
    assert {r.status for r in made["latched"]} == {0x80010000}
    assert {(r.status, r.counts[0]) for r in made["saturated"]} == {(0x80020000, 580_000_000)}
    assert len({r.counts for r in made["stuck"]}) == 1 < len({r.counts for r in well})
    assert made["reversed"][9].counts == tuple(-x for x in well[9].counts)
    assert made["silent"] == []
    assert len({r.measurement for r in made["idle"]}) == 1
    assert 0.6 < len(made["lossy"]) / len(well) < 0.8


def test_a_load_beyond_its_range_saturates(cube: Configuration) -> None:
    """It reads its end and says so."""
    c = with_sensor(cube)
    records = records_of(EmulatedSensor(c, EmulatedController(c).arm, 1), 50, push=2000.0)
    assert records[-1].status == 0x80020000
    assert max(abs(x) for x in records[-1].counts[:3]) == 580_000_000


@pytest.fixture
def served(cube: Configuration):
    """A server, its sensor, and two clients' sockets."""
    c = with_sensor(cube)
    s = c.sensor.model_copy(update={"port": free_port(socket.SOCK_DGRAM)})
    sensor = EmulatedSensor(c, EmulatedController(c).arm, 1)
    server = SensorServer(sensor, s)
    clients = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(2)]
    for client in clients:
        client.settimeout(2.0)
        client.connect(("127.0.0.1", s.port))
    yield sensor, server, clients
    server.close()
    for client in clients:
        client.close()


def test_the_last_who_asks_has_the_stream_and_stops_it(served) -> None:
    """One client at a time, numbers from 1 for each; garbage is passed over; a count ends it by itself."""
    sensor, server, (first, second) = served
    turn = iter(range(1, 100))

    def cycle() -> None:
        server.take_requests()
        server.send(sensor.measure(0.002 * next(turn), np.zeros(6), ""))

    def heard(client: socket.socket) -> list[int]:
        client.setblocking(False)
        numbers = []
        while True:
            try:
                numbers.append(decode_record(client.recv(100), 0).sequence)
            except BlockingIOError:
                return numbers

    cycle()
    first.send(b"no request")
    first.send(encode_request(Command.STREAM))
    cycle()
    cycle()
    assert heard(first) == [1, 2, 3, 4]
    second.send(encode_request(Command.STREAM))
    cycle()
    assert (heard(first), heard(second)) == ([], [1, 2])
    second.send(encode_request(Command.STOP))
    cycle()
    assert heard(second) == []
    first.send(encode_request(Command.STREAM, 3))
    cycle()
    cycle()
    assert heard(first) == [1, 2, 3]


def test_the_softwares_bias_takes_what_it_reads_for_nothing(served) -> None:
    """After it the weight is gone from the reading, to the noise."""
    sensor, server, (client, _) = served
    before = decode_record(sensor.measure(0.002, np.zeros(6), "")[-1].data, 0)
    assert max(abs(x) for x in before.counts[:3]) > 10_000_000
    client.send(encode_request(Command.BIAS))
    server.take_requests()
    after = decode_record(sensor.measure(0.004, np.zeros(6), "")[-1].data, 0)
    assert max(abs(x) for x in after.counts[:3]) < 200_000
