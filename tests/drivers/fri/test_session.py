"""The client's side of the protocol: clock, order, mirror rule, sessions, refusals."""

import errno
import os
import socket
import time
import warnings
from socket import SOCK_DGRAM

import numpy as np
import pytest

from drivers.fri.client import FriClient
from drivers.fri.clock import FriClock, Order
from drivers.fri.codec import MonitorDatagram, decode_command, encode_monitor
from drivers.fri.layout import KRL_PRESENT, KRL_START, Quality
from drivers.fri.session import FriSession, joined, wrench_tcp_in_base
from hil.common.errors import LinkError
from hil.common.free_port import free_port
from hil.configuration.schema import Fri

T_NS = 2_000_000
HOST = "127.0.0.1"
Q = np.array([0.1, 0.2, -0.3, 0.4, -0.5, 0.6, -0.7])
OFFSET = np.array([0.01, -0.02, 0.03, -0.04, 0.05, -0.06, 0.07])


def monitor(
    sequence: int, state: int = 1, power: int = 0x7F, sample_time=0.002, quality: int = 3, **parts
) -> bytes:
    d = MonitorDatagram(sequence % 65536, state=state, quality=quality, sample_time=sample_time, power=power)
    d.part("q_commanded")[:] = Q
    d.part("q_offset")[:] = OFFSET
    d.q_measured[:] = Q - 0.001
    for name, value in parts.items():
        d.part(name)[:] = value
    return encode_monitor(d)


def exchanged(session: FriSession, data: bytes, t_ns: int, q=None):
    sample = session.receive(data, HOST, t_ns)
    assert sample is not None
    return sample, decode_command(session.answer(sample, q))


def test_answers_mirror_the_commanded_sum_outside_command_mode():
    """In monitor state, and with a drive off, the answer is commanded + offset whatever is asked."""
    session = FriSession(Fri())
    for k, (state, power) in enumerate([(1, 0x7F), (1, 0x7F), (2, 0x3F), (2, 0), (0, 0x7F)]):
        sample, reply = exchanged(session, monitor(k, state, power), k * T_NS, np.ones(7))
        assert not sample.commanding
        np.testing.assert_allclose(reply.q, Q + OFFSET, atol=1e-7)
        assert (reply.flags, reply.reflected, reply.sequence) == (1, k, k + 1)


def test_every_new_session_starts_again_from_the_controllers_command():
    """Monitor -> command, command -> power off -> command: first answer mirrors, later ones obey."""
    session = FriSession(Fri())
    wanted = Q + OFFSET + 0.02
    flags, answers = [], []
    for k, (state, power) in enumerate(
        [(1, 127), (2, 127), (2, 127), (2, 0), (2, 127), (2, 127), (1, 127), (2, 127)]
    ):
        sample, reply = exchanged(session, monitor(k, state, power), k * T_NS, wanted)
        flags.append(sample.new_session)
        answers.append(bool(np.allclose(reply.q, wanted, atol=1e-6)))
    assert flags == [False, True, False, False, True, False, False, True]
    assert answers == [False, False, True, False, False, True, False, False]


@pytest.mark.parametrize("bad", [np.nan, np.inf, 1e300, 11.0])
def test_a_command_that_is_no_joint_position_holds_the_last_and_is_counted(bad):
    """Not finite, not finite as a 32-bit float, or no angle: the last set-point is repeated."""
    session = FriSession(Fri())
    exchanged(session, monitor(0, 2), 0)
    good = Q + OFFSET + 0.001
    exchanged(session, monitor(1, 2), T_NS, good)
    _, reply = exchanged(session, monitor(2, 2), 2 * T_NS, np.where(np.arange(7) == 3, bad, good))
    np.testing.assert_allclose(reply.q, good, atol=1e-7)
    assert session.refused_commands == 1 and "refused" in session.last_refusal


