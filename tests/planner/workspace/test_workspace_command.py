"""`zerog workspace`: verdict, exit status, stamp, proposal and picture."""

import functools
from pathlib import Path

import pytest

from hil.commands.cli import main
from hil.configuration import Configuration, load_configuration
from hil.configuration.workspace_stamp import workspace_stamp
from planner.kinematics.arm_model import load_arm_model
from planner.workspace.certification import certify
from planner.workspace.grid import Grid, Resolution
from planner.workspace.resting import Failure
from planner.workspace.set_geometry import WorkspaceSet

SMALL = Resolution(centre=4, swing=5, twist=3, arm_angles=24)


@pytest.fixture(autouse=True)
def small_grids(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command on grids that take a second."""
    small = functools.partial(certify, coarse=SMALL, dense=SMALL)
    monkeypatch.setattr("hil.commands.workspace.certify", small)


def changed(root: Path, folder: Path, old: str, new: str) -> Path:
    """Return a copy of the default configuration with one line changed."""
    text = (root / "configs" / "cube.toml").read_text()
    assert old in text
    model = root / "configs" / "robots" / "lwr4.urdf"
    path = folder / "changed.toml"
    path.write_text(text.replace(old, new).replace("robots/lwr4.urdf", str(model)))
    return path


def test_default_configuration_is_certified_with_a_picture(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 0, the file's stamp is recognised, and a picture comes."""
    picture = tmp_path / "set.png"
    assert main(["workspace", str(root / "configs" / "cube.toml"), "--plot", str(picture)]) == 0
    assert "already says so" in capsys.readouterr().out
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 50_000


def test_new_set_prints_the_line_to_write(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A smaller swing is certified under another stamp; with the line written, it is recognised."""
    path = changed(root, tmp_path, "swing_deg = 11.0", "swing_deg = 9.0")
    assert main(["workspace", str(path)]) == 0
    stamp = workspace_stamp(load_configuration(path))
    assert f'certified = "{stamp}"' in capsys.readouterr().out
    path.write_text(path.read_text().replace(load_configuration(path).stops.certified, stamp))
    assert main(["workspace", str(path)]) == 0
    assert "already says so" in capsys.readouterr().out


def test_too_large_a_set_is_refused_with_a_proposal(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 1, the pose, the limit, and a box that would do."""
    old = "half_extent_mm = [80.0, 130.0, 130.0]"
    path = changed(root, tmp_path, old, "half_extent_mm = [200.0, 200.0, 200.0]")
    assert main(["workspace", str(path)]) == 1
    error = capsys.readouterr().err
    assert "not certified" in error and "centre (" in error and "missed by" in error
    assert "half_extent_mm = [" in error and "swing_deg = " in error


def test_too_fast_stops_are_refused_with_the_speeds_that_hold(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 1 and a lower pair of speeds, in the same proportion."""
    path = changed(root, tmp_path, "max_speed_mm_s = 150.0", "max_speed_mm_s = 190.0")
    assert main(["workspace", str(path)]) == 1
    error = capsys.readouterr().err
    assert "speeds are too high" in error and "max_speed_mm_s = 1" in error


def test_a_branch_that_is_not_the_start_poses_is_not_certified(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What holds is another branch, which is told with a start pose in it: exit status 1, and no stamp."""
    old, new = (
        "[0.0, -64.311, 0.0, 84.574, 0.0, 58.885, 0.0]",
        "[-38.6, -89.2, -115.4, -84.6, 160.4, 50.2, -60.6]",
    )
    path = changed(root, tmp_path, old, new)
    assert main(["workspace", str(path)]) == 1
    told = capsys.readouterr()
    assert "another branch than that of robot.start_deg" in told.err and "certified =" not in told.out
    start = [float(part) for part in told.out.split("start_deg = [")[1].split("]")[0].split(",")]
    assert start[1] < 0.0 < min(start[3], start[5])


def test_without_branches_intervals_of_arm_angles_certify_nothing(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The joints that are settled to are looked at, also of an arm of ours; what cannot be is refused."""
    asked: list[str] = []

    def resting(c: Configuration, *_: object) -> Failure:
        asked.append(c.planner.inverse)
        grid = Grid.over(WorkspaceSet.from_configuration(c), load_arm_model(c.robot.model), SMALL)
        return Failure(grid, 0, "for this and that")

    monkeypatch.setattr("hil.commands.workspace.certify_resting", resting)
    path = changed(root, tmp_path, "[limits]", '[planner]\ninverse = "lagrange"\n\n[limits]')
    assert main(["workspace", str(path)]) == 1
    assert asked == ["lagrange"] and "for this and that" in capsys.readouterr().err
    other = root / "configs" / "assemblies" / "fr3.toml"
    text = (root / "configs" / "fr3.toml").read_text().replace('"lagrange"', '"branches"')
    path.write_text(text.replace("assemblies/fr3.toml", str(other)))
    assert main(["workspace", str(path)]) == 2
    assert "planner.inverse = 'branches' is refused" in capsys.readouterr().err and len(asked) == 1


def test_stops_that_are_off_are_a_mistake(
    root: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2 and one line."""
    path = changed(root, tmp_path, "[stops]", "[stops]\nenabled = false")
    assert main(["workspace", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1
