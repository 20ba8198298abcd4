"""Devices by what they say: recorded events, replay files, and what happens when they go."""

import struct

import numpy as np
import pytest

from hil.common.errors import RecordingError, SourceLost
from hil.messaging.drive_messages import DriveCommand
from hil.workbench.driving.follower import TwistLimits
from hil.workbench.driving.inputs import led_along
from hil.workbench.driving.rigid import moved
from hil.workbench.driving.sources import gamepad, spacemouse
from hil.workbench.driving.sources.bus import FRESH_S, BusCommands
from hil.workbench.driving.sources.gamepad import Gamepad
from hil.workbench.driving.sources.haptic import EmulatedHaptic, Haptic
from hil.workbench.driving.sources.keyboard import Keyboard
from hil.workbench.driving.sources.poses_file import load_commands
from hil.workbench.driving.sources.spacemouse import Deflection, SpaceMouse, plugged_in, replayed

HEAD = "t_s,x,y,z,roll,pitch,yaw\n"


def written(tmp_path, text):
    path = tmp_path / "file.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_a_space_mouse_moves_by_its_cap(tmp_path):
    """Full deflection is full speed, tremor is none; between rows the last one holds."""
    path = written(tmp_path, HEAD + "0.5,1,0,0,0,0,0\n0.6,0.04,0,0,0,0,-1\n0.7,0,0,0,0,0,0\n")
    mouse = SpaceMouse(replayed(path), 0.2, 0.8)
    assert not mouse.twist(0.0).any()
    np.testing.assert_allclose(mouse.twist(0.5), [0.2, 0, 0, 0, 0, 0])
    np.testing.assert_allclose(mouse.twist(0.65), [0, 0, 0, 0, 0, -0.8])
    assert not mouse.twist(0.7).any()
    with pytest.raises(SourceLost, match="pulled out"):
        mouse.twist(0.8)


def test_a_deflected_mouse_that_falls_silent_has_gone():
    """Mice repeat what they say while their cap is deflected; at rest they may be silent for ever."""
    said = [Deflection(1.0, (0.0,) * 6)]
    mouse = SpaceMouse(lambda t: said[0], 0.2, 0.8)
    for t in (0.0, 5.0, 50.0):
        assert not mouse.twist(t).any()
    said[0] = Deflection(2.0, (0.5, 0, 0, 0, 0, 0))
    assert mouse.twist(51.0)[0] > 0.0
    assert mouse.twist(51.0 + spacemouse.SILENT_S)[0] > 0.0
    with pytest.raises(SourceLost, match="silent"):
        mouse.twist(51.01 + spacemouse.SILENT_S)


def test_a_mouse_that_is_not_there_is_one_line(monkeypatch):
    """Whatever the library says: one line with a remedy. A broken read is a lost source as well."""
    pyspacemouse = pytest.importorskip("pyspacemouse")

    def none(**_):
        raise RuntimeError("No connected or supported devices found.")

    monkeypatch.setattr(pyspacemouse, "open", none)
    with pytest.raises(SourceLost, match="No connected or supported devices found") as told:
        plugged_in()
    assert "\n" not in str(told.value) and "plug it in" in str(told.value)

    class Device:
        def read(self):
            raise ValueError("Failed to read from HID device")

    monkeypatch.setattr(pyspacemouse, "open", lambda **_: Device())
    with pytest.raises(SourceLost, match="Failed to read"):
        SpaceMouse(plugged_in(), 0.2, 0.8).twist(0.0)


def test_axes_of_the_real_device_are_those_of_the_base(monkeypatch):
    """It is opened with x ahead, y left, z up; and its state's names are in our order."""
    pyspacemouse = pytest.importorskip("pyspacemouse")
    opened = {}

    class Device:
        def read(self):
            return pyspacemouse.SpaceMouseState(t=3.0, x=1.0, y=0.0, z=0.0, roll=0.0, pitch=0.0, yaw=-1.0)

    monkeypatch.setattr(pyspacemouse, "open", lambda **options: opened.update(options) or Device())
    np.testing.assert_allclose(SpaceMouse(plugged_in(), 0.2, 0.8).twist(0.0), [0.2, 0, 0, 0, 0, -0.8])
    assert opened["axis_convention"] is pyspacemouse.AxisConvention.ROS


