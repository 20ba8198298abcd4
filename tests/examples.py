"""The examples of the documents: which are executed, and why the others are only parsed."""

import re

from tests.documents import PAGES, commands

# executed in this order, in a folder with the shipped configurations and what `prepare` of the test makes
EXECUTED = (
    "zerog check configs/cube.toml",
    "zerog check configs/lwr_fri.toml",
    "zerog check configs/mine.toml",
    "zerog check configs/run.toml",
    "zerog check configs/my_arm.toml",
    "zerog check configs/contact.toml",
    "zerog check configs/hybrid.toml",
    "zerog check configs/platform.toml",
    "zerog check configs/two_arms.toml",
    "zerog check configs/servicer.toml",
    "zerog check configs/panels.toml",
    "zerog urdf configs/platform.toml -o platform.urdf",
    "zerog check configs/cube.toml --set emulator.delay_ms=20",
    "zerog check configs/cube.toml --set mockup.shape=scenes/satellite.xml",
    "zerog check configs/cube.toml --set scene.file=scenes/mine.xml",
    "zerog check --explain knot",
    "zerog check configs/cube.toml --explain emulator.delay_ms",
    "zerog check configs/mine.toml --explain mockup",
    "zerog keys configs/keys",
    "zerog info run.mcap",
    "zerog info run.mcap --repair whole.mcap",
    "zerog export run.mcap --csv run",
    "zerog export run.mcap --npz run.npz",
    "zerog detect idle.mcap --learn-s 2",
    "zerog export idle.mcap --csv idle",
    "zerog detect idle --learn-s 2",
    "zerog import sensor.csv --time-unit ms -o wrench.csv",
    "zerog import sensor.csv -o wrench.csv",
    "zerog detect wrench.csv --learn-s 0.5",
    "zerog detect wrench.csv --learn-s 0.5 --plot wrench.png",
    "zerog detect recording.csv --learn-s 0.5",
    "zerog detect recording.csv --learn-s 0.5 --json impulses.json --plot impulses.png",
)
# by the beginning of a line: why it is parsed only. The first that fits counts
PARSED = {
    r".*\b(CONFIG|KEY|DIR|HOST|OUT\.npz|ARM\.toml|RECORDING\.csv|my_snap\.toml|designs/\S+)\b": (
        "names a place"
    ),
    r"zerog (approach|calibrate|float|hold|stop|reset|reload|status|thresholds|push|disturb)\b": (
        "speaks to a running daemon"
    ),
    r"zerog (weight|partner)\b": "speaks to a running daemon",
    r"zerog check-wrench\b": "speaks to a running daemon, and somebody hangs a weight",
    r"zerog (run|emulate|show|workbench|latency)\b": "is a run in real time; tests of processes execute it",
    r"zerog (simulate|share|soak|dock|workspace|experiment|design|replay|report)\b": (
        "computes for longer than a second, or compiles; tests of the command execute it"
    ),
    r"zerog (mate|validate|drive|assemble|contact-map)\b": (
        "computes for longer than a second, or compiles; tests of the command execute it"
    ),
    r"zerog doctor\b": "judges the machine",
    r"zerog (export|detect|info) (idle|mine|run|wrench)\.": "as another example, with another file",
}


def lines() -> set[str]:
    """All examples with arguments, each once."""
    return {line for page in PAGES for line in commands(page, "zerog") if len(line.split()) > 2}


def why_not(line: str) -> str:
    """Why an example is not executed; empty if it is, or if nobody has said why."""
    if line in EXECUTED:
        return ""
    return next((why for form, why in PARSED.items() if re.match(form, line)), "")
