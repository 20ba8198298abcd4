"""Whatever a command is told to write is looked at before the command does anything."""

import argparse
import os
import resource
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hil.commands.cli import main, parser
from hil.commands.outputs import Kind, Output
from hil.common.errors import OutputError
from hil.common.output_file import may_fill, may_write

ROOT = Path(__file__).parents[3]
WRITES = ("write", "draw", "OUT", "NEW")  # how help and metavars speak of outputs


def subcommands() -> dict[str, argparse.ArgumentParser]:
    """Return the parser of each command."""
    (actions,) = (a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(actions.choices)


def declared() -> Iterator[tuple[str, argparse.ArgumentParser, Output]]:
    """Yield each output of each command."""
    for name, sub in subcommands().items():
        for output in sub.get_default("outputs") or ():
            yield name, sub, output


def words(name: str, sub: argparse.ArgumentParser, output: Output, value: str) -> list[str]:
    """Return a command line that names one output, and else only what must be said."""
    said = [name]
    for action in sub._actions:
        if action.dest == output.dest:
            said += [*action.option_strings[-1:], value]
        elif not action.option_strings and action.nargs is None:
            said.append("none.toml")
        elif action.required and action.option_strings:
            said += [action.option_strings[-1], "1"]
    return said


def test_every_option_that_writes_is_declared() -> None:
    """No option that names an output escapes the look."""
    for name, sub in subcommands().items():
        known = {output.dest for output in sub.get_default("outputs") or ()}
        for action in sub._actions:
            text, mark = action.help or "", str(action.metavar or "")
            writes = text.split(" ")[0] in WRITES or mark.startswith(WRITES)
            if writes and action.nargs != 0:
                assert action.dest in known, f"{name} {action.dest}"
    assert {("simulate", "--record"), ("keys", "DIR"), ("soak", "--state"), ("experiment", "--out")} <= {
        (name, output.said) for name, _, output in declared()
    }


@pytest.mark.parametrize(("name", "sub", "output"), list(declared()), ids=lambda v: getattr(v, "said", None))
def test_an_output_in_no_place_is_refused_before_the_run(
    name: str,
    sub: argparse.ArgumentParser,
    output: Output,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One line that names option and path; that nothing ran shows in that its inputs were not asked for."""
    file = tmp_path / "file"
    file.write_text("mine")
    end = {Kind.PICTURE: ".png", Kind.PNG: ".png", Kind.URDF: ".urdf"}.get(output.kind, "")
    for place in (file / f"x{end}", Path("/proc/none") / f"x{end}", tmp_path / ("n" * 300 + end)):
        assert main(words(name, sub, output, str(place))) == 2
        error = capsys.readouterr().err
        assert error.count("\n") == 1
        assert error.startswith(f"zerog: {output.said} {place} cannot be ")
    assert list(tmp_path.iterdir()) == [file]
    assert file.read_text() == "mine"


@pytest.mark.parametrize("option", ["--json", "--trace"])
def test_a_full_device_is_told_before_the_run(option: str, capsys: pytest.CaptureFixture[str]) -> None:
    """A device that takes nothing is found out without writing to it."""
    assert main(["simulate", "none.toml", option, "/dev/full"]) == 2
    assert f"{option} /dev/full cannot be written: No space left" in capsys.readouterr().err


def test_a_full_disk_is_told_before_the_run(tmp_path: Path) -> None:
    """A file may be begun on it, but not written."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100, hard))
    try:
        with pytest.raises(OutputError, match="File too large"):
            may_write(tmp_path / "x.json")
        with pytest.raises(OutputError, match="File too large"):
            may_fill(tmp_path / "x")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(os.geteuid() != 0, reason="becomes another user")
def test_without_rights_it_is_told_before_the_run(tmp_path: Path) -> None:
    """Another user's folder, and another user's file in a folder that is open to all."""
    code = (
        "import os, sys; from pathlib import Path; from hil.common.output_file import may_fill, may_write\n"
        "from hil.common.errors import OutputError\nos.setuid(65534)\n"
        "for look, place in ((may_write, 'shut/x'), (may_fill, 'shut/x'), (may_write, 'open/theirs')):\n"
        "    try:\n        look(Path(place))\n        print('may')\n"
        "    except OutputError as error:\n        print(error)\n"
        "may_write(Path('open/mine')); may_fill(Path('open/a/b'))\n"
    )
    for name, mode in (("shut", 0o755), ("open", 0o777)):
        (tmp_path / name).mkdir()
        (tmp_path / name).chmod(mode)
    (tmp_path / "open" / "theirs").touch(0o644)
    for folder in (tmp_path, *tmp_path.parents[:3]):  # the third is a worker's own, if there are any
        folder.chmod(0o755)
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(ROOT)},
    )
    assert run.returncode == 0, run.stderr
    assert [line.split(" cannot be written: ")[1] for line in run.stdout.splitlines()] == [
        "Permission denied; give another place"
    ] * 3
    assert [path.name for path in (tmp_path / "open").iterdir()] == ["theirs"]


