"""What can be made to go wrong in the emulation: link, drives, quality and wrench, each for its time."""

import dataclasses

import numpy as np
import pytest

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.disturbances import CALM, DIRECTIONS, FROM_DRIVER, SATURATION, TO_DRIVER, Disturbances
from drivers.emulation.link import EmulatedLink
from drivers.fri.codec import decode_monitor
from hil.messaging.messages import Disturbance, Push
from tests.drivers.emulation.loops import LockStepClient, configured

T = 0.002
COUNT = 5000


def disturbance(duration: float = 1e6, **changes) -> Disturbance:
    return dataclasses.replace(CALM, duration=duration, **changes)


def carried(seed: int = 3, direction: int = TO_DRIVER, **changes):
    """Send numbered packets every 2 ms over a disturbed link; return the link, arrivals [s] and numbers."""
    wrong = Disturbances()
    wrong.begin(disturbance(**changes), 0.0)
    link = EmulatedLink(0.0, 0.0, seed, direction, wrong)
    for k in range(COUNT):
        link.submit(k.to_bytes(2, "little"), k * T)
    arrivals = link.due(1e9)
    return link, np.array([t for t, _ in arrivals]), [int.from_bytes(data, "little") for _, data in arrivals]


@pytest.mark.parametrize("share", [0.01, 0.05, 0.2])
def test_packets_are_lost_at_the_share_asked_for_and_by_seed(share):
    """The number lost is binomial (3 sigma); the same seed loses the same packets, another one others."""
    link, _, numbers = carried(loss=share)
    assert abs(link.lost - share * COUNT) < 3.0 * np.sqrt(COUNT * share * (1.0 - share))
    assert len(numbers) == COUNT - link.lost
    assert carried(loss=share)[2] == numbers != carried(seed=4, loss=share)[2]


def test_packets_come_twice_at_the_share_asked_for():
    """Doubled packets are the only ones more, and each comes at most twice."""
    link, _, numbers = carried(duplicates=0.1)
    assert abs(link.doubled - 0.1 * COUNT) < 3.0 * np.sqrt(COUNT * 0.09)
    counts = np.bincount(numbers)
    assert len(numbers) == COUNT + link.doubled and counts.min() == 1 and counts.max() == 2


def test_extra_delay_lets_packets_overtake_one_another():
    """With up to 5 ms of extra delay at one packet every 2 ms some arrive before older ones; none is lost."""
    _, t, numbers = carried(reorder=0.005)
    assert sorted(numbers) == list(range(COUNT)) and np.any(np.diff(numbers) < 0)
    delay = t - np.array(numbers) * T
    assert delay.min() >= 0.0 and 0.004 < delay.max() <= 0.005


@pytest.mark.parametrize("delay", [0.001, 0.01, 0.05])
def test_a_burst_of_delay_holds_packets_and_lets_them_go_together(delay):
    """Held packets all arrive when the burst ends, none later than asked for, none overtaken."""
    _, t, numbers = carried(delay=delay)
    assert numbers == list(range(COUNT))
    late = t - np.arange(COUNT) * T
    assert late.min() == 0.0 and late.max() == pytest.approx(delay, rel=1e-6)
    ends, sizes = np.unique(t[late > 1e-9], return_counts=True)
    assert sizes.max() <= np.ceil(delay / T) and sizes.max() >= int(delay / T)
    pauses = np.diff(ends) - delay
    assert 0.1 - 1e-9 <= pauses.min() and pauses.max() <= 0.3 + T


def test_a_burst_that_outlasts_its_disturbance_still_keeps_the_order():
    """Packets sent when nothing is wrong any more do not overtake those that are still held."""
    wrong = Disturbances()
    wrong.begin(disturbance(0.004, delay=0.05), 0.0)
    link = EmulatedLink(0.0, 0.0, 1, TO_DRIVER, wrong)
    for k in range(40):
        wrong.advance(k * T)
        link.submit(bytes([k]), k * T)
    arrivals = link.due(1.0)
    assert [data[0] for _, data in arrivals] == list(range(40))
    assert [t for t, _ in arrivals][:25] == [0.05] * 25 and arrivals[30][0] == 30 * T


@pytest.mark.parametrize("meant", DIRECTIONS)
def test_only_the_direction_meant_is_disturbed(meant):
    """Total loss of one direction leaves the other as it is."""
    for direction in (TO_DRIVER, FROM_DRIVER):
        wrong = Disturbances()
        wrong.begin(disturbance(loss=1.0, direction=meant), 0.0)
        link = EmulatedLink(0.0, 0.0, 1, direction, wrong)
        link.submit(b"x", 0.0)
        assert link.lost == (direction in DIRECTIONS[meant])


def test_a_silent_controller_still_hears():
    """Silence is of the controller's packets only."""
    assert carried(silence=True)[0].lost == COUNT
    wrong = Disturbances()
    wrong.begin(disturbance(silence=True), 0.0)
    link = EmulatedLink(0.0, 0.0, 1, FROM_DRIVER, wrong)
    link.submit(b"x", 0.0)
    assert link.lost == 0


def commanding(**tables):
    c = configured(**tables)
    controller = EmulatedController(c)
    client = LockStepClient(c, controller)
    client.until_command()
    return controller, client


