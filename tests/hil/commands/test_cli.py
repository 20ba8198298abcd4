"""The command line: every command explains itself, and a user's mistake is one clear line and status 2."""

import argparse
import json
import re
from pathlib import Path

import pytest

from hil.commands.cli import main, parser
from hil.commands.overview import GROUPS, WIDTH

ROOT = Path(__file__).resolve().parents[3]
COMMANDS = [
    "run",
    "simulate",
    "push",
    "float",
    "hold",
    "reset",
    "stop",
    "status",
    "keys",
    "detect",
    "workspace",
    "check",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_an_example(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """`--help` of every command ends with an example of itself."""
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert f"example: zerog {command}" in capsys.readouterr().out


MISTAKES = [
    (["simulate", "configs/plans/push.toml"], "is a plan of experiments: `zerog experiment` takes it"),
    (["run", "configs/assemblies/lwr4.toml"], "is an assembly"),
    (["simulate", "configs/missions/capture.toml"], "is a mission: `zerog drive` takes it"),
    (
        ["simulate", "configs/grasps/drag.toml"],
        "is what a second arm is to do: `partner.plan` of a configuration names it",
    ),
    (["simulate", "configs/design/lwr.toml"], "is a task to design arms for"),
    (["experiment", "configs/cube.toml"], "is the configuration of a run"),
    (["assemble", "configs/cube.toml"], "is the configuration of a run"),
    (["drive", "configs/plans/push.toml"], "is a plan of experiments"),
    (["simulate", "none.toml"], "none.toml: cannot be read"),
    (["run", "none.toml"], "none.toml: cannot be read"),
    (["workspace", "none.toml"], "none.toml: cannot be read"),
    (["detect", "none.csv"], "none.csv"),
    (["simulate", "configs/cube.toml", "--replay", "none.csv"], "none.csv"),
    (["simulate", "configs/lwr_fri.toml"], "only the emulated robot can be simulated"),
    (["status", "--runtime-directory", "nowhere"], "no daemon answers"),
    (
        ["run", "configs/cube.toml", "--only", "dance"],
        "'dance' is no part of a run; valid are --only driver or",
    ),
    (["run", "configs/cube.toml", "--only", "sim"], "do not make a host; valid are --only driver or"),
    (["run", "configs/cube.toml", "--only", "driver"], "needs the table [network]"),
]


@pytest.mark.parametrize(("arguments", "words"), MISTAKES, ids=lambda value: str(value)[:40])
def test_mistakes_are_told(
    arguments: list[str],
    words: str,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    """One line on standard error that says what is wrong; status 2; no traceback."""
    monkeypatch.chdir(ROOT)
    if "nowhere" in arguments:
        arguments = [*arguments[:-1], str(tmp_path)]
    assert main(arguments) == 2
    error = capsys.readouterr().err.strip()
    assert words in error and "Traceback" not in error and len(error.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ["push", "--force-n", "1", "2"],
        ["push", "--force-n", "1", "2", "x", "--duration-ms", "100"],
        ["push", "--force-n", "1", "2", "3", "--duration-ms", "-5"],
        ["simulate", "configs/cube.toml", "--duration", "nan"],
        ["approach", "--speed-deg-s", "11"],
    ],
)
def test_wrong_words(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Arguments that are none end with usage and status 2."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: zerog" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["flaot"], "did you mean float?"), (["dance"], "`zerog --help` lists them"), ([], "which command?")],
)
def test_a_command_that_is_none(arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]) -> None:
    """One line with the nearest, not the list of all of them; status 2."""
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    error = capsys.readouterr().err
    assert ended.value.code == 2 and error.count("\n") == 1 and words in error


def test_the_help_has_every_command_once_by_what_one_wants(capsys: pytest.CaptureFixture[str]) -> None:
    """Grouped, a line or two each, none forgotten; what no group names stands under more."""
    (commands,) = [a for a in parser()._actions if isinstance(a, argparse._SubParsersAction)]
    with pytest.raises(SystemExit) as ended:
        main(["--help"])
    out = capsys.readouterr().out
    listed = re.findall(r"^  ([a-z-]+) +\S", out, re.M)
    assert ended.value.code == 0
    assert sorted(listed) == sorted(commands.choices)
    assert all(f"{title}:\n" in out for title in GROUPS) and max(map(len, out.splitlines())) <= WIDTH


def test_check_prints_si_and_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    """The resolved values are SI; the default stops are certified; the bias of the force path is said."""
    assert main(["check", str(ROOT / "configs" / "cube.toml")]) == 0
    out = capsys.readouterr().out
    assert "object.mass_kg = 60.0" in out and "fri.sample_time_ms = 2.0" in out
    assert "not certified" not in out
    # 0.1 of 5 kg over 60 kg, and 0.1 of 0.075 over 3 kg m2: the larger ratio is 0.00833
    assert "ratio 0.0083" in out and "0.83 % too small" in out
    # white noise of 0.06 N alone, and with 0.35 N of motion noise: what the best estimate leaves
    assert "arm at rest: a push of 50, 100, 200 ms is known to 0.63, 0.93, 1.4 mN s at best" in out
    assert "from 50 mm/s on: a push of 50, 100, 200 ms is known to 9.4, 18, 32 mN s at best" in out


