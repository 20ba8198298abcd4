"""The command monitor: legal streams at the limits pass, every kind of violation is found."""

import copy

import numpy as np
import pytest
import ruckig

from drivers.emulation.controller.command_monitor import CommandMonitor
from drivers.emulation.controller.command_rates import STRIDES, rates
from drivers.emulation.controller.controller import EmulatedController
from tests.drivers.emulation.loops import LockStepClient, configured

LIMITS = configured().limits
RANGE = np.array([[-2.9, 2.9]] * 7)
START = np.zeros(7)


def trajectory(seed: int, T: float, stretch=(1.0, 1.0, 1.0), cycles: int = 3000) -> np.ndarray:
    """Return time-optimal motions of ruckig (cycles, 7) to random targets, at `stretch` times the limits."""
    rng = np.random.default_rng(seed)
    otg, given, out = ruckig.Ruckig(7, T), ruckig.InputParameter(7), ruckig.OutputParameter(7)
    given.max_velocity, given.max_acceleration, given.max_jerk = (
        (factor * bound).tolist()
        for factor, bound in zip(stretch, (LIMITS.velocity, LIMITS.acceleration, LIMITS.jerk), strict=True)
    )
    given.synchronization = ruckig.Synchronization.No
    path = [START, START]  # a session begins where the controller commands
    while len(path) < cycles:
        given.target_position = (0.999 * rng.uniform(-2.88, 2.88, 7)).tolist()
        while otg.update(given, out) == ruckig.Result.Working:
            out.pass_to_input(given)
            path.append(np.array(out.new_position))
    return np.array(path[:cycles])


def watched(path: np.ndarray, T: float, packets: np.ndarray | None = None) -> CommandMonitor:
    """Send a path as the wire rounds it, answers to `packets` only."""
    monitor = CommandMonitor(LIMITS, RANGE, T)
    monitor.begin(START, 0)
    for packet in range(1, len(path)) if packets is None else packets.tolist():
        monitor.check(path[packet].astype(np.float32).astype(np.float64), packet)
    return monitor


def with_gaps(seed: int, cycles: int) -> np.ndarray:
    """Return the packets that are left of a stream with losses in bursts of 1 to 40."""
    rng = np.random.default_rng(seed)
    kept, packet = [], 1
    while packet < cycles:
        run = rng.integers(1, 60)
        kept += range(packet, min(packet + run, cycles))
        packet += run + rng.integers(1, 41)
    kept = np.array(kept)
    return kept[rng.random(len(kept)) > 0.1]


@pytest.mark.parametrize("T", [0.001, 0.002, 0.005])
def test_legal_streams_at_the_limits_pass_with_and_without_gaps(T):
    """Time-optimal motions at all limits, rounded to 32 bits, are no violation at any stride or gap."""
    for seed in range(3):
        path = trajectory(seed, T)
        even = watched(path, T)
        assert even.violations == 0 and not even.first, (seed, even.first)
        assert even.commands == len(path) - 1
        assert all(0.99 < even.worst[name] <= 1.0 + 1e-6 for name in ("velocity", "acceleration", "jerk"))
        gappy = watched(path, T, with_gaps(seed, len(path)))
        assert gappy.violations == 0, (seed, gappy.first)


@pytest.mark.parametrize(
    ("quantity", "stretch"),
    [("velocity", (1.001, 1.0, 1.0)), ("acceleration", (1.0, 1.002, 1.0)), ("jerk", (0.9, 0.9, 1.005))],
)
def test_rates_beyond_their_bound_by_a_fraction_of_a_percent_are_found(quantity, stretch):
    """The same motions, one limit widened by 0.1 to 0.5 %, break exactly that limit; gaps hide nothing."""
    path = trajectory(1, 0.002, stretch)
    for packets in (None, with_gaps(4, len(path))):
        monitor = watched(path, 0.002, packets)
        assert monitor.violations > 0
        assert f" {quantity} " in monitor.first
        assert monitor.worst[quantity] > 1.0005


def test_every_kind_of_sudden_fault_is_found_at_once():
    """A blip of 1e-6 rad, a set-point sent twice or left out, a jump, a NaN: found at their packet."""
    path = trajectory(2, 0.002)
    moving = 1 + int(np.abs(np.diff(path[:, 0])).argmax())
    faults = {
        "blip": path + 1e-6 * (np.arange(len(path)) == moving)[:, None],
        "repeated": np.concatenate((path[:moving], path[moving - 1 :])),
        "left out": np.concatenate((path[:moving], path[moving + 1 :])),
        "jump": path + 1e-4 * (np.arange(len(path)) >= moving)[:, None],
        "nan": np.where((np.arange(len(path)) == moving)[:, None] & (np.arange(7) == 3), np.nan, path),
    }
    for name, faulty in faults.items():
        monitor = watched(faulty, 0.002)
        assert monitor.violations >= 1, name
        assert f"packet {moving}" in monitor.first or f"packet {moving + 1}" in monitor.first, (
            name,
            monitor.first,
        )
        assert monitor.violations <= 4, (name, "one fault is counted a few times at most")


@pytest.mark.parametrize(("q_min", "q_max", "side"), [(-2.1, 2.9, 1), (-2.9, 2.1, -1)])
def test_a_position_beyond_the_range_less_the_margin_is_found(q_min, q_max, side):
    """A slow creep over either margin is found within a microradian of it; up to it nothing is said."""
    bound = side * (2.9 - LIMITS.position_margin)
    monitor = CommandMonitor(LIMITS, np.array([[q_min, q_max]] * 7), 0.002)
    monitor.begin(np.full(7, bound - side * 1e-5), 0)
    for packet in range(1, 100):
        q = np.float64(np.float32(bound + side * (2e-7 * packet - 1e-5)))
        if finding := monitor.check(np.full(7, q), packet):
            break
    assert "position" in finding and f" {bound:.7f} rad" in finding
    assert 0.0 < side * (q - bound) < 1e-6
    assert monitor.worst["position"] > 1.0


