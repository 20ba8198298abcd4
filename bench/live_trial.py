"""What live trials share: a run of a shipped configuration that is its own, followed for so long, told."""

import argparse
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from socket import SOCK_DGRAM
from typing import Any

from bench.live_run import ROOT, LiveRun
from bench.report import Row, print_rows, write_rows
from hil.common.free_port import free_port

START_PATIENCE_S = 900.0  # a first start compiles
POLL_S = 0.2


@dataclass(frozen=True)
class Ended:
    """How a run went: its newest status, and why it ended before its time; empty if it did not."""

    status: dict[str, Any]
    fault: str


def configuration(folder: Path, name: str, changed: Callable[[str], str]) -> Path:
    """Write `configs/NAME.toml`, `changed`, for a run of its own in a folder; return the file."""
    folder.mkdir(parents=True, exist_ok=True)
    text = (ROOT / "configs" / f"{name}.toml").read_text(encoding="utf-8")
    for where in ("robots", "scenes"):
        text = text.replace(f'"{where}/', f'"{ROOT}/configs/{where}/')
    own = f'[run]\nruntime_directory = "{folder}/bus"\nstate_directory = "{folder}/state"'
    text = changed(text.replace("[run]", own, 1))
    file = folder / f"{name}.toml"
    file.write_text(f"{text}\n[fri]\nport = {free_port(SOCK_DGRAM)}\n", encoding="utf-8")
    return file


def followed(run: LiveRun, seconds: float, listen: Callable[[], None]) -> Ended:
    """Let a run that floats go on until it has floated for so long [s], or does not any more.

    `listen` is called again and again meanwhile, and once more at the end.
    """
    status, fault = run.status(), ""
    while status["floated_s"] < seconds and not fault:
        time.sleep(POLL_S)
        listen()
        status = run.status()
        if status["state"] != "FLOATING":
            fault = f"{status['state']}: {status['reason']}"
    listen()
    return Ended(status, fault)


def usual_rows(ended: Ended, seconds: float, violations: int) -> tuple[list[Row], list[Row]]:
    """Return the first and the last rows of every live trial's table."""
    status = ended.status
    first = [Row("floated without hold or fault", status.get("floated_s"), seconds - 0.5, "s", least=True)]
    last = [
        Row("commands that broke a limit", violations, 0.0, ""),
        Row("answers missed", status.get("missed"), None, f"of {status.get('cycles')}"),
        Row("emulated time stood for", status.get("waited_s"), None, "s"),
    ]
    return first, last


def parser_of(text: str | None, minutes: float) -> argparse.ArgumentParser:
    """Return the grammar that live trials share: `--minutes`, `--json`."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=minutes)
    parser.add_argument("--json", type=Path)
    return parser


def told(measure: Callable[[Path], tuple[list[Row], str, Any]], json: Path | None) -> int:
    """Measure in a folder for the while, print and write; return the exit status.

    `measure` returns rows, why a run ended before its time, and details for the file.
    """
    with tempfile.TemporaryDirectory() as folder:
        rows, fault, details = measure(Path(folder))
    print_rows(rows)
    if fault:
        print(fault)
    if json is not None:
        write_rows(json, rows, details)
    return 1 if fault else 0
