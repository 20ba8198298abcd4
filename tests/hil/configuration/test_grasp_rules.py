"""Which grasps the loop can bear, by closed forms; and what is refused in a line."""

from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import ConfigurationError
from hil.configuration import load_configuration
from hil.configuration.grasp_rules import (
    configured_delay,
    delayed,
    grasp_faults,
    mass_at_bar,
    unbearable,
)

CONFIG = Path(__file__).parents[3] / "configs" / "two_arms.toml"
C = load_configuration(CONFIG)


def settled(*settings):
    """The shipped configuration with others."""
    return load_configuration(CONFIG, list(settings))


def test_the_mass_at_the_bar_is_that_of_a_lever():
    """1/M = 1/60 + 0.21^2 / 3 across, and 60 kg along the lever is more."""
    assert mass_at_bar(C, C.grasp) == pytest.approx(1.0 / (1.0 / 60.0 + 0.21**2 / 3.0))


@pytest.mark.parametrize(
    ("delay", "law"), [(0.012, "full"), (0.028, "full"), (0.029, "closing"), (0.05, "closing")]
)
def test_the_law_changes_at_half_of_kc_t2_over_m(delay, law):
    """2e4 T^2 / 31.8 kg = 0.5 at 28.2 ms."""
    assert delayed(C, C.grasp, delay).law == law


def test_bounds_are_those_of_the_linear_analysis():
    """D/K of the partner along and about, c/K of the pads: just above the border, and just below."""
    T = 0.05
    for key, unit, share, value in (
        ("partner.damping_n_s_per_m", 500.0, 1.3 * 60.0 / 63.0, T),
        ("partner.damping_turning_n_m_s_per_rad", 50.0, 1.3 * 3.0 / 3.05, T),
        ("grasp.pad_damping_n_s_per_m", 2e4, 3.0 / (3.0 + mass_at_bar(C, C.grasp)), T),
    ):
        border = unit * share * value
        least = {"emulator.delay_ms=0.0", f"{key}={1.001 * border}"}
        c = settled(*least)
        assert unbearable(c, c.grasp, c.partner, T) == ""
        c = settled(f"{key}={0.999 * border}")
        told = unbearable(c, c.grasp, c.partner, T)
        assert f"{1e3 * share * value:.1f} ms needed" in told
        assert "with 50.0 ms from force to motion" in told


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (("partner.stiffness_n_per_m=6000.0",), "partner.stiffness_n_per_m = 6000 is above 5000"),
        (("emulator.delay_ms=60.0",), "no grasp is stable: 60 ms at most"),
        (
            ("emulator.delay_ms=38.0", "partner.damping_n_s_per_m=20.0"),
            "= 40.0 ms is too little, 61.9 ms needed",
        ),
        (
            ("emulator.delay_ms=38.0", "grasp.law='full'"),
            "grasp.law = 'full' swings up: .* = 1.57, 1 is the border",
        ),
        (("force.mode='pushes'",), "needs force.mode = 'contact', not 'pushes'"),
        (
            ("grasp.opening_mm=9.0",),
            "grasp.opening_mm = 9 must be above half of the bar's thickness along y, 10 mm",
        ),
        (
            ("grasp.pad_half_mm=40.0",),
            "grasp.pad_half_mm = 40 must be below half of the bar's x and z, 30 mm",
        ),
        (("partner.plan='none.toml'",), "partner.plan = .*none.toml' is no file"),
        (("planner.inverse='lagrange'",), "planner.inverse are both given"),
        (("grasp.grip_n=41.0",), "grasp.grip_n = 41.0 must be at most 40"),
        (("partner.force_limit_n=50.0",), "partner.force_limit_n = 50.0 must be at most 40"),
    ],
)
def test_what_cannot_be_is_refused_in_a_line(settings, told):
    """With key, value, bound and remedy."""
    with pytest.raises(ConfigurationError, match=told) as found:
        settled(*settings)
    assert len(str(found.value).splitlines()) == 1


def test_who_grasps_needs_what_is_grasped(tmp_path):
    """One table without the other."""
    text = CONFIG.read_text()
    file = tmp_path / "alone.toml"
    start = text.index("[partner]")
    file.write_text(text[:start].replace("robots/", f"{CONFIG.parent}/robots/"))
    with pytest.raises(ConfigurationError, match=r"\[grasp\] needs \[partner\]"):
        load_configuration(file)


def test_each_controller_has_a_port_of_its_own():
    """Both on one: packets of two arms in one stream."""
    with pytest.raises(ConfigurationError, match=r"partner\.port = 49938 is fri\.port as well"):
        settled("partner.port=49938")


def test_a_turned_bar_is_grasped_across_it():
    """The tool's axes in the object: y along the bar's y, z against its z."""
    c = settled("grasp.bar_rotvec_deg=[0.0,0.0,90.0]")
    assert c.grasp.T_object_tool[:3, 1] == pytest.approx([-1.0, 0.0, 0.0], abs=1e-12)
    assert c.grasp.T_object_tool[:3, 2] == pytest.approx([0.0, 0.0, -1.0], abs=1e-12)
    assert np.linalg.det(c.grasp.T_object_tool[:3, :3]) == pytest.approx(1.0)


def test_of_a_real_arm_the_delay_is_where_its_identification_begins():
    """A cycle, the configured lead and the wrench's lateness: nothing of an emulation."""
    c = C.model_copy(update={"robot": C.robot.model_copy(update={"kind": "fri"})})
    assert configured_delay(c) == pytest.approx(0.009 + 0.002 + 0.001)
    assert not [fault for fault in grasp_faults(c) if "fri" in fault]