@pytest.mark.parametrize("way", ["monitor", "drives off", "new stream", "unanswered"])
def test_a_command_that_is_no_joint_position_never_repeats_a_set_point_of_the_last_session(way):
    """After a session change NaN is answered with the mirror, also in the second cycle of the session.

    Even if nobody has answered its first datagram.
    """
    session, now = FriSession(Fri()), Q + OFFSET
    old, nan = now + 0.3, np.full(7, np.nan)
    exchanged(session, monitor(0, 2), 0)
    _, reply = exchanged(session, monitor(1, 2), T_NS, old)
    np.testing.assert_allclose(reply.q, old, atol=1e-7)
    first = 2 if way == "new stream" else 3
    if way != "new stream":
        between = monitor(2, 1) if way != "drives off" else monitor(2, 2, power=0)
        exchanged(session, between, 2 * T_NS)
    begun, jumped = first * T_NS, 20_000 if way == "new stream" else 0
    if way == "unanswered":
        assert session.receive(monitor(first, 2), HOST, begun).new_session
    else:
        sample, reply = exchanged(session, monitor(first + jumped, 2), begun, nan)
        assert sample.new_session
        np.testing.assert_allclose(reply.q, now, atol=1e-7)
    sample, reply = exchanged(session, monitor(first + 1 + jumped, 2), begun + T_NS, nan)
    assert not sample.new_session and session.refused_commands == 1
    np.testing.assert_allclose(reply.q, now, atol=1e-7)


@pytest.mark.parametrize("quality", list(Quality))
def test_ready_is_said_from_quality_ok_on(quality):
    """The first KRL integer asks for command mode if the link is OK or better; below it says: present."""
    _, reply = exchanged(FriSession(Fri(handshake="krl_int")), monitor(0, quality=quality), 0)
    good = quality in (Quality.OK, Quality.PERFECT)
    assert reply.krl_int[0] == (KRL_START if good else KRL_PRESENT)


def test_a_session_that_begins_in_an_overtaken_packet_shows_in_the_newest():
    """Taken at one go: the last sample knows that the set-point must start again, if commands still count."""
    for last_state, expected in ((2, True), (1, False)):
        session = FriSession(Fri())
        exchanged(session, monitor(0, 1), 0)
        taken = [session.receive(monitor(k, 2), HOST, k * T_NS) for k in (1, 2)]
        taken.append(session.receive(monitor(3, last_state), HOST, 3 * T_NS))
        assert [sample.new_session for sample in taken] == [True, False, False]
        assert joined(taken)[-1].new_session is expected


def test_the_answers_counter_wraps():
    """After 65535 comes 0, as on the controller's side."""
    session = FriSession(Fri())
    session._sequence = 65534
    sequences = [exchanged(session, monitor(k), k * T_NS)[1].sequence for k in range(3)]
    assert sequences == [65535, 0, 1]


def test_a_packet_of_a_session_that_was_overtaken_begins_none():
    """Monitor mode is newer than a late packet in command mode: that begins no session and gets no answer."""
    session = FriSession(Fri())
    exchanged(session, monitor(0, 1), 0)
    exchanged(session, monitor(2, 1), 2 * T_NS)
    late = session.receive(monitor(1, 2), HOST, 2 * T_NS + 9)
    assert late.late and late.commanding and not late.new_session and joined([late]) == []


def test_each_datagram_is_answered_once():
    """A second answer to one datagram is an error of the caller."""
    session = FriSession(Fri())
    sample = session.receive(monitor(0), HOST, 0)
    session.answer(sample, None)
    with pytest.raises(LinkError, match="answered once"):
        session.answer(sample, None)


def test_foreign_garbage_and_not_finite_datagrams_are_dropped_and_counted():
    """Nothing but a sound datagram from the configured controller makes a sample."""
    session = FriSession(Fri())
    good = monitor(0)
    bad = [
        (good, "10.0.0.9"),
        (b"", HOST),
        (good[:-3], HOST),
        (bytes(916), HOST),
        (monitor(0, q_measured=np.full(7, np.nan)), HOST),
        (monitor(0, q_offset=np.full(7, np.inf)), HOST),
    ]
    for k, (data, address) in enumerate(bad, 1):
        assert session.receive(data, address, 0) is None
        assert session.refused == k
    assert session.receive(good, HOST, 0) is not None


def test_another_sample_time_is_refused_with_the_remedy():
    """The text names both sample times and the key."""
    session = FriSession(Fri(sample_time_ms=5.0))
    with pytest.raises(LinkError, match=r"every 2 ms, fri.sample_time_ms is 5"):
        session.receive(monitor(0), HOST, 0)


