"""`zerog check` of a real arm's configuration: status 1 for what lacks, each in a line with its remedy."""

from collections.abc import Callable
from pathlib import Path

import pytest

from hil.commands.cli import main
from hil.configuration import load_configuration
from hil.configuration.wrench_stamp import wrench_stamp

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def checked(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Callable[..., tuple[int, str, list[str]]]:
    """Checks the real arm's configuration with changes of its text: status, output, and what is wrong."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    file = tmp_path / "run.toml"

    def check(*changes: tuple[str, str]) -> tuple[int, str, list[str]]:
        text = (ROOT / "configs/lwr_fri.toml").read_text(encoding="utf-8")
        text = text.replace('"robots/', f'"{ROOT}/configs/robots/')
        for old, new in changes:
            assert old in text
            text = text.replace(old, new, 1)
        file.write_text(text, encoding="utf-8")
        status = main(["check", str(file)])
        told = capsys.readouterr()
        return status, told.out, told.err.splitlines()

    return check


def test_the_shipped_one_passes_and_says_that_nothing_moves_yet(
    checked: Callable[..., tuple[int, str, list[str]]], tmp_path: Path
) -> None:
    """Status 0, for the run must begin before a weight can be hung; kept, the warning has gone."""
    status, out, wrong = checked()
    assert status == 0 and wrong == [] and "warning: no motion yet: the wrench was not checked" in out
    stamp = wrench_stamp(load_configuration(tmp_path / "run.toml"))
    folder = tmp_path / "state" / "zerog"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"wrench-{stamp}").write_text(f'{{"stamp": "{stamp}"}}', encoding="utf-8")
    status, out, wrong = checked()
    assert status == 0 and wrong == [] and "warning" not in out


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("centre_mm = [790.0", "centre_mm = [791.0", "not certified (`zerog workspace"),
        ('certified = "', '# certified = "', "not certified (`zerog workspace"),
        ("[stops]\n", "[stops]\nenabled = false\n", "stops.enabled = false"),
        ("edge_mm = 300.0", "edge_mm = 300.0\nuncompensated = 0.25", "0.021 is above 0.02"),
        ("wrench_sign = 1", "", "fri.wrench_sign not written down"),
        ('wrench_frame = "base"', "", "fri.wrench_frame not written down"),
    ],
)
def test_what_a_real_arm_lacks_is_status_1(
    checked: Callable[..., tuple[int, str, list[str]]], old: str, new: str, words: str
) -> None:
    """One line names it with its remedy; set aside by a reason it is a warning with that reason."""
    status, _, wrong = checked((old, new))
    assert status == 1 and len(wrong) == 1 and words in wrong[0] and "run.toml: " in wrong[0]
    key = {"not": "certificate", "sto": "stops", "0.0": "force_path", "fri": "wrench_reading"}[words[:3]]
    aside = ("port = 49938", f'port = 49938\noverride.{key} = "measured by hand, all of it"')
    status, out, wrong = checked((old, new), aside)
    assert status == 0 and wrong == []
    assert f"set aside by fri.override.{key}: measured by hand, all of it" in out


def test_several_lacks_are_as_many_lines(checked: Callable[..., tuple[int, str, list[str]]]) -> None:
    """Nothing hides behind another."""
    changes = ("centre_mm = [790.0", "centre_mm = [791.0"), ("wrench_sign = 1", "")
    status, _, wrong = checked(*changes)
    assert status == 1 and len(wrong) == 2


def test_an_emulated_arm_is_warned_of(capsys: pytest.CaptureFixture[str]) -> None:
    """Its stops may be off: nobody stands beside it."""
    assert main(["check", str(ROOT / "configs/cube.toml"), "--set", "stops.enabled=false"]) == 0
    assert "warning: stops.enabled = false" in capsys.readouterr().out
    assert main(["check", str(ROOT / "configs/tumble.toml")]) == 0  # there the arm stands
    assert "warning" not in capsys.readouterr().out


def test_of_a_file_that_cannot_be_read_there_is_no_verdict(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A user's mistake, status 2, and not the verdict of status 1 that a sound file would have got."""
    for path in (tmp_path / "none.toml", tmp_path, Path("/dev/zero")):
        assert main(["check", str(path)]) == 2
        assert capsys.readouterr().err.startswith(f"zerog: {path}: cannot be read: ")