def test_check_says_of_a_real_arm_what_its_sensor_tells(capsys: pytest.CaptureFixture[str]) -> None:
    """By the noise that the detector is told; nothing is emulated, so nothing of the emulation counts."""
    main(["check", str(ROOT / "configs" / "lwr_fri.toml")])
    out = capsys.readouterr().out
    assert "sensor: a push of 50, 100, 200 ms is known to 0.63, 0.93, 1.4 mN s at best" in out
    assert "by detector.noise_force_n alone" in out and "from 50 mm/s on" not in out


def changed_cube(folder: Path, old: str, new: str) -> Path:
    """The default configuration with one piece of its text replaced."""
    text = (ROOT / "configs" / "cube.toml").read_text(encoding="utf-8")
    assert old in text
    path = folder / "changed.toml"
    path.write_text(text.replace('"robots/', f'"{ROOT}/configs/robots/').replace(old, new), encoding="utf-8")
    return path


def test_check_warns_and_refuses(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Stops that were never certified are warned of; a force path that cannot be trusted is refused."""
    other = changed_cube(tmp_path, "swing_deg = ", "swing_deg = 1")
    assert main(["check", str(other)]) == 0
    assert "these stops are not certified" in capsys.readouterr().out
    light = changed_cube(tmp_path, "mass_kg = 60.0", "mass_kg = 0.9")
    assert main(["check", str(light)]) == 1
    assert "mockup.uncompensated" in capsys.readouterr().err
    assert main(["check", str(tmp_path / "none.toml")]) == 2


def test_simulate_says_that_it_came_to_fault(capsys: pytest.CaptureFixture[str]) -> None:
    """A push harder than any hand's: when and why, in a line, and status 1; the figures all the same."""
    words = ["simulate", "configs/pushes.toml", "--duration", "6", "--set", "detector.plausible_force_n=15"]
    assert main(words) == 1
    told = capsys.readouterr()
    assert re.search(r"pushes\.toml: FAULT after [0-9.]+ s: .*plausible", told.err) and "holds" in told.out


def test_simulate_writes_figures_and_trace(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`--json` and `--trace` write what docs/understand/ describes."""
    config = str(ROOT / "configs" / "cube.toml")
    out, trace = tmp_path / "f.json", tmp_path / "t.npz"
    assert main(["simulate", config, "--duration", "2", "--json", str(out), "--trace", str(trace)]) == 0
    values = json.loads(out.read_text(encoding="utf-8"))
    assert values["virtual_time_s"] == pytest.approx(2.0, abs=0.01)
    assert values["limits"]["violations"] == 0
    assert trace.stat().st_size > 1000
    assert "limits.violations" in capsys.readouterr().out


def test_a_model_that_is_no_arm(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A robot model with a skew axis is refused by joint and rule."""
    urdf = (ROOT / "configs" / "robots" / "lwr4.urdf").read_text(encoding="utf-8")
    bad = tmp_path / "bad.urdf"
    bad.write_text(urdf.replace('<axis xyz="0 -1 0"/>', '<axis xyz="0 -0.8 0.6"/>', 1), encoding="utf-8")
    path = changed_cube(tmp_path, "", "")
    text = path.read_text(encoding="utf-8").replace(f"{ROOT}/configs/robots/lwr4.urdf", str(bad))
    path.write_text(text, encoding="utf-8")
    assert main(["simulate", str(path), "--duration", "1"]) == 2
    assert "bad.urdf" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["show", "run.mcap", "--port", "abc"], "'abc' must be a port within 1024 and 65535"),
        (["run", "c.toml", "--foxglove-port", ""], "'' must be a port within 1024 and 65535"),
        (["run", "c.toml", "--duration", "abc"], "'abc' must be a number above 0"),
        (["simulate", "c.toml", "--duration", "1e300"], "1e300 must be at most 1e+09"),
    ],
)
def test_numbers_that_are_none_are_refused_in_plain_words(
    arguments: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wanted, and no name of a function of ours."""
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert words in capsys.readouterr().err


def test_two_pages_on_one_port_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Before anything starts: one of them would end at once."""
    options = ["--dashboard", "--port", "8099", "--foxglove", "--foxglove-port", "8099"]
    assert main(["run", str(ROOT / "configs/cube.toml"), *options]) == 2
    assert "--port 8099 and --foxglove-port 8099 are one" in capsys.readouterr().err