def test_a_gamepad_by_its_events():
    """Recorded bytes of the kernel's interface: sticks, triggers, the button that turns, the end."""
    heard = []
    pad = Gamepad(lambda t: heard.pop(0), 0.2, 0.8)

    def event(value, kind, number):
        return struct.pack("<IhBB", 1234, value, kind, number)

    at_first = {
        1: -16384,
        2: -32767,
        5: -32767,
    }  # of the axes, as the kernel tells it when the device is opened
    heard.append(b"".join(event(at_first.get(n, 0), 0x82, n) for n in range(6)))
    np.testing.assert_allclose(pad.twist(0.0), [0.1, 0, 0, 0, 0, 0], atol=1e-4)
    heard.append(event(-32767, 2, 1) + event(2000, 2, 0))  # left stick ahead, and hardly to the right
    np.testing.assert_allclose(pad.twist(0.1), [0.2, 0, 0, 0, 0, 0])
    heard.append(event(0, 2, 1) + event(32767, 2, 5) + event(16384, 2, 3))  # right trigger, right stick
    np.testing.assert_allclose(pad.twist(0.2), [0, 0, 0.2, 0, 0, -0.4], atol=1e-4)
    heard.append(event(1, 1, 4) + event(-32767, 2, 1))  # the shoulder button, and ahead: a pitch
    np.testing.assert_allclose(pad.twist(0.3), [0, 0, 0, 0, 0.8, -0.4], atol=1e-4)
    heard.append(b"\x00\x01\x02")  # no whole event
    assert pad.twist(0.4).any()

    def unplugged(t):
        raise OSError(19, "No such device")

    with pytest.raises(SourceLost, match="No such device"):
        Gamepad(unplugged, 0.2, 0.8).twist(0.0)


def test_a_gamepad_that_has_said_nothing_moves_nothing():
    """Not even with one trigger told and the other not: what is not told is not pulled."""
    heard = [b"", struct.pack("<IhBB", 1, -32767, 2, 5), struct.pack("<IhBB", 2, 32767, 2, 5)]
    pad = Gamepad(lambda t: heard.pop(0), 0.2, 0.8)
    assert not pad.twist(0.0).any() and not pad.twist(0.1).any()
    np.testing.assert_allclose(pad.twist(0.2), [0, 0, 0.2, 0, 0, 0])


def test_a_gamepad_that_is_not_there_is_one_line(tmp_path):
    """With the device's name and what to do; one that is there is read without waiting."""
    with pytest.raises(SourceLost, match=r"js7 cannot be read: No such file.*`input`"):
        gamepad.plugged_in(tmp_path / "js7")
    file = tmp_path / "js0"
    file.write_bytes(struct.pack("<IhBB", 1, 32767, 2, 3))
    read = gamepad.plugged_in(file)
    assert len(read(0.0)) == 8 and read(0.1) == b""


def test_keys_move_for_as_long_as_they_repeat():
    """A tap is a short move; a held key, as terminals repeat it, a steady one; + and - change the speed."""
    typed = {0.0: "w", 0.5: "w", 0.55: "w", 0.6: "w", 1.0: "-", 1.1: "j", 1.15: " ", 1.3: "??", 1.4: "s"}
    keys = Keyboard(lambda t: typed.get(round(t, 3), ""), 0.2, 0.8)
    moving = {round(0.05 * k, 3): keys.twist(0.05 * k) for k in range(40)}
    half = [0.1, 0, 0, 0, 0, 0]
    for t in (0.0, 0.1, 0.5, 0.55, 0.6, 0.7):
        np.testing.assert_allclose(moving[t], half)
    for t in (0.2, 0.45, 0.8, 1.15, 1.3, 1.6):
        assert not moving[t].any(), t
    np.testing.assert_allclose(moving[1.1], [0, 0, 0, 0, 0, 0.8 * 0.5 / 1.25])
    np.testing.assert_allclose(moving[1.4], [-0.2 * 0.5 / 1.25, 0, 0, 0, 0, 0])

    def gone(t):
        raise OSError("closed")

    with pytest.raises(SourceLost, match="terminal has gone"):
        Keyboard(gone, 0.2, 0.8).twist(0.0)


