"""The reference of keys says what the schema does: bounds refuse, defaults are the same as leaving out."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

from docs.use.make_configuration import PAGE, page
from hil.commands.cli import main
from hil.common.errors import ConfigurationError
from hil.configuration import load_configuration
from hil.configuration.key_search import named, nearest
from hil.configuration.loading import configuration_from
from hil.configuration.overrides import overridden
from hil.configuration.reference import ABSENT, MUST, Key, all_keys
from hil.configuration.resolved import resolved
from hil.configuration.spelled import spelled
from hil.processes.table import PROCESSES

ROOT = Path(__file__).resolve().parents[3]
CUBE = ROOT / "configs/cube.toml"
KEYS = all_keys()
PARTS = {*PROCESSES, "daemon", "all processes", "the process named"} | {
    f"zerog {verb}" for verb in ("check", "detect", "dock", "report", "workspace")
}
STEPS = {">": 0.0, ">=": -1.0, "<": 0.0, "<=": 1.0}  # to the first value that is none


def cube() -> dict[str, Any]:
    """The default configuration as a plain table."""
    return tomllib.loads(CUBE.read_text(encoding="utf-8"))


def takes(setting: str) -> bool:
    """Whether the default configuration with that line is sound."""
    try:
        configuration_from(overridden(cube(), [setting]), CUBE)
    except ConfigurationError:
        return False
    return True


def test_every_key_says_what_it_means_and_where_it_acts() -> None:
    """No key without words, none in a part of the program that there is not."""
    assert len(KEYS) > 200
    for key in KEYS:
        assert len(key.meaning.text) > 5 and key.meaning.text.endswith("."), key.name
        assert set(key.meaning.acts_in.split(", ")) <= PARTS, f"{key.name}: {key.meaning.acts_in}"


def test_the_page_is_up_to_date() -> None:
    """Else: `python -m docs.use.make_configuration`."""
    assert PAGE.read_text(encoding="utf-8") == page()


def judged() -> list[Key]:
    """Keys whose default the default configuration takes as a line of its own, arrays of tables apart."""
    return [key for key in KEYS if key.default not in (MUST, ABSENT) and takes(f"{key.name} = {key.default}")]


def test_a_default_written_down_changes_nothing() -> None:
    """What the reference says of defaults is what leaving the key out gives."""
    plain = dict(resolved(configuration_from(cube(), CUBE)))
    remarks = {line.split(" = ")[0]: note for line, note in spelled(load_configuration(CUBE))}
    left_out = [key for key in judged() if "default" in remarks.get(key.name, "")]
    assert len(left_out) > 100
    together = overridden(cube(), [f"{key.name} = {key.default}" for key in left_out])
    assert dict(resolved(configuration_from(together, CUBE))) == plain


def test_what_is_out_of_bounds_is_refused() -> None:
    """A step beyond each bound that the reference states; whole numbers by one."""
    tried = 0
    for key in judged():
        for part in key.bounds.split(" and ") if key.bounds[0] in "<>" else ():
            sign, number = part.split()
            step = max(1.0, abs(float(number))) * (1e-3 if "." in key.default else 1.0)
            beyond = float(number) + STEPS[sign] * step
            if "." not in key.default:
                beyond = round(beyond)
            assert not takes(f"{key.name} = {beyond!r}"), f"{key.name} = {beyond!r}"
            tried += 1
    assert tried > 120


@pytest.mark.parametrize("file", sorted((ROOT / "configs").glob("*.toml")), ids=lambda file: file.name)
def test_what_check_prints_is_a_file_that_says_the_same(file: Path) -> None:
    """The lines are TOML with the file's own keys; read again they give the same values."""
    c = load_configuration(file)
    # of a real arm it counts what is written down, and some defaults may not be
    written = c.robot.kind == "fri"
    lines = [(line, note) for line, note in spelled(c) if not (written and "default" in note)]
    again = configuration_from(tomllib.loads("\n".join(line for line, _ in lines)), file)
    assert dict(resolved(again)) == dict(resolved(c))
    keys = {key.name for key in KEYS}
    several = {"operator.push", *(f"object.inside.{name}" for name in ("knot", "panel", "tank", "mode"))}
    assert {line.split(" = ")[0] for line, _ in lines} <= keys | several


