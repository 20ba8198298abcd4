"""`zerog assemble`: findings and figures, files, and what it refuses."""

import json
from pathlib import Path

import pytest

from hil.commands.cli import main

ROOT = Path(__file__).resolve().parents[3]
ARM = ROOT / "configs" / "assemblies" / "ur10e.toml"

WEAK = """name = "weak"
[[parts]]
component = "base-s"
[[parts]]
component = "joint-pitch-s"
[[parts]]
component = "link-straight-s"
[[parts]]
component = "adapter-s-iso50"
[[parts]]
component = "tool-cube-5kg"
"""


def test_figures_for_machines_and_people(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Keys joints, mass_kg, reach_m, payload_kg and findings; a table with parts, joints and margins."""
    out = tmp_path / "out.json"
    assert main(["assemble", str(ARM), "--check", "--json", str(out)]) == 0
    values = json.loads(out.read_text(encoding="utf-8"))
    assert values["joints"] == 6 and values["mass_kg"] == pytest.approx(33.104)
    assert values["reach_m"] == pytest.approx(1.364, abs=0.002) and 10.0 < values["payload_kg"] < 13.0
    assert values["findings"] == [] and len(values["margins"]) == 6
    shown = capsys.readouterr().out
    for words in ("ur10e-3", "120 deg/s", "330 N m", "payload at the tip", "no findings"):
        assert words in shown


def test_files_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Models in the formats that are asked for, and a picture; their names are told, and nothing else."""
    folder, picture = tmp_path / "models", tmp_path / "arm.png"
    given = ["--export", str(folder), "--formats", "urdf,mjcf", "--picture", str(picture)]
    assert main(["assemble", str(ARM), *given]) == 0
    told = capsys.readouterr().out.split()
    assert sorted(told) == sorted(str(path) for path in [*folder.iterdir(), picture])
    assert picture.read_bytes().startswith(b"\x89PNG") and (folder / "ur10e.urdf").is_file()


def test_an_error_is_a_negative_verdict(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Status 1 and no figures where a drive names what is not there; a warning alone is none."""
    arm, out = tmp_path / "arm.toml", tmp_path / "out.json"
    arm.write_text(WEAK, encoding="utf-8")
    assert main(["assemble", str(arm), "--json", str(out)]) == 0
    text = (ROOT / "configs/components/joints/joint-pitch-s.toml").read_text(encoding="utf-8")
    own = text.replace('name = "joint-pitch-s"', 'name = "own"').replace("allied-mf0076008", "brake-s")
    (tmp_path / "own.toml").write_text(own, encoding="utf-8")
    arm.write_text(
        WEAK.replace("[[parts]]", '[[components]]\nfile = "own.toml"\n[[parts]]', 1).replace(
            "joint-pitch-s", "own"
        ),
        encoding="utf-8",
    )
    assert main(["assemble", str(arm), "--json", str(out)]) == 1
    values = json.loads(out.read_text(encoding="utf-8"))
    assert (
        values["findings"][0]["level"] == "error" and "'brake-s' is a brake" in values["findings"][0]["text"]
    )
    assert "payload_kg" not in values
    assert (
        "error: own: motor: 'brake-s' is a brake: name a component of kind 'motor'" in capsys.readouterr().out
    )


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["none.toml"], "none.toml: cannot be read"),
        (["configs/cube.toml"], "configs/cube.toml: is the configuration of a run: `zerog run`"),
        (["configs/assemblies/lwr4.toml", "--json", "no/folder/out.json"], "there is no folder no/folder"),
        (
            ["configs/assemblies/lwr4.toml", "--formats", "urdf"],
            "--formats urdf is the export's: add --export DIR",
        ),
        (["configs/assemblies/lwr4.toml", "--export", "out", "--formats", "cad"], "there is no format 'cad'"),
        (["configs/assemblies/lwr4.toml", "--json", "configs"], "configs cannot be written: it is a folder"),
        (["configs/assemblies/lwr4.toml", "--picture", "docs"], "docs cannot be written: it is a folder"),
        (["configs/assemblies/lwr4.toml", "--json", "/proc/x.json"], "/proc/x.json cannot be written: "),
    ],
)
def test_mistakes_are_one_clear_line(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Status 2."""
    monkeypatch.chdir(ROOT)
    assert main(["assemble", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_an_arm_that_is_not_exported_says_why(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Also where nothing but its models was asked for: status 1, the finding, no file."""
    arm = tmp_path / "arm.toml"
    arm.write_text('name = "post"\n[[parts]]\ncomponent = "base-l"\n', encoding="utf-8")
    assert main(["assemble", str(arm), "--export", str(tmp_path / "models")]) == 1
    assert "no part has a joint: add a joint" in capsys.readouterr().out
    assert not (tmp_path / "models").exists()
