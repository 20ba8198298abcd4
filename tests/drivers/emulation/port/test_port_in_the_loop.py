"""The emulated port within the emulated controller: in the measured wrench, in the truth, and refused."""

import numpy as np
import pytest

from drivers.emulation.controller.controller import EmulatedController
from drivers.emulation.port_log import PortLog
from drivers.fri.session import wrench_tcp_in_base
from hil.commands.cli import main
from hil.common.errors import ConfigurationError
from hil.common.geometry import wrench_moved
from hil.configuration import load_configuration
from tests.drivers.emulation.loops import CONFIGS, QUIET, LockStepClient, configured, sine_pose

K = 2e4


def in_the_way(gap: float, **table):
    """Return a configuration whose port lies `gap` [m] before the mock-up's lower face at the start."""
    arm = EmulatedController(configured()).arm
    foot = np.array([0.0, 0.0, 0.15])
    T = arm.T_world_object
    point = 1e3 * (T[:3, :3] @ foot + T[:3, 3] + gap * T[:3, 2])
    port = {
        "stiffness_n_per_m": K,
        "point_mm": point.tolist(),
        "normal": (-T[:3, 2]).tolist(),
        "feet_mm": (1e3 * foot)[None].tolist(),
    }
    return configured(port={**port, **table}, mockup={"uncompensated": 0.0}, emulator={"wrench": QUIET})


def test_what_the_port_exerts_is_measured_with_the_pose_of_the_same_packet():
    """Run into by a moving arm: k times depth along its normal, at the foot; seen at the tcp, base axes."""
    c = in_the_way(0.004)
    controller = EmulatedController(c)
    client = LockStepClient(c, controller)
    client.until_command()
    start, begun = controller.arm.q.copy(), controller.t
    log, told, pressed = PortLog(c.fri.sample_time), [], 0
    for k in range(600):
        T, T_tcp = controller.arm.T_world_object.copy(), controller.arm.T_base_tcp
        truth = controller.truth()
        block = log.add(controller, k)
        told += [] if block is None else [block]
        sample = client.cycle(lambda _, k=k: sine_pose(start, controller.t - begun + 0.002)[0])
        plane = c.port.point, c.port.normal_unit
        lever = T[:3, :3] @ np.array(c.port.feet[0])
        depth = max(0.0, float(plane[1] @ (plane[0] - T[:3, 3] - lever)))
        force = K * depth * plane[1]
        wrench = np.concatenate((force, np.cross(lever, force)))
        assert truth.wrench_world == pytest.approx(wrench, abs=1e-9)
        p_tcp_object = T_tcp[:3, :3] @ c.object.position  # base and world are the same here
        expected = wrench_moved(wrench, p_tcp_object)
        measured = wrench_tcp_in_base(sample.wrench, c.fri.wrench_frame, T_tcp[:3, :3])
        assert measured == pytest.approx(expected, rel=1e-5, abs=2e-4)
        pressed += depth > 0.0
    assert 60 < pressed < 590
    assert [len(block.sequences) for block in told] == [50] * 12
    depths = np.concatenate([block.penetration for block in told])
    assert depths[0] == pytest.approx(-0.004, abs=1e-6) and depths.max() > 1e-3
    forces = np.concatenate([block.wrench_world for block in told])[:, :3]
    assert np.linalg.norm(forces, axis=1) == pytest.approx(K * np.maximum(depths, 0.0), abs=1e-6)
    (touch, *_) = controller.port.touches.records
    assert touch.t_end > touch.t_start and np.linalg.norm(touch.impulse_world[:3]) > 0.1


def test_a_port_in_the_mockups_place_is_refused_with_by_how_much(capsys):
    """A foot that begins behind the face would be hurled away; `zerog check` says so as well."""
    words = ["check", str(CONFIGS / "port.toml"), "--set", "port.point_mm=[930.0, 0.0, 150.0]"]
    assert main(words) == 1
    assert "foot 1 of the mock-up begins 10 mm behind the port's face; move" in capsys.readouterr().err
    with pytest.raises(
        ConfigurationError, match=r"port.point_mm = \[.*\]: foot 1 of the mock-up begins 3 mm"
    ):
        EmulatedController(in_the_way(-0.003))


@pytest.mark.parametrize(
    ("tables", "text"),
    [
        ({"port": {"normal": [0.0, 0.0, 0.0]}}, r"port.normal = \[0, 0, 0\] has no direction"),
        ({"port": {"feet_mm": [[0.0, 0.0, 1.0]] * 17}}, "port.feet_mm has 17 feet; it may have 16 at most"),
        ({"port": {"bump_mm": 1.0}}, "port.bump_mm stands there without port.bump_stiffness_n_per_m"),
        (
            {"port": {"bump_stiffness_n_per_m": 1.0}},
            "port.bump_stiffness_n_per_m stands there without port.bump",
        ),
        ({"port": {"groove_axis": [1.0, 0.0, 0.0]}}, "port.groove_axis stands there without port.groove_deg"),
        (
            {"port": {"groove_deg": 30.0, "groove_axis": [0.0, 0.0, -2.0]}},
            r"port.groove_axis = \[0, 0, -2\] must not lie along port.normal = \[0, 0, 1\]",
        ),
        ({"emulator": {"control": "impedance"}}, "port is refused with emulator.control = 'impedance'"),
        ({"emulator": {"elastic": True}}, "port is refused with emulator.elastic = true"),
        ({"port": {"stiffness_n_per_m": 0.0}}, "port.stiffness_n_per_m = 0.0 must be at least 1"),
        ({"port": {"mass_kg": 0.1}}, "port.mass_kg = 0.1 must be at least 0.5"),
        ({"port": {"exponent": 0.5}}, "port.exponent = 0.5 must be at least 1"),
    ],
)
def test_what_no_port_can_be_is_refused_in_words(tables, text):
    """Key, value, bound or remedy."""
    port = {"stiffness_n_per_m": K, "point_mm": [0.0, 0.0, -500.0], "normal": [0.0, 0.0, 1.0]}
    tables = {**tables, "port": {**port, **tables.get("port", {})}}
    with pytest.raises(ConfigurationError, match=text):
        configured(**tables)


def test_the_shipped_port_stands_where_the_certified_set_reaches_it():
    """Before the cube's face, within the stops' box, and 20 mm/s get there in a second."""
    c = load_configuration(CONFIGS / "port.toml")
    controller = EmulatedController(c)
    (foot,), gap = controller.port.feet, -controller.port.penetration
    assert foot == pytest.approx([0.0, 0.0, 0.15])
    assert 0.015 < gap < 0.025 < c.stops.half_extent[0]
    assert c.port.normal_unit @ c.object.initial_velocity < -0.01
    assert not controller.truth().wrench_world.any()