def test_the_counter_wraps_and_losses_are_counted():
    """Across 65535 -> 0 the unwrapped count and the stamps go on; gaps are counted modulo 65536."""
    session = FriSession(Fri())
    sent = [65530, 65531, 65534, 65535, 65536, 65539]
    samples = [session.receive(monitor(n), HOST, (n - 65530) * T_NS) for n in sent]
    assert [s.count for s in samples] == [n - 65530 for n in sent]
    assert [s.t_ns for s in samples] == [(n - 65530) * T_NS for n in sent]
    assert samples[-1].lost == 2 + 2


def test_duplicates_are_dropped_and_overtaken_packets_marked():
    """A reordered packet is marked, so that nobody answers it, and does not touch clock or mirror."""
    session = FriSession(Fri())
    for k in range(3):
        exchanged(session, monitor(k, 2), k * T_NS, Q + OFFSET + 0.01)
    newer, _ = exchanged(session, monitor(4, 2), 4 * T_NS, Q + OFFSET + 0.012)
    assert session.receive(monitor(4, 2), HOST, 4 * T_NS + 9) is None and session.duplicates == 1
    late = session.receive(monitor(3, 2, q_commanded=np.zeros(7)), HOST, 4 * T_NS + 99)
    assert late is not None and late.late and not newer.late and not late.new_session
    assert joined([late]) == []
    _, reply = exchanged(session, monitor(5, 2), 5 * T_NS, None)
    np.testing.assert_allclose(reply.q, Q + OFFSET, atol=1e-7)


def test_a_late_packet_does_not_move_the_mirror_back():
    """An older one comes between a packet and its answer, which mirrors the newest total all the same."""
    session = FriSession(Fri())
    exchanged(session, monitor(0, 2), 0)
    newest = session.receive(monitor(2, 2), HOST, 2 * T_NS)
    late = session.receive(monitor(1, 1, q_commanded=Q - 0.2), HOST, 2 * T_NS + 9)
    assert late.late
    reply = decode_command(session.answer(newest, None))
    np.testing.assert_allclose(reply.q, Q + OFFSET, atol=1e-7)
    sample, _ = exchanged(session, monitor(3, 2), 3 * T_NS)
    assert not sample.new_session, "nor does the state of an older packet end the session"


def test_a_restarted_controller_begins_a_new_stream_and_session():
    """A counter that jumps beyond what the elapsed time explains is another stream."""
    session = FriSession(Fri())
    for k in range(3):
        exchanged(session, monitor(k, 2), k * T_NS)
    sample, reply = exchanged(session, monitor(30_000, 2), 4 * T_NS, np.zeros(7))
    assert sample.new_session and sample.gap and sample.count == 0 and sample.lost == 0
    assert sample.t_ns == 4 * T_NS, "its stamps begin with its first arrival"
    late = session.receive(monitor(29_999, 2), HOST, 4 * T_NS + 9)
    assert late.late and not late.gap, "the gap lies before the packet that began it"
    np.testing.assert_allclose(reply.q, Q + OFFSET, atol=1e-7)


