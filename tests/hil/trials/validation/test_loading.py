"""Configurations of experiments: the shipped ones load, and every mistake is one clear line."""

from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import ConfigurationError
from hil.trials.validation.loading import SHIPPED, load_experiment
from hil.trials.validation.parameters import NAMES, named
from hil.trials.validation.setup import Setup

FILES = sorted(SHIPPED.glob("*.toml"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_shipped_experiments_load_by_name_and_by_path(path: Path) -> None:
    """`table-slide` is `configs/validation/table_slide.toml`."""
    by_name, by_path = load_experiment(path.stem.replace("_", "-")), load_experiment(str(path))
    assert by_name.about == by_path.about
    np.testing.assert_array_equal(by_name.arm.start, by_path.arm.start)


def test_the_bounds_are_those_that_were_set() -> None:
    """Half of the paper's levels for the slide, a quarter of a tenth at the rim."""
    slide, rim = load_experiment("table-slide").bounds, load_experiment("rim-contact").bounds
    assert (slide.deviation, slide.sigma) == (0.05, 0.02)
    assert rim.deviation == 0.025 and rim.sigma <= 0.025
    assert slide.torque_correlation == rim.torque_correlation == 0.95


def test_the_pegs_are_those_of_the_paper() -> None:
    """34.9 mm in a hole of 35 mm."""
    e = load_experiment("rim-contact")
    assert 2e3 * e.peg.radius == pytest.approx(34.9) and 2e3 * e.plate.hole[0].radius == pytest.approx(35.0)


@pytest.mark.parametrize(
    ("setting", "words"),
    [
        (
            "peg.radius_mm=17.49",
            r"plate\.hole\[0\]\.radius_mm = 17\.5 leaves .* 10 um of clearance, at least 20",
        ),
        ("plate.half_width_mm=[15, 100]", r"plate\.hole\[0\]\.position_mm = .* is outside the plate"),
        (
            "plate.height_mm=70",
            r"plate\.height_mm = 70 must be at least .* = 77\.5, or the hole comes out below",
        ),
        ("simulation.sample_ms=2.5", r"simulation\.sample_ms = 2\.5 must be a multiple of .*step_ms = 1"),
        ("peg.tip_mm=120", r"peg\.tip_mm = 120 must be at least 134\.9"),
        ("campaign.moves=9", r"campaign\.moves = 9 must be at most 5"),
        ("fit.parameters=['stifness']", r"fit\.parameters: stifness is no parameter; known are stiffness,"),
        ("contact.friction=0", r"contact\.friction = 0 must be above 0"),
        ("contact.restitution=0.5", r"contact\.restitution is unknown"),
        ("controller.stiffness_n_m_per_rad=[1, 2, 3]", r"has 3 values, expected 7"),
        ("arm.model='\"none.urdf\"'", r"is no table|arm\.model"),
        ('arm.model="none.urdf"', r"arm\.model = '.*none\.urdf' is no file"),
    ],
)
def test_mistakes_are_named(setting: str, words: str) -> None:
    """Key, value, bound and remedy."""
    with pytest.raises(ConfigurationError, match=words):
        load_experiment("rim-contact", [setting])


def test_an_unknown_experiment_is_told_the_known_ones() -> None:
    """No file, no name."""
    with pytest.raises(ConfigurationError, match=r"no experiment 'rim': rim-contact, table-slide, or a TOML"):
        load_experiment("rim")
    with pytest.raises(ConfigurationError, match=r"none\.toml: cannot be read"):
        load_experiment("none.toml")


def test_parameters_are_named_singly_or_by_kind() -> None:
    """A kind means all its joints; nothing named means all."""
    assert named(()) == NAMES
    assert named(("coulomb_A3", "tool_mass")) == ("coulomb_A3", "tool_mass")
    assert named(("damping",)) == tuple(f"damping_A{joint}" for joint in range(1, 8))


def test_draws_stay_within_their_spread_and_repeat() -> None:
    """Every parameter is drawn, within 10 %, the same for the same seed."""
    parameters = Setup.load("table-slide").parameters
    shares = np.array([parameters.drawn(seed, 0.1).values / parameters.values for seed in range(200)])
    assert shares.shape == (200, len(NAMES))
    assert shares.min() > 0.9 and shares.max() < 1.1
    assert np.all(np.ptp(shares, axis=0) > 0.18)
    np.testing.assert_array_equal(parameters.drawn(3, 0.1).values, parameters.drawn(3, 0.1).values)
