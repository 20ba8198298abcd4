"""The emulated controller's rules: states, quality, limits, fall-back, truth; and its link."""

import numpy as np
import pytest

from drivers.emulation.controller.controller import VELOCITY_LIMIT, EmulatedController
from drivers.emulation.link import EmulatedLink
from drivers.emulation.operator.replayed_wrench import ReplayedWrench
from drivers.fri.codec import CommandDatagram, decode_monitor, encode_command
from drivers.fri.session import wrench_tcp_in_base
from hil.common.errors import BadMessage
from hil.common.geometry import wrench_moved
from tests.drivers.emulation.loops import QUIET, LockStepClient, configured, sine_pose

T = 0.002
FAST = np.array([0.8, -0.6, 0.5, 0.7, -0.9, 0.8, 1.0])  # rad/s


def in_command(**tables):
    c = configured(**tables)
    controller = EmulatedController(c)
    client = LockStepClient(c, controller)
    client.until_command()
    return c, controller, client


def running(client: LockStepClient, cycles: int, speed=FAST, answer=lambda k: True):
    """Ramp up to a constant joint speed; return the path's references (cycles, 7)."""
    start = client.controller._path.reference.copy()
    q, references = start.copy(), []
    for k in range(cycles):
        q = q + T * speed * min(1.0, (k + 1) / 50)
        client.cycle(lambda _, q=q: q, answer=answer(k))
        references.append(client.controller._path.reference.copy())
    return np.array(references)


def test_command_state_comes_by_itself_once_the_link_has_been_perfect():
    """Monitor state at first; command state within 100 packets + 0.2 s of a client that answers all."""
    c = configured()
    controller = EmulatedController(c)
    client = LockStepClient(c, controller)
    qualities = []
    while controller.state == 1 and controller.cycle < 1000:
        qualities.append(client.cycle().quality)
    assert controller.cycle * T == pytest.approx(100 * 0.95 * T + 0.2, abs=3 * T)
    assert qualities[0] == 0 and qualities[-1] == 3 and sorted(qualities) == qualities
    assert client.session.refused == 0 and controller.operator.started


def test_an_operator_who_waits_counts_from_the_end_of_the_waiting():
    """A push due 50 ms after the start comes 50 ms after the waiting has ended, and not before."""
    push = {"time_s": 0.05, "force_n": [10.0, 0.0, 0.0], "duration_ms": 20.0}
    configuration = configured(operator={"push": [push]})
    controller = EmulatedController(configuration)
    controller.operator_waits = True
    client = LockStepClient(configuration, controller)
    client.until_command()
    for _ in range(100):
        client.cycle(lambda sample: sample.q_commanded)
        assert not controller.operator.wrench_world.any()
    controller.operator_waits = False
    begin = controller.t
    for _ in range(60):
        client.cycle(lambda sample: sample.q_commanded)
    (record,) = controller.operator.records
    assert record.t_start - begin == pytest.approx(0.05, abs=2.0 * configuration.fri.sample_time)


def test_an_operator_rests_while_he_waits_and_goes_on_from_there():
    """Pushes due at 50 and 150 ms: after a rest of 200 ms from 100 ms on the second comes at 350 ms."""
    pushes = [{"time_s": t, "force_n": [10.0, 0.0, 0.0], "duration_ms": 20.0} for t in (0.05, 0.15)]
    configuration = configured(operator={"push": pushes})
    controller = EmulatedController(configuration)
    client = LockStepClient(configuration, controller)
    client.until_command()
    controller.operator_waits = False
    begin, T = controller.t, configuration.fri.sample_time

    def until(t: float) -> None:
        while controller.t < begin + t:
            client.cycle(lambda sample: sample.q_commanded)

    until(0.1)
    controller.operator_waits = True
    until(0.3)
    assert len(controller.operator.records) == 1 and not controller.operator.wrench_world.any()
    controller.operator_waits = False
    until(0.5)
    first, second = controller.operator.records
    assert second.t_start - first.t_start == pytest.approx(0.1 + 0.2, abs=2.0 * T)