def test_a_packet_that_was_held_for_50_ms_is_late_even_at_1_ms():
    """It is no new stream: that would let the set-point jump to what was commanded 50 packets ago."""
    session = FriSession(Fri(sample_time_ms=1.0))
    data = [monitor(k, 2, sample_time=0.001) for k in range(80)]
    for k in (*range(10), *range(11, 61)):
        assert session.receive(data[k], HOST, k * T_NS // 2) is not None
    held = session.receive(data[10], HOST, 61 * T_NS // 2)
    assert held.late and not held.new_session
    assert not session.receive(data[61], HOST, 61 * T_NS // 2 + 9).new_session


def test_a_long_gap_that_time_explains_is_loss():
    """500 packets missing in one second of silence are lost packets, not a new stream."""
    clock = FriClock(0.002)
    clock.receive(10, 0)
    assert clock.receive(510, 500 * T_NS) is Order.NEXT and clock.lost == 499
    assert clock.receive(511, 500 * T_NS + 20_000_000_000) is Order.NEW_STREAM


def test_stamps_are_smooth_and_hug_the_earliest_arrivals():
    """With delays that are exponential (0.3 ms mean) and a drift of 20 ppm, stamps settle within 40 us of
    the sampling instants, differ by the period to 1.1 %, and never go back."""
    rng = np.random.default_rng(3)
    true_ns = np.arange(5000) * int(T_NS * 1.00002)
    arrivals = true_ns + rng.exponential(300_000, 5000).astype(int)
    clock = FriClock(0.002)
    stamps = []
    for k, t in enumerate(arrivals):
        clock.receive(k % 65536, int(t))
        stamps.append(clock.stamp_ns())
    steps = np.diff(stamps)
    assert np.all(np.abs(steps - T_NS) <= 0.011 * T_NS)
    assert np.max(np.abs(np.array(stamps[1000:]) - true_ns[1000:])) < 40_000


def test_one_early_packet_moves_the_stamps_by_a_hundredth_of_a_period():
    """A stream that came 0.4 ms late for two seconds, then one packet in time: no jump of the stamps."""
    clock = FriClock(0.002)
    stamps = []
    for k in range(1200):
        clock.receive(k, k * T_NS + (400_000 if k < 1000 else 0))
        stamps.append(clock.stamp_ns())
    steps = np.diff(stamps)
    assert np.all(steps >= T_NS - T_NS // 100) and np.all(steps <= T_NS + T_NS // 1000)
    assert stamps[-1] - 1199 * T_NS < 1000, (
        "and the earlier arrivals are reached within 20 packets each 20 us"
    )


def test_no_stamp_of_a_new_stream_lies_ahead_because_its_first_packets_waited():
    """Both processes stood still, the controller went on first: 140 packets behind a jump come in a heap."""
    clock = FriClock(0.001)
    stamps = []
    for k in range(600):
        assert clock.receive(k, k * 1_000_000) is not Order.LATE
    thawed_ns = 1_000_000_000
    clock.receive(600, thawed_ns - 20_000)  # was there before
    orders = [clock.receive(760 + k, thawed_ns + 20_000 * k) for k in range(140)]
    assert orders[0] is Order.NEW_STREAM
    for k in range(140, 200):
        arrival_ns = thawed_ns + 20_000 * 139 + (k - 139) * 1_000_000
        clock.receive(760 + k, arrival_ns)
        stamps.append(clock.stamp_ns())
        assert stamps[-1] - arrival_ns < 100_000
    assert (np.diff(stamps) >= 0).all()


def test_wrench_sign_order_and_frame():
    """The sign is the configured one, torques come in x, y, z order, and tool axes turn to base axes."""
    raw = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])
    sample = FriSession(Fri(wrench_sign=-1)).receive(monitor(0, wrench_external=raw), HOST, 0)
    np.testing.assert_allclose(sample.wrench, -raw)
    R = np.array([[0.0, -1.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # tool x is base y
    np.testing.assert_allclose(wrench_tcp_in_base(raw, "tool", R), [-2, 1, 3, -5, 4, 6])
    np.testing.assert_allclose(wrench_tcp_in_base(raw, "base", R), raw)


def test_a_busy_port_is_refused_with_address_port_and_remedy():
    """The text says where, and what to do."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as other:
        other.bind((HOST, 0))
        port = other.getsockname()[1]
        with pytest.raises(LinkError, match=rf"127\.0\.0\.1 port {port} is busy.*fri\.port"):
            FriClient(Fri(port=port))


def test_an_address_of_another_machine_is_refused():
    """192.0.2.1 (documentation network) is no address of this machine."""
    with pytest.raises(LinkError, match="no such address"):
        FriClient(Fri(bind_address="192.0.2.1", port=free_port(SOCK_DGRAM)))


def test_what_came_before_anybody_answered_is_forgotten():
    """A full buffer holds the oldest packets: neither time nor counts come from them."""
    port = free_port(SOCK_DGRAM)
    with (
        FriClient(Fri(port=port)) as client,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as controller,
    ):
        for k in range(100):
            controller.sendto(monitor(k), (HOST, port))
        time.sleep(0.05)
        client.discard()
        controller.sendto(monitor(5000), (HOST, port))
        (sample,) = client.receive(1.0)
        assert (sample.sequence, sample.count, sample.lost) == (5000, 0, 0)


def test_another_sender_is_answered_once_the_first_was_silent(monkeypatch):
    """The controller restarts with another port: after a while it is heard, and the answers go there."""
    monkeypatch.setattr("drivers.fri.client.SENDER_SILENCE_NS", 20_000_000)
    port = free_port(SOCK_DGRAM)
    datagram = socket.AF_INET, socket.SOCK_DGRAM
    with (
        FriClient(Fri(port=port)) as client,
        socket.socket(*datagram) as first,
        socket.socket(*datagram) as second,
    ):
        first.settimeout(1.0)
        second.settimeout(1.0)
        for controller, number in ((first, 0), (second, 1)):
            controller.sendto(monitor(number), (HOST, port))
            (sample,) = client.receive(1.0)
            client.reply(sample, None)
            assert decode_command(controller.recv(2048)).reflected == number
            time.sleep(0.03)


def test_the_client_answers_the_newest_packet_to_its_sender_and_never_blocks_for_ever():
    """Backlog of five with garbage between: one sample left to reply to, the overtaken get no answer."""
    port = free_port(SOCK_DGRAM)
    with (
        FriClient(Fri(port=port)) as client,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as controller,
    ):
        controller.settimeout(1.0)
        started = time.monotonic()
        assert client.receive(0.03) == [] and time.monotonic() - started < 1.0
        for k in range(5):
            controller.sendto(monitor(k), (HOST, port))
            controller.sendto(b"garbage", (HOST, port))
        samples = client.receive(1.0)
        assert [s.count for s in samples] == [0, 1, 2, 3, 4] and client.session.refused >= 4
        client.reply(samples[-1], None)
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as second:
            second.sendto(monitor(5), (HOST, port))
            assert client.receive(0.05) == [] and client.other_senders == 1
        assert decode_command(controller.recv(2048)).reflected == 4
        with pytest.raises(TimeoutError):
            controller.recv(2048)


def test_packets_that_wait_are_no_silence(monkeypatch):
    """Whoever stood still until the deadline takes what waits for it, before it calls the robot silent."""
    port = free_port(SOCK_DGRAM)
    with (
        FriClient(Fri(port=port)) as client,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as controller,
    ):
        controller.sendto(monitor(1), (HOST, port))
        monkeypatch.setattr(client._waiter, "wait", lambda until, due: False)
        assert [sample.sequence for sample in client.receive(0.05)] == [1]
        assert client.receive(0.05) == []


class Unplugged:
    """A socket that fails as without a network, as often as said; what has come lies behind that."""

    def __init__(self, plain: socket.socket, number: int, sends: int = 0, receives: int = 0):
        self._plain, self._number, self._sends, self._receives = plain, number, sends, receives

    def __getattr__(self, name):
        return getattr(self._plain, name)

    def sendto(self, *arguments):
        if self._sends:
            self._sends -= 1
            raise OSError(self._number, os.strerror(self._number))
        return self._plain.sendto(*arguments)

    def recvfrom(self, *arguments):
        if self._receives:
            self._receives -= 1
            raise OSError(self._number, os.strerror(self._number))
        return self._plain.recvfrom(*arguments)


@pytest.mark.parametrize(
    "number", [errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN, errno.ECONNREFUSED, errno.ENOBUFS]
)
def test_what_the_network_refuses_is_counted_and_told_and_ends_nothing(number):
    """Two answers that cannot be sent, three errors before the next packet: then all is as before."""
    port = free_port(SOCK_DGRAM)
    with (
        FriClient(Fri(port=port)) as client,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as controller,
    ):
        client._socket = Unplugged(client._socket, number, sends=2, receives=3)
        controller.settimeout(1.0)
        for k in range(3):
            controller.sendto(monitor(k), (HOST, port))
            (sample,) = client.receive(1.0)
            client.reply(sample, None)
            assert client.unsent == min(k + 1, 2)
            assert (os.strerror(number) in client.unsent_reason) == (k < 2)
        assert decode_command(controller.recv(2048)).reflected == 2


def test_another_sample_time_later_on_is_dropped_and_told():
    """Refused at first; from a controller that has been heard it is dropped, the rest is answered."""
    port = free_port(SOCK_DGRAM)
    with (
        FriClient(Fri(port=port)) as client,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as controller,
    ):
        controller.sendto(monitor(0, sample_time=0.004), (HOST, port))
        with pytest.raises(LinkError, match=r"fri\.sample_time_ms"):
            client.receive(1.0)
        assert client.failure is None
        controller.sendto(monitor(1), (HOST, port))
        assert len(client.receive(1.0)) == 1
        controller.sendto(monitor(2, sample_time=0.004), (HOST, port))
        controller.sendto(monitor(3), (HOST, port))
        samples = []
        while not samples:
            samples = client.receive(1.0)
        assert [sample.sequence for sample in samples] == [3]
        assert "fri.sample_time_ms" in str(client.failure)


def told(sequence: int, reflected: int = 0, **head) -> bytes:
    """A packet in command mode with what its head says of the controller."""
    d = MonitorDatagram(sequence % 65536, reflected, state=2, quality=3, sample_time=0.002, power=0x7F)
    for name, value in head.items():
        setattr(d, name, value)
    return encode_monitor(d)


def test_a_sample_says_which_packets_answer_the_controller_had_last():
    """Own counters are turned into counts of packets: losses either way, the wrap, never a guess."""
    session = FriSession(Fri())
    assert session.receive(told(65500, reflected=7), HOST, 0).heard == -1  # of nobody's answer
    answered: dict[int, int] = {}  # own counter: count of the packet
    count, heard = 0, 0
    rng = np.random.default_rng(2)
    for k in range(1, 1500):
        if rng.random() < 0.3:
            continue  # this packet is lost
        sample = session.receive(told(65500 + k, heard), HOST, k * T_NS)
        assert sample.count == k and sample.heard == answered.get(heard, -1)
        reply = decode_command(session.answer(sample, Q))
        answered[reply.sequence] = sample.count
        count += 1
        if rng.random() < 0.7:
            heard = reply.sequence
    assert count > 500 and heard in answered


def test_answers_to_the_stream_before_are_not_taken_for_answers_to_this_one():
    """The controller was restarted and still names the last answer that it had."""
    session = FriSession(Fri())
    for k in range(30):
        _, reply = exchanged(session, told(k), k * T_NS, Q)
    never = session.receive(told(30, 5 + 1024), HOST, 30 * T_NS)
    assert never.heard == -1  # an answer that was not given yet
    sample = session.receive(told(40000, reply.sequence), HOST, 31 * T_NS)
    assert sample.count == 0 and sample.heard == -1


def test_a_sample_has_what_the_controller_says_of_itself():
    """Drives, strategy, error and warning bits as they stand in the packet, also with a drive off."""
    sample = FriSession(Fri()).receive(told(3, power=0x5F, control=3, error=4, warning=0x41), HOST, 0)
    assert (sample.drives, sample.control, sample.error, sample.warning) == (0x5F, 3, 4, 0x41)
    assert not sample.power_on and not sample.commanding


@pytest.mark.parametrize("bits", [0x7FC00000, 0x7F800001, 0xFF800001])
def test_no_number_in_a_datagram_is_nobodys_warning(bits: int) -> None:
    """A NaN, quiet or signalling: joints of it are refused and counted, a wrench goes to the detector."""
    session = FriSession(Fri())
    for name, refused in (("q_measured", 1), ("wrench_external", 1)):
        data = np.frombuffer(monitor(0, **{name: np.full(7 if name == "q_measured" else 6, 3.25)}), np.uint8)
        marked = np.frombuffer(np.array([3.25], "<f4").tobytes(), np.uint8)
        at = next(k for k in range(len(data)) if np.array_equal(data[k : k + 4], marked))
        spoilt = data.tobytes()[:at] + bits.to_bytes(4, "little") + data.tobytes()[at + 4 :]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            sample = session.receive(spoilt, HOST, 0)
        assert session.refused == refused
        assert (sample is None) == (name == "q_measured")
    assert np.isnan(sample.wrench).sum() == 1
