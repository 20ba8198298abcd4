"""Examples work as printed: quick ones are executed, the others parse, and are listed with the reason.

They are printed as `zerog ...`, which is on the path after `. .venv/bin/activate`; each page says so once.
"""

import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

from hil.commands.cli import main, parser
from tests.documents import PAGES, ROOT, commands, links, page_name, text_of
from tests.examples import EXECUTED, PARSED, lines, why_not
from tests.hil.wrench.pushed_wrench import DIRECTION, half_sine, noise, time_axis

ACTIVATE = ". .venv/bin/activate"
NOT_FOR_READERS = {
    "README.md",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
}  # at the root: they say it in their own way
FIRST = 3  # lines, in which a page says for whom it is
INDEX, README = ROOT / "docs/README.md", ROOT / "README.md"
OURS = [page for page in PAGES if not (page.parent == ROOT and page.name in NOT_FOR_READERS)]


@pytest.fixture(scope="module")
def workshop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the shipped configurations, and what a reader has: copies, recordings, a sensor."""
    folder = tmp_path_factory.mktemp("examples")
    shutil.copytree(ROOT / "configs", folder / "configs", ignore=shutil.ignore_patterns("keys"))
    shutil.copy(folder / "configs/cube.toml", folder / "configs/mine.toml")
    shutil.copy(folder / "configs/lwr_fri.toml", folder / "configs/run.toml")
    shutil.copy(folder / "configs/fr3.toml", folder / "configs/my_arm.toml")
    shutil.copy(folder / "configs/scenes/box.xml", folder / "configs/scenes/mine.xml")
    cube = str(folder / "configs/cube.toml")
    assert main(["simulate", cube, "--duration", "3", "--record", str(folder / "run.mcap")]) == 0
    shutil.copy(folder / "run.mcap", folder / "idle.mcap")
    t = time_axis(5.0)
    wrench = noise(t, 1) + half_sine(t, 2.0, 0.1, DIRECTION)
    for name, unit, scale in (("recording.csv", "t_s", 1.0), ("sensor.csv", "t_ms", 1e3)):
        rows = np.column_stack([scale * t, wrench])
        np.savetxt(folder / name, rows, "%.9g", ",", header=f"{unit},fx,fy,fz,tx,ty,tz", comments="")
    return folder


@pytest.mark.parametrize("line", EXECUTED)
def test_an_example_works_as_printed(
    line: str, workshop: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Status 0, from the folder that has `configs`."""
    monkeypatch.chdir(workshop)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    for target in re.findall(r"(?:--repair|--csv|--npz|-o|keys) (\S+)", line):  # an earlier example's
        shutil.rmtree(target, ignore_errors=True)
        Path(target).unlink(missing_ok=True)
    assert main(shlex.split(line)[1:]) == 0


def test_every_example_is_executed_or_says_why_not() -> None:
    """What is executed stands in a document; what is not has a reason, and parses; no reason is left over."""
    shown = lines()
    assert set(EXECUTED) <= shown, set(EXECUTED) - shown
    silent = sorted(line for line in shown if line not in EXECUTED and not why_not(line))
    assert not silent, silent
    for line in shown:
        parser().parse_args(shlex.split(line)[1:])
    used = {why_not(line) for line in shown}
    assert set(PARSED.values()) <= used


def test_the_program_is_on_the_path_as_the_pages_say() -> None:
    """A shell in the repository that has done what is printed finds `zerog`."""
    if not (ROOT / ".venv/bin/activate").is_file():
        pytest.skip("no environment beside the sources: nothing was made by `make run`")
    shell = subprocess.run(
        ["bash", "-c", f"{ACTIVATE} && zerog check --explain planner.knot_ms"],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert shell.returncode == 0, shell.stderr
    assert shell.stdout.startswith("planner.knot_ms\n")


@pytest.mark.parametrize("page", OURS, ids=page_name)
def test_a_page_says_for_whom_it_is(page: Path) -> None:
    """Its first lines begin with `For`."""
    first = [line for line in text_of(page).splitlines()[1:] if line][:FIRST]
    assert first[0].startswith("For "), f"{page.name}: {first[0][:60]}"


@pytest.mark.parametrize("page", [*OURS, README], ids=page_name)
def test_a_page_with_examples_says_how_they_are_begun(page: Path) -> None:
    """Before its first example, and once."""
    if not any(len(line.split()) > 2 for line in commands(page, "zerog")):
        return
    text = text_of(page)
    assert text.count(ACTIVATE) >= 1, page.name
    blocks = re.search(r"^\s*zerog ", text, re.MULTILINE)
    assert blocks is None or text.index(ACTIVATE) < blocks.start(), page.name
    assert not re.search(r"(?<![\w/])\.venv/bin/zerog", text), page.name


def test_two_clicks_lead_anywhere() -> None:
    """The README leads to the index, the index to every page."""
    assert "docs/README.md" in links(text_of(README))
    reached = {(INDEX.parent / target.partition("#")[0]).resolve() for target in links(text_of(INDEX))}
    assert set(OURS) - {INDEX} <= reached, {str(page) for page in set(OURS) - {INDEX} - reached}
