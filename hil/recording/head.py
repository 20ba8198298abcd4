"""What the head of a recording says of its run: the configuration, as it was in force."""

import datetime
import json
import tomllib
from dataclasses import dataclass
from pathlib import Path

from hil.common.errors import RecordingError
from hil.configuration import Configuration
from hil.configuration.loading import configuration_from
from hil.configuration.overrides import overridden
from hil.recording.reading import Summary

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Recorded:
    """A configuration as a recording tells it.

    Attributes:
        path: names it, and anchors the files that it names.
        text: of its file.
        settings: lines KEY=VALUE that stood in for the file's.
    """

    path: Path
    text: str
    settings: tuple[str, ...]


def configuration_of(path: Path, summary: Summary) -> Configuration:
    """Return the configuration of the run that was recorded at `path`.

    Its files, the robot's model above all, are looked for where they were when it was recorded, then in
    this installation, then beside the recording.

    Raises:
        RecordingError: the head holds none, or the robot's model is nowhere.
        ConfigurationError: this version refuses it.
    """
    found = recorded_configuration(path, summary)
    return configuration_from(overridden(tomllib.loads(found.text), found.settings), found.path)


def recorded_configuration(path: Path, summary: Summary) -> Recorded:
    """Return what the head of a recording says of the configuration; errors as in `configuration_of`."""
    head, values = summary.head, summary.metadata.get("configuration", {})
    try:
        text, settings = head["configuration"], tuple(json.loads(head["settings"]))
        table = overridden(tomllib.loads(text), settings)
        model, plan = Path(table["robot"]["model"]), table.get("partner", {}).get("plan")
    except (KeyError, TypeError, ValueError) as error:
        if not head:
            raise RecordingError(f"{path}: its head is damaged, which tells the configuration") from error
        raise RecordingError(f"{path}: its head holds no configuration ({error!r})") from error
    named = {"robot.model": model} | ({} if plan is None else {"partner.plan": Path(plan)})
    folders = _folders(path, [(file, Path(values.get(key, file))) for key, file in named.items()])
    for folder in folders:
        if all((folder / file).is_file() for file in named.values()):
            return Recorded(folder / f"{path.name}: configuration", text, settings)
    lost = f"the robot's model {model}" + ("" if plan is None else f", or the second arm's plan {plan},")
    raise RecordingError(
        f"{path}: {lost} is in none of {', '.join(map(str, folders))}: put it beside the recording"
    )


def is_live(summary: Summary) -> bool:
    """Return whether a run had a clock: time in lock-step is virtual, and no wall clock is told of it."""
    return summary.head.get("clock_offset_ns") != "0"


def began_in_words(summary: Summary) -> str:
    """Return the date and time at which a run began, or in lock-step was recorded."""
    if is_live(summary):
        return datetime.datetime.fromtimestamp(1e-9 * summary.begin_ns).isoformat(" ", "seconds")
    return f"recorded {summary.head.get('recorded', 'without a date')}, in lock-step on virtual time"


def _folders(path: Path, named: list[tuple[Path, Path]]) -> list[Path]:
    """Return where the configuration's file names may be rooted; `named` as written and as resolved."""
    roots = [
        resolved.parents[len(file.parts) - 1]
        for file, resolved in named
        if not file.is_absolute() and len(resolved.parts) >= len(file.parts)
    ]
    then = list(dict.fromkeys(roots)) or [Path()]
    return [*then, *(ROOT / one for one in then), path.parent]
