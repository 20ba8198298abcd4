"""`--set KEY=VALUE`: a value instead of the file's, under the same rules."""

import datetime
from pathlib import Path

import pytest

from hil.common.errors import ConfigurationError
from hil.configuration import load_configuration
from hil.configuration.overrides import overridden

CUBE = Path(__file__).resolve().parents[3] / "configs" / "cube.toml"


def test_settings_replace_values_and_leave_the_rest() -> None:
    """A scalar, a value of a table that the file does not have, and a vector; neighbours stay."""
    plain = load_configuration(CUBE)
    changed = load_configuration(
        CUBE, ["fri.sample_time_ms=1", "emulator.wrench.motion_noise=false", "operator.random.gap_s = 3.0"]
    )
    assert changed.fri.sample_time == 1e-3
    assert not changed.emulator.wrench.motion_noise
    assert changed.operator.random is not None and plain.operator.random is not None
    assert changed.operator.random.gap == 3.0
    assert changed.operator.random.first == plain.operator.random.first
    assert changed.object.mass == plain.object.mass


def test_words_need_no_quotes() -> None:
    """A shell takes quotes away: a bare word is a string, words of TOML stay what they are."""
    changed = load_configuration(
        CUBE, ["planner.inverse=passive-chain", "emulator.wrench.motion_noise = true"]
    )
    assert changed.planner.inverse == "passive-chain"
    assert changed.emulator.wrench.motion_noise is True
    with pytest.raises(ConfigurationError, match=r"planner\.inverse = 'jacobian'"):
        load_configuration(CUBE, ["planner.inverse=jacobian"])


def test_files_and_addresses_need_no_quotes() -> None:
    """They have a stroke or four numbers; a number with an exponent stays one."""
    for text, value in (
        ("a.b=scenes/my-room.xml", "scenes/my-room.xml"),
        ("a.b=../arm.urdf", "../arm.urdf"),
        ("a.b=192.168.0.20", "192.168.0.20"),
        ("a.b=cube.stl", "cube.stl"),
        ("a.b=~/cube.stl", "~/cube.stl"),
        ("a.b=1e-3", 1e-3),
        ("a.b=1.5e3", 1.5e3),
        ("a.b=1979-05-27", datetime.date(1979, 5, 27)),
        ("a.b='x/y'", "x/y"),
    ):
        assert overridden({}, [text]) == {"a": {"b": value}}


def test_a_number_may_begin_with_its_point() -> None:
    """As people write it, with and without a sign; TOML itself asks for the zero."""
    for text, value in (("a.b=.5", 0.5), ("a.b = -.25", -0.25), ("a.b=+.5e-1", 0.05), ("a.b=1.5", 1.5)):
        assert overridden({}, [text]) == {"a": {"b": value}}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("fri.sample_time_ms", "KEY=VALUE"),
        ("", "names no key"),
        ("# mockup.mass_kg=5", "names no key"),
        ("a=" + 9999 * "[", "too deep"),
        ("a=" + 9999 * "9", "digits"),
        ("fri.sample_time_ms=1 2", "KEY=VALUE"),
        ("fri.sample_time_ms=fast", "fri.sample_time_ms = .fast."),
        ("fri.sample_tme_ms=1", "fri.sample_tme_ms is unknown; did you mean sample_time_ms"),
        ("fri.sample_time_ms=900", "fri.sample_time_ms = 900 must be at most 20"),
        ("robot.start_deg=[0,0,0,0,0,0,999]", r"robot.start_deg\[6\] = 999 must be at most 360"),
        ("emulator.start_deg=[-999,0,0,0,0,0,0]", r"emulator.start_deg\[0\] = -999 must be at least -360"),
        ('fri.override.stops="short"', "fri.override.stops = 'short' must say why"),
    ],
)
def test_faults_are_named(text: str, says: str) -> None:
    """What is no line of TOML, an unknown key and a value out of bounds are each said."""
    with pytest.raises(ConfigurationError, match=says):
        load_configuration(CUBE, [text])


def test_a_reason_is_one_line() -> None:
    """However it is laid out in the file: it shows in status, on the page and in reports."""
    c = load_configuration(CUBE, [r'fri.override.stops="a bench test\nwithout\tan arm"'])
    assert c.fri.override.stops == "a bench test without an arm"