def test_what_is_there_keeps_its_contents(tmp_path: Path) -> None:
    """Looking changes nothing."""
    there = tmp_path / "x.json"
    there.write_text("mine")
    may_write(there)
    may_write(tmp_path / "new.json")
    assert there.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [there]


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("simulate {file} --json {file}", "--json {file} cannot be written: it is read"),
        ("detect {file} --json {new} --plot {new}.gif", "cannot be drawn: its name must end in .png or"),
        ("dock none.toml --json {new} --envelope {new}.gif", "cannot be drawn"),
        ("simulate none.toml --json {new} --trace {new}", "it is what --trace writes"),
        ("mate {file} --json {file}", "--json {file} cannot be written: it is read"),
        ("import {file} -o {soft}", "--output {soft} cannot be written: it is read"),
        ("import {file} -o {hard}", "--output {hard} cannot be written: it is read"),
        ("simulate none.toml --record {file}", "is there already; give another name"),
        ("info none.mcap --repair {file}", "is there already; give another name"),
        ("assemble none.toml --picture {new}.pdf", "its name must end in .png"),
    ],
)
def test_what_would_be_lost_is_not_overwritten(
    said: str, text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Inputs, other outputs and recordings stay; a picture of a kind that nobody can draw is refused now."""
    file, new, soft, hard = (tmp_path / name for name in ("file.toml", "new", "soft", "hard"))
    file.write_text("mine")
    soft.symlink_to(file)
    hard.hardlink_to(file)
    names = {"file": file, "new": new, "soft": soft, "hard": hard}
    assert main(said.format(**names).split()) == 2
    assert text.format(**names) in capsys.readouterr().err
    assert file.read_text() == "mine"


def test_a_fault_of_the_system_behind_the_look_is_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What no look can foresee, as a disk that fails in the middle, names its file."""

    def fails(*_: object) -> int:
        raise OSError(5, "Input/output error", "run.json")

    monkeypatch.setattr("hil.commands.checking.check_configuration", fails)
    assert main(["check", "x.toml"]) == 2
    assert capsys.readouterr().err == "zerog: run.json: Input/output error\n"


def test_links_that_go_round_are_refused_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """As an output, its folder or an input: a line of the system's, never a traceback."""
    (tmp_path / "a").symlink_to(tmp_path / "b")
    (tmp_path / "b").symlink_to(tmp_path / "a")
    for said in (
        "simulate {a} --json x.json",
        "simulate none.toml --json {a}",
        "simulate none.toml --json {a}/x",
    ):
        assert main(said.format(a=tmp_path / "a").split()) == 2
        error = capsys.readouterr().err
        assert error.startswith("zerog: ") and error.count("\n") == 1 and str(tmp_path / "a") in error
    for look in (may_write, may_fill):
        with pytest.raises(OutputError, match="a cannot be written"):
            look(tmp_path / "a")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a", "b"]


def test_a_link_that_leads_nowhere_names_the_folder_that_lacks(tmp_path: Path) -> None:
    """The link's own folder is there: the one behind it is what must be made."""
    (tmp_path / "x.json").symlink_to(tmp_path / "gone" / "y.json")
    with pytest.raises(OutputError, match=f"there is no folder {tmp_path / 'gone'}"):
        may_write(tmp_path / "x.json")
    (tmp_path / "out").symlink_to(tmp_path / "gone")
    with pytest.raises(OutputError, match="it is no folder"):
        may_fill(tmp_path / "out")