def test_nobody_answering_leaves_monitor_state_for_good():
    """Without answers quality stays unacceptable and the arm does not move."""
    c = configured()
    controller = EmulatedController(c)
    for _ in range(500):
        data = controller.send()
        controller.advance()
    d = decode_monitor(data)
    assert (d.state, d.quality, d.miss_counter) == (1, 0, 499)
    np.testing.assert_allclose(controller.arm.q, c.robot.start, atol=1e-12)


def test_a_krl_request_can_be_required():
    """With `handshake = "krl_int"` command state waits for 10 in the client's first KRL integer."""
    c = configured(fri={"handshake": "krl_int"})
    controller = EmulatedController(c)
    for k in range(400):
        d = decode_monitor(controller.send())
        command = CommandDatagram(k, d.sequence, flags=1, krl_int=(10 if k >= 300 else 1, *[0] * 15))
        command.q[:] = d.q_commanded_total
        controller.receive(encode_command(command))
        controller.advance()
        assert (controller.state == 2) == (k >= 300)
    controller = EmulatedController(c)
    LockStepClient(c, controller).until_command()  # the session asks by itself once quality is OK


def test_set_points_move_the_arm_after_one_cycle_and_the_lag():
    """On a smooth path measured joints follow the set-points delayed by T + 10 ms within 0.2 mrad."""
    c, controller, client = in_command()
    start = np.array(c.robot.start)
    t_0, measured = controller.t, []
    for _ in range(1000):
        sample = client.cycle(lambda _: sine_pose(start, controller.t - t_0)[0])
        measured.append(sample.q_measured)
    expected = np.array([sine_pose(start, k * T - T - 0.010)[0] for k in range(500, 1000)])
    np.testing.assert_allclose(measured[500:], expected, atol=2e-4)
    assert controller.state == 2 and controller.fall_back_reason == ""


def test_the_total_command_is_the_controllers_share_plus_the_offset():
    """Outside a motion they sum to where the path stands; the share stays fixed in command state."""
    _, controller, client = in_command()
    first = decode_monitor(controller.send()).part("q_commanded").copy()
    running(client, 200)
    d = decode_monitor(controller.send())
    np.testing.assert_array_equal(d.part("q_commanded"), first)
    np.testing.assert_allclose(d.q_commanded_total, controller._path.reference, atol=1e-6)
    assert np.abs(d.part("q_offset")).max() > 0.1


def test_single_missing_answers_are_bridged_by_extrapolation():
    """At constant speed a missing answer leaves no trace in the path."""
    whole = running(in_command()[2], 300)
    holed = running(in_command()[2], 300, answer=lambda k: k < 100 or k % 7 != 3)
    np.testing.assert_allclose(holed, whole, atol=1e-6)


@pytest.mark.parametrize("limit", [5, 25])
def test_fall_back_after_answers_missed_in_a_row(limit):
    """Exactly that many unanswered packets end command state; cycles without a packet do not count."""
    _, controller, client = in_command(emulator={"missed_answers": limit})
    for _ in range(200):
        controller.advance()  # nothing was sent: the process was late
    assert controller.state == 2
    for k in range(limit):
        assert controller.state == 2, k
        client.cycle(answer=False)
    assert controller.state == 1 and controller.fall_back_reason == f"{limit} answers missed in a row"


def test_fall_back_brakes_the_moving_arm_within_its_decelerations():
    """The path stops within v/a; neither path nor arm jumps, and the joints' deceleration is bounded."""
    c, controller, client = in_command()
    running(client, 200)
    speeds, q = [controller._path.speed.copy()], [controller.arm.q.copy()]
    for _ in range(200):
        controller.send(), controller.advance()
        speeds.append(controller._path.speed.copy())
        q.append(controller.arm.q.copy())
    assert controller.state == 1 and controller._path.at_rest
    a = c.limits.acceleration
    assert np.all(np.abs(np.diff(speeds, axis=0)) <= a * T * (1 + 1e-6))
    arm_speed = np.diff(q, axis=0) / T
    assert np.all(np.abs(np.diff(arm_speed, axis=0)) <= 1.1 * a * T + 1e-9)
    np.testing.assert_allclose(controller.arm.q, controller._path.reference, atol=1e-9)