def on_the_wire(kind: str, cycles: int = 300):
    """Wrenches and joint torques on the wire while a push of 20 N acts; the fault begins at cycle 100."""
    controller, client = commanding()
    controller.operator.push(Push(0, np.array([20.0, 0.0, 0.0]), 0.4, np.zeros(3)), controller.t)
    wrenches, torques = [], []
    for k in range(cycles):
        if k == 100:
            controller.disturbances.begin(disturbance(0.2, wrench=kind), controller.t)
        datagram = decode_monitor(controller.send())
        wrenches.append(datagram.wrench_external.copy())
        torques.append(datagram.part("torque_external").copy())
        client.cycle(lambda sample: sample.q_commanded)
    return np.array(wrenches), np.array(torques)


def test_wrench_faults_spoil_the_wrench_on_the_wire_for_their_time_and_no_joint_torque():
    """For 0.2 s reversed is the exact negative, stuck one value, saturated its range's end, nan none."""
    true, torques = on_the_wire("")
    expected = {
        "reversed": -true[100:200],
        "stuck": np.tile(true[100], (100, 1)),
        "saturated": np.tile(SATURATION, (100, 1)),
        "nan": np.full((100, 6), np.nan),
    }
    assert np.abs(true[100:200, 0]).mean() > 5.0
    for kind, values in expected.items():
        wrenches, same_torques = on_the_wire(kind)
        np.testing.assert_array_equal(wrenches[100:200], values, err_msg=kind)
        np.testing.assert_array_equal(wrenches[:100], true[:100], err_msg=kind)
        np.testing.assert_array_equal(wrenches[200:], true[200:], err_msg=kind)
        np.testing.assert_array_equal(same_torques, torques, err_msg=kind)


@pytest.mark.parametrize(
    ("changes", "words"),
    [({"quality": 0}, "the link's quality is unacceptable"), ({"drives_off": True}, "drives off")],
)
def test_what_forbids_commanding_ends_command_state_at_once_and_only_for_its_time(changes, words):
    """Monitor state from the next packet on, with the reason; command state returns when it is over."""
    controller, client = commanding()
    controller.disturbances.begin(disturbance(0.1, **changes), controller.t)
    client.cycle(lambda sample: sample.q_commanded)
    assert controller.state == 1 and controller.fall_back_reason == words
    for _ in range(48):
        sample = client.cycle()
        assert not sample.commanding and sample.power_on == ("quality" in changes)
    client.until_command(limit=250)


def test_bad_quality_is_shown_and_commanding_goes_on():
    """Above UNACCEPTABLE commanding is allowed; nothing is better than the quality asked for."""
    controller, client = commanding()
    controller.disturbances.begin(disturbance(0.1, quality=1), controller.t)
    samples = [client.cycle(lambda sample: sample.q_commanded) for _ in range(60)]
    assert [sample.quality for sample in samples] == [1] * 50 + [3] * 10
    assert controller.state == 2


def test_a_new_disturbance_takes_the_place_of_the_one_before():
    """Nothing of the first is left; an empty one ends what is wrong."""
    wrong = Disturbances()
    wrong.begin(disturbance(10.0, wrench="nan", loss=0.5), 0.0)
    wrong.begin(disturbance(1.0, drives_off=True), 1.0)
    assert wrong.current.drives_off and wrong.current.loss == 0.0 and wrong.current.wrench == ""
    wrong.advance(1.9)
    assert wrong.current.drives_off
    wrong.advance(2.0)
    assert wrong.current is CALM


def test_a_controller_that_stood_still_does_not_go_on_as_if_nothing_had_been():
    """It leaves command state with the reason, the moving arm brakes, and a new session starts afterwards."""
    controller, client = commanding()
    q = controller.truth().q
    for k in range(100):
        q = q + 0.3 * T * min(1.0, k / 50)
        client.cycle(lambda _, q=q: q)
    before = controller.truth().q
    controller.stood_still(0.1)
    assert (
        controller.state == 1
        and controller.fall_back_reason == "the controller itself stood still for 100 ms"
    )
    for _ in range(200):
        controller.advance()
    assert np.abs(controller.truth().q - before).max() < 0.3**2 / (2.0 * 8.0) + 0.3 * 0.03  # braking and lag
    client.until_command()


@pytest.mark.parametrize("kind", ["stuck", "reversed"])
def test_an_arm_that_left_its_path_comes_back_without_a_jump(kind) -> None:
    """What it follows is continuous when another disturbance takes the place; then it is the path."""
    wrong, last, fastest = Disturbances(), np.zeros(7), 0.0
    begins = {
        100: dataclasses.replace(CALM, arm=kind, duration=1.0),
        150: dataclasses.replace(CALM, duration=0.1),
    }
    for n in range(500):
        t = 1e-3 * n
        if n in begins:
            wrong.begin(begins[n], t)
        wrong.advance(t)
        begin, end = wrong.path(np.full(7, 0.2 * t), np.full(7, 0.2 * (t + 1e-3)))
        assert np.abs(begin - last).max() < 1e-12, n
        fastest, last = max(fastest, float(np.abs(end - begin).max())), end.copy()
        if n == 149:
            assert np.abs(end - 0.2 * (t + 1e-3)).max() > 5e-3
    assert fastest < 4e-4
    assert np.abs(last - 0.1).max() < 1e-12
