"""The emulated controller's own faults: over lost answers, beside its commands, in its drives and its arm."""

import dataclasses

import numpy as np
import pytest

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.disturbances import CALM
from drivers.fri.codec import decode_monitor
from tests.drivers.emulation.loops import LockStepClient, configured, sine_pose

T = 0.002


def in_command(**tables) -> tuple[EmulatedController, LockStepClient, np.ndarray]:
    """A controller in command state, its client and where the arm begins."""
    c = configured(**tables)
    controller = EmulatedController(c)
    client = LockStepClient(c, controller)
    client.until_command()
    client.cycle(lambda sample: sample.q_commanded)
    return controller, client, np.array(c.robot.start)


def steady(start: np.ndarray, k: int) -> np.ndarray:
    """Set-points at 0.2 rad/s."""
    return start + 0.2 * T * k


@pytest.mark.parametrize("way", ["extrapolate", "hold"])
def test_over_lost_answers_the_path_goes_on_or_stands(way: str) -> None:
    """Eight answers lost at constant speed: it is where it was commanded to be, or where the last one was."""
    controller, client, start = in_command(emulator={"lost_answers": way})
    for k in range(1, 101):
        client.cycle(lambda _, k=k: steady(start, k))
    for lost in range(1, 9):
        client.cycle(answer=False)
        expected = steady(start, 100 if way == "hold" else 100 + lost)
        np.testing.assert_allclose(controller._path.reference, expected, atol=1e-6)
    assert controller.bridged == 8
    client.cycle(lambda _: steady(start, 109))
    np.testing.assert_allclose(controller._path.reference, steady(start, 109), atol=1e-6)
    assert controller.state == 2


def test_a_controller_that_stood_refuses_to_make_up_for_too_much() -> None:
    """Twenty answers at 0.2 rad/s are 8.4 mrad, too much for a cycle: it leaves command state, at rest."""
    controller, client, start = in_command(emulator={"lost_answers": "hold"})
    for k in range(1, 101):
        client.cycle(lambda _, k=k: steady(start, k))
    for _ in range(20):
        client.cycle(answer=False)
    stands = controller._path.reference.copy()
    client.cycle(lambda _: steady(start, 121))
    assert controller.state == 1 and "was commanded a step" in controller.fall_back_reason
    for _ in range(50):
        controller.send(), controller.advance()
    np.testing.assert_array_equal(controller._path.reference, stands)


@pytest.mark.parametrize("cycles", [1, 3])
def test_commands_show_after_the_configured_cycles(cycles: int) -> None:
    """The packet's total command is that of so many cycles ago; what the arm does is not later."""
    controller, client, start = in_command(fri={"echo_cycles": cycles})
    for k in range(1, 60):
        sample = client.cycle(lambda _, k=k: steady(start, k))
        np.testing.assert_allclose(sample.q_commanded, steady(start, max(k - cycles, 0)), atol=1e-6)
    np.testing.assert_allclose(controller._path.reference, steady(start, 59), atol=1e-6)


def test_a_controller_that_commands_otherwise_tells_so_and_does_so() -> None:
    """By 0.1 rad/s, half a milliradian in all; packet and arm have it; then it is as before."""
    controller, client, start = in_command(emulator={"control": "kinematic"})
    controller.disturbances.begin(dataclasses.replace(CALM, duration=0.05, astray=5e-4), controller.t)
    for k in range(50):
        sample = client.cycle(lambda _: start)
        off = min(2e-4 * max(k - 1, 0), 5e-4) if k <= 25 else max(5e-4 - 2e-4 * (k - 25), 0.0)
        np.testing.assert_allclose(sample.q_commanded, start + off, atol=1e-6)
        np.testing.assert_allclose(sample.q_measured, start + off, atol=1e-6)
    assert controller.state == 2


@pytest.mark.parametrize("control", ["position", "kinematic"])
@pytest.mark.parametrize("kind", ["stuck", "reversed"])
def test_an_arm_that_does_not_follow_is_commanded_as_before(control: str, kind: str) -> None:
    """Stuck it stands where it was, turned round it goes back; afterwards it follows again."""
    controller, client, start = in_command(emulator={"control": control})
    t_0 = controller.t
    for k in range(500):
        client.cycle(lambda _, k=k: sine_pose(start, T * k)[0])
    was, way = controller.arm.q.copy(), sine_pose(start, 1.0)[0]
    controller.disturbances.begin(dataclasses.replace(CALM, duration=0.4, arm=kind), controller.t)
    for k in range(500, 600):
        sample = client.cycle(lambda _, k=k: sine_pose(start, T * k)[0])
        np.testing.assert_allclose(sample.q_commanded, sine_pose(start, T * max(k - 1, 0))[0], atol=1e-6)
    gone = sine_pose(start, 1.2)[0] - way
    expected = np.zeros(7) if kind == "stuck" else -gone
    np.testing.assert_allclose(controller.arm.q - was, expected, atol=0.05 * np.abs(gone).max() + 0.015)
    for k in range(600, 2400):  # it comes back by a tenth of a radian a second
        client.cycle(lambda _, k=k: sine_pose(start, T * k)[0])
    np.testing.assert_allclose(controller.arm.q, sine_pose(start, 4.8)[0], atol=0.03)
    assert controller.state == 2 and controller.t > t_0


def test_drives_and_strategy_are_told_for_their_time() -> None:
    """Error, warning and strategy stand in the packet while they last, and end nothing by themselves."""
    controller, client, start = in_command()
    wrong = dataclasses.replace(
        CALM, duration=0.1, drive_error=0x04, drive_warning=0x40, strategy="cartesian_impedance"
    )
    controller.disturbances.begin(wrong, controller.t)
    for k in range(100):
        sample = client.cycle(lambda _: start)
        told = (4, 64, 2) if k < 50 else (0, 0, 1)
        assert (sample.error, sample.warning, sample.control) == told
    assert controller.state == 2
    assert decode_monitor(controller.send()).control == 1