@pytest.mark.parametrize("sign", [1.0, -1.0])
@pytest.mark.parametrize("stride", [1, 2, 4, 8])
def test_a_jerk_too_great_by_twice_its_rounding_over_three_strides_is_found(stride, sign):
    """From standing, a cubic of 3 strides: at the jerk's bound legal, found with twice the rounding more.

    The rounding of a difference with weights 1, 3, 3, 1 is 8 half units (2^-23 rad, 2 to 4 rad), per cube
    of the stride's time.
    """
    T, standing = 0.002, 60
    rounding = 8.0 * 2.0**-23 / (stride * T) ** 3
    k = np.maximum(np.arange(standing + 3 * stride + 1) - standing, 0)
    for joint in range(7):
        for more, found in ((0.0, 0), (2.01 * rounding, 1)):
            monitor = CommandMonitor(LIMITS, RANGE, T)
            monitor.begin(np.full(7, 2.5), 0)
            for packet, t in enumerate(k * T):
                q = np.full(7, 2.5)
                q[joint] += sign * (LIMITS.jerk[joint] + more) * t**3 / 6.0
                monitor.check(q.astype(np.float32).astype(np.float64), packet)
            assert min(monitor.violations, 1) == found, (joint, more, monitor.first)
            assert not found or f"A{joint + 1} jerk {'-' if sign < 0 else ''}" in monitor.first


def test_a_jump_is_found_however_many_commands_came_before():
    """After 1 to 1000 commands at rest, 1e-5 rad is found at once, as jerk d / T^3 over single cycles."""
    T, jump = 0.002, float(np.float32(1e-5))
    monitor = CommandMonitor(LIMITS, RANGE, T)
    monitor.begin(START, 0)
    monitor.check(START, 1)
    for packet in range(2, 1002):
        finding = copy.deepcopy(monitor).check(np.where(np.arange(7) == 2, jump, START), packet)
        assert f"A3 jerk {jump / T**3:.5g} rad/s3 over strides of 1 cycles" in finding, (packet, finding)
        assert monitor.check(START, packet) == ""


def test_a_session_must_begin_where_the_controller_commands():
    """The first command of a session: 1e-6 rad away is a violation, the wire's rounding is none."""
    for away, wrong in ((0.0, 0), (2e-7, 0), (1e-6, 1), (0.3, 1)):
        monitor = CommandMonitor(LIMITS, RANGE, 0.002)
        monitor.begin(np.full(7, 1.2345678), 700)
        monitor.check(np.float32(1.2345678 + away) * np.ones(7), 701)
        assert monitor.violations == wrong, (away, monitor.first)
        assert bool(wrong) == ("begins a session" in monitor.first)


def test_nothing_is_judged_outside_a_session():
    """Before the first session and after the last one answers are no commands."""
    monitor = CommandMonitor(LIMITS, RANGE, 0.002)
    assert monitor.check(np.full(7, np.nan), 3) == ""
    monitor.begin(START, 5)
    monitor.end()
    assert monitor.check(np.full(7, 9.0), 6) == "" and monitor.commands == 0


def test_the_rounding_that_is_allowed_is_the_worst_there_can_be():
    """The allowance of every rate equals the rate of the worst roundings, computed with exact fractions."""
    from fractions import Fraction

    monitor = CommandMonitor(LIMITS, RANGE, 0.002)
    monitor.begin(np.full(7, 2.5), 0)
    packets = [p for p in range(1, 80) if p % 7 and p % 11]
    for packet in packets:
        monitor.check(np.full(7, 2.5), packet)
    half = Fraction(1, 2**23)  # half a unit of a 32-bit float between 2 and 4
    stream = (monitor._packets, monitor._q, monitor._rounding, monitor._last)
    for stride in STRIDES:
        _, tolerance = rates(*stream, stride, 0.002)
        t = [packets[-1]]
        for _ in range(3):
            t.append(max(p for p in range(-60, 80) if (p <= 0 or p in packets) and p <= t[-1] - stride))
        for order in (1, 2, 3):
            total = Fraction(0)
            for i in range(order + 1):
                e = 2 * half if t[i] <= 0 else half  # where it stood is known to a whole unit
                weight = Fraction(1)
                for j in range(order + 1):
                    weight /= (t[i] - t[j]) if j != i else 1
                total += abs(weight) * e
            exact = float(total) * [1, 2, 6][order - 1] / 0.002**order
            np.testing.assert_allclose(tolerance[order - 1], exact, rtol=1e-12)


def test_the_controller_reports_what_its_monitor_finds():
    """In the emulated controller a legal client has no violation, one that jumps by 2e-6 rad has."""
    c = configured()
    controller = EmulatedController(c)
    client = LockStepClient(c, controller)
    client.until_command()
    path = controller._path.reference + 0.2 * trajectory(3, 0.002, cycles=600)
    for q in path:
        client.cycle(lambda _, q=q: q)
    assert controller.monitor.violations == 0, controller.monitor.first
    assert controller.monitor.commands >= 600
    client.cycle(lambda _: q + 2e-6)
    assert controller.monitor.violations == 1 and "jerk" in controller.monitor.first
