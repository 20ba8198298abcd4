"""A base's keys: what is refused in one line, and what follows from them."""

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from hil.common.errors import ConfigurationError
from hil.configuration import load_configuration
from hil.configuration.base_rules import (
    deck_clearance,
    object_caps,
    pace_slew,
    speed_wanted,
    vehicle_emulated,
)
from hil.processes.table import processes_of

OUTSIDE = ['base.vehicle="outside"', "emulator.patient=false"]
ROOT = Path(__file__).parents[3]
CONFIG = ROOT / "configs" / "platform.toml"


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ('base.kind="skate"', "base.kind"),
        ("base.committed_ms=100", "base.committed_ms = 100 must be at least 220"),
        ("base.floor_mm=[[-500,-500],[500,500]]", "too small"),
        ("base.floor_mm=[[2000,2000],[-2000,-2000]]", "too small"),
        ("base.floor_mm=[[100,-3000],[4000,3000]]", "must hold the origin"),
        ("base.floor_mm=[[-3000,-3000]]", "2 needed"),
        ("base.heading_reserve_deg=12", "base.heading_reserve_deg = 12 must be below stops.swing_deg = 11"),
        ("base.standoff_mm=500", "base.standoff_mm = 500 is outside the stops"),
        ("object.initial_velocity_mm_s=[90,0,0]", "object.initial_velocity_mm_s is 90.0 mm/s, 75.0 allowed"),
        ("object.initial_spin_deg_s=[0,0,9]", "object.initial_spin_deg_s is 9.0 deg/s"),
        ("stops.enabled=false", "needs stops.enabled = true"),
        ('force.mode="contact"', "force.mode = 'contact'"),
        ('sensor.kind="emulated"', "sensor.kind = 'emulated'"),
        ("base.max_speed_mm_s=-1", "base.max_speed_mm_s"),
        ("base.delay_ms=900", "base.delay_ms"),
    ],
)
def test_what_no_base_can_do_is_refused_in_a_line(setting, told):
    """Each names the file, the key, the value and the bound."""
    with pytest.raises(ConfigurationError) as error:
        load_configuration(CONFIG, [setting])
    lines = str(error.value).splitlines()
    assert any(told in line for line in lines)
    assert all(str(CONFIG) in line for line in lines)


def test_a_scene_needs_a_pose_from_outside():
    """Wheels slip: with them alone the object would miss its walls."""
    scene = "scene.file=scenes/box.xml"
    with pytest.raises(ConfigurationError, match="pose_source = 'odometry'"):
        load_configuration(CONFIG, [scene, 'base.pose_source="odometry"'])


def test_caps_are_those_from_which_a_reversal_stays_in_the_set():
    """Turned round at once, the object leaves the middle by what the stops allow; the base keeps up."""
    c = load_configuration(CONFIG)
    speed, spin = object_caps(c)
    place, heading = c.base.deviation(2.0 * speed, 2.0 * spin)
    assert place <= c.stops.half_extent[:2].min()
    assert heading <= c.base.heading_reserve * (1.0 + 1e-9)
    assert 2.0 * speed <= c.stops.max_speed * (1.0 + 1e-9)
    assert speed_wanted(c, speed, spin) <= 0.9 * c.base.share * c.base.max_speed
    assert 0.5 < pace_slew(c) < 5.0
    slow = load_configuration(CONFIG, ["base.max_speed_mm_s=100", "object.initial_velocity_mm_s=[0,0,0]",
                                       "object.initial_spin_deg_s=[0,0,0]"])  # fmt: skip
    assert speed_wanted(slow, *object_caps(slow)) == pytest.approx(0.9 * math.sqrt(0.5) * 0.1)


def test_deviation_and_its_inverse_agree():
    """The change of velocity whose deviation is given has that deviation."""
    base = load_configuration(CONFIG).base
    assert base.deviation(*base.change_within(0.08, 0.15)) == pytest.approx((0.08, 0.15))


def test_an_outside_vehicle_needs_the_hosts_clock():
    """A patient emulation has a clock of its own, which no outside program reads."""
    with pytest.raises(ConfigurationError, match=r"emulator\.patient = false"):
        load_configuration(CONFIG, OUTSIDE[:1])
    assert load_configuration(CONFIG, OUTSIDE).base.vehicle == "outside"


def test_a_run_brings_its_vehicle_along_unless_it_is_one_of_ones_own():
    """The vehicle's process is one of a run with an emulated vehicle alone."""
    for settings, emulated in (
        ([], True),
        (OUTSIDE, False),
        (['base.kind="none"'], False),
    ):
        c = load_configuration(CONFIG, settings)
        assert vehicle_emulated(c) is emulated
        names = [process.name for process in processes_of("emulated", carried=vehicle_emulated(c))]
        assert ("vehicle" in names) is emulated


def test_the_mockup_keeps_clear_of_the_deck_whatever_its_attitude():
    """Against corners of the cube at the box's corners in drawn attitudes: none is nearer than is said."""
    c = load_configuration(CONFIG)
    clear = deck_clearance(c)
    assert clear is not None and clear > 0.0
    rng, nearest = np.random.default_rng(1), math.inf
    soft = c.stops.max_speed * c.stops.contact_time / math.pi
    corners = np.array(list(itertools.product((-1.0, 1.0), repeat=3))) * 0.5 * c.mockup.edge
    for R in Rotation.random(2000, random_state=1).as_matrix():
        for centre in (c.stops.centre + rng.choice([-1.0, 1.0], 3) * (c.stops.half_extent + soft),):
            p = centre + corners @ R.T
            out = np.maximum(np.maximum(c.base.deck[0] - p[:, :2], p[:, :2] - c.base.deck[1]), 0.0)
            above = np.maximum(p[:, 2] - c.base.deck_height, 0.0)
            nearest = min(nearest, float(np.hypot(np.linalg.norm(out, axis=1), above).min()))
    assert clear <= nearest < clear + 0.05
    with pytest.raises(ConfigurationError, match="64 mm too near"):
        load_configuration(CONFIG, ["base.deck_mm=[[-600,-300],[500,300]]"])
    with pytest.raises(ConfigurationError, match="the smaller one first"):
        load_configuration(CONFIG, ["base.deck_mm=[[400,-300],[-600,300]]"])
    assert deck_clearance(load_configuration(CONFIG, ["base.deck_height_mm=-500"])) > clear