def test_command_state_returns_after_a_fall_back_and_starts_where_the_arm_stands():
    """A new session comes by itself with a good link; its first set-point is the standing path."""
    _, controller, client = in_command()
    running(client, 200)
    for _ in range(150):
        client.cycle(lambda s: s.q_commanded, answer=False)
    assert controller.state == 1
    stand = controller._path.reference.copy()
    client.until_command()
    sample = client.cycle(lambda _: np.zeros(7))  # a stale set-point of the client: the session mirrors
    assert sample.new_session and controller.state == 2
    np.testing.assert_allclose(controller._path.reference, stand, atol=1e-6)


@pytest.mark.parametrize("joint", [0, 3, 4, 6])
def test_a_step_beyond_the_velocity_limit_ends_command_state(joint):
    """0.99 of velocity x T passes, 1.01 falls back and names the joint."""
    for share, passes in ((0.99, True), (1.01, False)):
        _, controller, client = in_command()
        q = client.cycle().q_commanded
        step = np.zeros(7)
        step[joint] = share * VELOCITY_LIMIT[joint] * T
        client.cycle(lambda _, q=q, step=step: q + step)
        assert (controller.state == 2) == passes
        assert passes or controller.fall_back_reason.startswith(f"A{joint + 1} was commanded a step")


def test_power_off_ends_command_state_and_shows_in_the_packet():
    """Drives off: monitor state, power bits clear, the session no longer commands; on again: new session."""
    _, controller, client = in_command()
    running(client, 60)
    controller.power_on = False
    client.cycle()
    sample = client.cycle()
    assert not sample.power_on and not sample.commanding and controller.state == 1
    assert controller.fall_back_reason == "drives off"
    for _ in range(300):
        client.cycle()
    assert controller.state == 1
    controller.power_on = True
    client.until_command()
    assert client.cycle().new_session


def test_garbage_and_answers_from_the_future_are_refused():
    """Any bytes but a command datagram, and a reflected counter not sent yet."""
    controller = EmulatedController(configured())
    controller.send()
    for data in (b"", bytes(376), encode_command(CommandDatagram(0, 1, flags=1))):
        with pytest.raises(BadMessage):
            controller.receive(data)


@pytest.mark.parametrize(("frame", "sign"), [("base", 1), ("tool", 1), ("tool", -1)])
def test_the_wrench_comes_through_the_wire_in_the_configured_frame_and_sign(frame, sign):
    """A steady push, sent and decoded, is the true wrench about the tcp; joint torques are J^T w."""
    replay = ReplayedWrench(np.array([0.0, 10.0]), np.tile([4.0, -3.0, 2.0, 0.5, 0.4, -0.3], (2, 1)))
    c = configured(
        fri={"wrench_frame": frame, "wrench_sign": sign},
        robot={"tcp_rotvec_deg": [10.0, -20.0, 30.0], "mount_rotvec_deg": [0.0, 0.0, 50.0]},
        emulator={"wrench": QUIET},
        mockup={"uncompensated": 0.0},
    )
    controller = EmulatedController(c, replay)
    client = LockStepClient(c, controller)
    client.until_command()
    for _ in range(20):
        client.cycle()
    arm = controller.arm
    d = decode_monitor(controller.send())
    sample = client.session.receive(controller.send(), client.address, 10**9)
    wrench = wrench_tcp_in_base(sample.wrench, frame, arm.T_base_tcp[:3, :3])
    R = arm.frames.T_world_base[:3, :3]
    in_world = np.concatenate((R @ wrench[:3], R @ wrench[3:]))
    lever = (arm.frames.T_world_base @ arm.T_base_tcp)[:3, 3] - arm.T_world_object[:3, 3]
    np.testing.assert_allclose(wrench_moved(in_world, lever), controller.truth().wrench_world, atol=1e-5)
    np.testing.assert_allclose(d.part("torque_external"), d.jacobian.T @ wrench, atol=1e-4)
    np.testing.assert_allclose(controller.truth().wrench_world, replay.at(1.0), atol=1e-12)


