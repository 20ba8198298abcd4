"""A page whose commands are done in their order, in one shell, and whose printed lines must come."""

import os
import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

FENCE = re.compile(r"^```(sh|text)\n(.*?)^```", re.MULTILINE | re.DOTALL)
MARK = "--- end of step"


@dataclass(frozen=True)
class Step:
    """Commands as they stand on the page, and the lines that are to be printed; `...` stands for anything."""

    commands: str
    lines: tuple[str, ...]


def steps_of(text: str) -> list[Step]:
    """Return the blocks of a page: each of `sh`, with the one of `text` that follows it, if one does."""
    steps: list[Step] = []
    for language, body in FENCE.findall(text):
        if language == "sh":
            steps.append(Step(body, ()))
        else:
            assert steps and not steps[-1].lines, f"printed by nothing: {body}"
            steps[-1] = Step(steps[-1].commands, tuple(body.splitlines()))
    return steps


def walked(steps: list[Step], folder: Path, environment: dict[str, str], seconds: float) -> list[str]:
    """Do the steps in one shell that leaves at the first failure; return what each printed.

    Raises:
        AssertionError: a command failed; with all that had been printed.
    """
    script = "\n".join(f"{step.commands}\necho '{MARK}'" for step in steps)
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script],
        cwd=folder,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        timeout=seconds,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"status {done.returncode} after:\n{done.stdout}"
    return done.stdout.split(f"{MARK}\n")[:-1]


def lacking(step: Step, printed: str) -> list[str]:
    """Return the lines of a step that were not printed, or not in their order."""
    rest = printed.splitlines()
    missing = []
    for line in step.lines:
        if line.strip() == "...":
            continue
        pattern = re.compile(".*".join(re.escape(part) for part in line.strip().split("...")))
        place = next((k for k, said in enumerate(rest) if pattern.fullmatch(said.strip())), None)
        if place is None:
            missing.append(line)
        else:
            rest = rest[place + 1 :]
    return missing