def test_a_program_that_falls_silent_is_a_wish_for_rest():
    """A command counts for a while; then nothing moves until another comes. Nonsense is no command."""
    said = []
    bus = BusCommands(lambda: said.pop(0) if said else None, lambda: np.eye(4), TwistLimits(), 0.004)
    assert not bus.twist(0.0).any()
    said.append(DriveCommand(1, np.array([0.1, 0, 0, 0, 0, 0]), np.zeros(0)))
    assert bus.twist(1.0)[0] == 0.1 and bus.twist(1.0 + FRESH_S)[0] == 0.1
    assert not bus.twist(1.01 + FRESH_S).any()
    said.append(DriveCommand(1, np.full(6, np.nan), np.zeros(0)))
    assert not bus.twist(2.0).any()
    there = moved(np.eye(4), np.array([1.0, 0, 0, 0, 0, 0]))
    said.append(DriveCommand(1, np.zeros(6), np.array([*there[:3, 3], 1.0, 0, 0, 0])))
    np.testing.assert_allclose(bus.twist(3.0), [0.25, 0, 0, 0, 0, 0])


def test_a_file_of_poses_and_one_of_twists(tmp_path):
    """Units are those that the columns name; poses go steadily from row to row, twists until the next."""
    poses = load_commands(
        written(tmp_path, "t_s,x_mm,y_m,z_m,rx_deg,ry_rad,rz_rad\n1,100,0,0,0,0,0\n3,300,1,0,90,0,0\n")
    )
    np.testing.assert_allclose(poses.pose(0.0)[:3, 3], [0.1, 0, 0])
    np.testing.assert_allclose(poses.pose(2.0)[:3, 3], [0.2, 0.5, 0])
    np.testing.assert_allclose(poses.pose(2.0)[2, 1], np.sin(np.pi / 4))
    np.testing.assert_allclose(poses.pose(9.0)[:3, 3], [0.3, 1, 0])
    twists = load_commands(
        written(
            tmp_path,
            "t_s,vx_mm_s,vy_m_s,vz_m_s,wx_deg_s,wy_rad_s,wz_rad_s\n1,100,0,0,180,0,0\n2,50,0,0,0,0,0\n",
        )
    )
    np.testing.assert_allclose(twists.twist(1.5), [0.1, 0, 0, np.pi, 0, 0])
    assert not twists.twist(0.5).any() and not twists.twist(2.0).any()


@pytest.mark.parametrize(
    ("text", "match"),
    [
        ("", "is empty"),
        ("t_s,x_m,y_m,z_m,rx_rad,ry_rad,rz_rad\n", "has no row"),
        ("t_s,x_m,y_m,z_m,rx_rad,ry_rad,rz_m\n0,0,0,0,0,0,0\n", "line 1 names"),
        ("t_s,x_km,y_m,z_m,rx_rad,ry_rad,rz_rad\n0,0,0,0,0,0,0\n", "line 1 names"),
        ("t_s,x_m,y_m,z_m,rx_rad,ry_rad,rz_rad\n0,0,0,0,0,0\n", "line 2"),
        ("t_s,x_m,y_m,z_m,rx_rad,ry_rad,rz_rad\n0,0,a,0,0,0,0\n", "line 2"),
        ("t_s,x_m,y_m,z_m,rx_rad,ry_rad,rz_rad\n0,0,0,0,0,0,0\n0,0,0,0,0,0,0\n", "line 3: .*t_s must rise"),
        ("t_s,x_m,y_m,z_m,rx_rad,ry_rad,rz_rad\n0,0,nan,0,0,0,0\n", "line 2: .*finite"),
    ],
)  # fmt: skip
def test_files_that_are_no_commands_are_refused(tmp_path, text, match):
    """One line with file and place."""
    with pytest.raises(RecordingError, match=match):
        load_commands(written(tmp_path, text))