def test_the_same_seed_gives_the_same_bytes():
    """Two runs with noise, random pushes and motion: equal packets; another seed: different ones."""
    packets = []
    for seed in (5, 5, 6):
        _, controller, client = in_command(
            run={"seed": seed}, operator={"random": {"count": 3, "first_s": 0.2, "gap_s": 0.5}}
        )
        running(client, 200)
        packets.append(controller.send())
    assert packets[0] == packets[1] and packets[0] != packets[2]


def test_sample_times_of_1_and_20_ms_work():
    """The grid is a millisecond in both; the fastest and the slowest client reach command state."""
    for milliseconds in (1.0, 20.0):
        c = configured(fri={"sample_time_ms": milliseconds})
        controller = EmulatedController(c)
        LockStepClient(c, controller).until_command()
        assert decode_monitor(controller.send()).sample_time == pytest.approx(1e-3 * milliseconds)


def test_the_link_loses_and_delays_as_configured_and_by_seed():
    """Loss rate within three standard deviations, delays uniform up to the jitter, reproducible."""
    runs = []
    for seed in (1, 1, 2):
        link = EmulatedLink(0.1, 0.005, seed)
        arrivals = []
        for k in range(5000):
            link.submit(k.to_bytes(2, "little"), k * T)
            arrivals += [(t, int.from_bytes(data, "little")) for t, data in link.due(k * T)]
        arrivals += [(t, int.from_bytes(data, "little")) for t, data in link.due(1e9)]
        assert link.lost == 5000 - len(arrivals) and abs(link.lost - 500) < 3 * np.sqrt(5000 * 0.09)
        t, n = np.array(arrivals).T
        assert np.all(np.diff(t) >= 0.0) and np.any(np.diff(n) < 0)
        delay = t - n * T
        assert 0.0 <= delay.min() and delay.max() <= 0.005 and abs(delay.mean() - 0.0025) < 1e-4
        runs.append(arrivals)
    assert runs[0] == runs[1] != runs[2]


def test_a_clean_link_delivers_at_once():
    """Without loss and jitter what is submitted is due at the same instant."""
    link = EmulatedLink(0.0, 0.0, 1)
    link.submit(b"x", 0.25)
    assert link.due(0.2499) == [] and link.next_arrival == 0.25 and link.due(0.25) == [(0.25, b"x")]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (np.array([0.0, 0.0, np.nan, 0.0, 0.0, 0.0, 0.0]), "A3 was commanded a step of nan"),
        (np.array([0.0, 0.0, 0.0, 0.0, 0.0, -0.0015, 0.0]), "A6 was commanded to -2.08"),
    ],
)
def test_commands_that_are_no_number_or_beyond_a_joints_range_end_command_state(change, words):
    """A6 stands 0.05 degrees off its limit of 119.5; the next step would pass it."""
    start = [10.0, 60.0, -20.0, -90.0, 15.0, -119.45, 30.0]
    _, controller, _ = in_command(robot={"start_deg": start})
    d = decode_monitor(controller.send())
    command = CommandDatagram(0, d.sequence, flags=1)
    command.q[:] = d.q_commanded_total + change
    controller.receive(encode_command(command))
    controller.advance()
    assert controller.state == 1 and controller.fall_back_reason.startswith(words)


def test_a_lossy_link_with_jitter_keeps_command_state_and_counts_the_losses():
    """1 % loss and 1 ms jitter each way: command state is kept, losses on both sides are as the links say."""
    c = configured()
    controller = EmulatedController(c)
    session = LockStepClient(c, controller).session
    up, down = EmulatedLink(0.01, 0.001, 4, 0), EmulatedLink(0.01, 0.001, 4, 1)
    states, lost = [], 0
    for _ in range(3000):
        t = controller.t
        up.submit(controller.send(), t)
        for at, data in up.due(t + 0.999 * T):
            sample = session.receive(data, "127.0.0.1", round(at * 1e9))
            lost = sample.lost
            down.submit(session.answer(sample, sample.q_commanded), at)
        for at, data in down.due(t + 0.999 * T):
            controller.receive(data, at - t)
        controller.advance()
        states.append(controller.state)
    assert all(state == 2 for state in states[400:])
    assert abs(lost - up.lost) <= 1 and up.lost > 10
    assert 0 <= controller.statistics.missed - up.lost - down.lost < 60  # and answers that came too late