def test_si_stands_beside_what_is_not_in_si() -> None:
    """20 ms are 0.02 s; kilograms stand alone."""
    lines = dict(spelled(load_configuration(CUBE, ["emulator.delay_ms=20"])))
    assert lines["emulator.delay_ms = 20.0"] == "SI 0.02"
    assert lines["object.mass_kg = 60.0"] == ""
    assert lines["stops.half_extent_mm = [80.0, 130.0, 130.0]"] == "SI [0.08, 0.13, 0.13]"
    assert lines["emulator.lag_ms = 10.0"] == "default, SI 0.01"
    assert lines["planner.arm_angles = 72"] == "default"


@pytest.mark.parametrize(
    ("part", "first", "number"),
    [
        ("planner.knot_ms", "planner.knot_ms", 1),
        ("planner.knot", "planner.knot_ms", 1),
        ("knot", "planner.knot_ms", 1),
        ("operator.push.force_n", "operator.push[].force_n", 1),
        ("[stops]", "stops.enabled", 11),
        ("delay_ms", "base.delay_ms", 3),
        ("echo", "fri.echo_cycles", 5),
        ("operator.push[0].force_n", "operator.push[].force_n", 1),
        ("stops.", "stops.enabled", 11),
    ],
)
def test_keys_are_found_by_a_piece(part: str, first: str, number: int) -> None:
    """Whole, without its unit, its last piece, a table, or any piece."""
    found = [key.name for key in named(part)]
    assert found[0] == first and len(found) == number, found


def test_an_unknown_key_names_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    """Of the whole name and of its last piece; nothing near: where all stand."""
    assert nearest("fri.wrench_sing")[0] == "fri.wrench_sign"
    assert "planner.knot_ms" in nearest("knott")
    assert main(["check", "--explain", "knott"]) == 1
    assert "there is no key 'knott'; nearest: planner.knot_ms" in capsys.readouterr().err
    assert main(["check", "--explain", "zzzzz"]) == 1
    assert "docs/use/configuration.md" in capsys.readouterr().err


@pytest.mark.parametrize("part", ["", "  ", ".", "[[", "[]", "*", 100_000 * "x"])
def test_what_is_a_piece_of_every_name_is_no_key(part: str, capsys: pytest.CaptureFixture[str]) -> None:
    """An empty variable of a shell does not print all keys; what is long is not printed whole."""
    assert main(["check", "--explain", part]) == 1
    out, err = capsys.readouterr()
    assert not out and err.startswith("zerog: there is no key ") and len(err) < 200


def test_settings_without_a_file_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing would show them."""
    assert main(["check", "--explain", "delay_ms", "--set", "emulator.delay_ms=20"]) == 2
    assert "give CONFIG" in capsys.readouterr().err


def test_explained_in_full_with_the_files_value(capsys: pytest.CaptureFixture[str]) -> None:
    """Unit, bounds, default, the value with `--set`, and where it acts."""
    assert main(["check", str(CUBE), "--explain", "emulator.delay_ms", "--set", "emulator.delay_ms=20"]) == 0
    told = capsys.readouterr().out
    for words in (
        "unit         ms",
        ">= 0 and <= 1000",
        "default      0.0",
        "in this file 20.0",
        "emulator\n",
    ):
        assert words in told
    assert main(["check"]) == 2
    assert "needs CONFIG" in capsys.readouterr().err


def test_check_takes_settings_and_warns(capsys: pytest.CaptureFixture[str]) -> None:
    """A setting is printed as the file would spell it; stops that it changes are certified no more."""
    assert main(["check", str(CUBE), "--set", "stops.swing_deg=12"]) == 0
    told = capsys.readouterr().out
    assert "stops.swing_deg = 12.0  # SI 0.20944" in told and "warning: these stops are not certified" in told
    assert main(["check", str(CUBE)]) == 0
    assert "warning" not in capsys.readouterr().out