def test_replay_files_that_are_none_are_refused(tmp_path):
    """Wrong names, no numbers, none that are finite, times that stand still."""
    with pytest.raises(RecordingError, match="a space mouse has"):
        replayed(written(tmp_path, "t_s,x\n0,0\n"))
    with pytest.raises(RecordingError, match="no row of seven numbers"):
        replayed(written(tmp_path, HEAD + "0,0,0,0,0,0,a\n"))
    for rows in ("0,0,nan,0,0,0,0\n", "0,0,0,0,0,0,0\ninf,0,0,0,0,0,0\n", "1,0,0,0,0,0,0\n1,1,0,0,0,0,0\n"):
        with pytest.raises(RecordingError, match="finite, and t_s must rise"):
            replayed(written(tmp_path, HEAD + rows))


def test_a_hand_is_led_from_point_to_point():
    """Each reached in the time of a leg, half of it in the middle; the last is kept."""
    meant = led_along(np.array([[0.1, 0, 0], [0.1, 0.2, 0]]), 2.0)
    for t, place in (
        (0, [0, 0, 0]),
        (1, [0.05, 0, 0]),
        (2, [0.1, 0, 0]),
        (3, [0.1, 0.1, 0]),
        (9, [0.1, 0.2, 0]),
    ):
        np.testing.assert_allclose(meant(float(t)), place, atol=1e-12)


def test_an_emulated_hand_yields_as_its_spring_says():
    """At rest k (meant - x) + f = 0; the tip is led as far as the handle, times the motion's factor."""
    hand = EmulatedHaptic(lambda t: np.array([0.1, 0.0, 0.0]) if t > 0 else np.zeros(3), stiffness=400.0)
    haptic = Haptic(hand, moved(np.eye(4), np.array([1.0, 2.0, 3.0, 0, 0, 0])), motion=2.0, force=0.5)
    haptic.feel(np.array([-24.0, 4.0, 0.0, 9.0, 9.0, 9.0]))
    for k in range(1, 2000):
        T = haptic.pose(0.004 * k)
    np.testing.assert_allclose(hand.p, [0.1 - 0.5 * 24.0 / 400.0, 0.5 * 4.0 / 400.0, 0.0], atol=1e-9)
    np.testing.assert_allclose(T[:3, 3], [1.0 + 2.0 * 0.07, 2.0 + 2.0 * 0.005, 3.0], atol=1e-9)


def test_an_emulated_hand_moves_as_a_mass_on_a_spring():
    """Its step response against the closed form of m x'' + d x' + k x = k; of order one."""
    m, k, d = 0.3, 400.0, 10.0
    decay, omega = d / (2 * m), np.sqrt(k / m - (d / (2 * m)) ** 2)
    errors = []
    for dt in (0.002, 0.001, 0.0005):
        hand = EmulatedHaptic(lambda t: np.array([1.0, 0, 0]) if t > 0 else np.zeros(3), m, k, d)
        t = dt * np.arange(1, round(0.2 / dt) + 1)
        x = np.array([hand.handle(s)[0, 3] for s in t])
        exact = 1 - np.exp(-decay * t) * (np.cos(omega * t) + decay / omega * np.sin(omega * t))
        errors.append(np.abs(x - exact).max())
    assert errors[-1] < 0.02
    assert errors[0] / errors[1] == pytest.approx(2.0, abs=0.3)
    assert errors[1] / errors[2] == pytest.approx(2.0, abs=0.2)
