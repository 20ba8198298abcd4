"""The outputs that a command line names: all are looked at before the command does anything."""

import argparse
import os
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from hil.common.errors import OutputError
from hil.common.output_file import may_fill, may_write, real

PICTURES = (".png", ".pdf", ".svg", ".jpg", ".jpeg", ".webp")
MODELS = (".urdf", ".xml")
THERE = "it is there already; give another name, or move it away"


class Kind(Enum):
    """What an output is."""

    FILE = "a file, overwritten if it is there"
    NEW_FILE = "a file that must not be there yet"
    PICTURE = "a file, drawn as the end of its name says"
    PNG = "a picture, PNG only"
    URDF = "a robot model, as the end of its name says"
    FOLDER = "a folder, made if it is not there"


@dataclass(frozen=True)
class Output:
    """One option or argument that names an output: its name in the namespace, and how it is written."""

    dest: str
    said: str
    kind: Kind


def add_output(
    to: "argparse.ArgumentParser | argparse._ArgumentGroup",
    sub: argparse.ArgumentParser,
    *names: str,
    kind: Kind = Kind.FILE,
    metavar: str,
    text: str,
    default: Path | None = None,
    required: bool = False,
) -> None:
    """Let a command write something.

    Args:
        to: where the option is added: the command's parser, or a group of it.
        sub: the command's parser.
        names: of the option, or of the argument.
        kind: what is written.
        metavar: what help calls its value.
        text: of the help.
        default: where it is written if nothing is said; None: nowhere.
        required: the command line must say it; for options.
    """
    must: dict[str, Any] = {"required": True} if required else {}  # an argument must be there anyway
    action = to.add_argument(*names, type=Path, metavar=metavar, help=text, default=default, **must)
    known: tuple[Output, ...] = sub.get_default("outputs") or ()
    said = names[-1] if names[0].startswith("-") else metavar
    sub.set_defaults(outputs=(*known, Output(action.dest, said, kind)))


def look_at_outputs(options: argparse.Namespace) -> None:
    """Return if all that a command line asks for can be written.

    Raises:
        OutputError: one of them cannot be, or would overwrite what is read or another one.
    """
    outputs: tuple[Output, ...] = getattr(options, "outputs", ())
    named = {output: getattr(options, output.dest) for output in outputs}
    dests = {output.dest for output in outputs}
    read = [Path(v) for name, v in vars(options).items() if name not in dests and isinstance(v, Path | str)]
    taken = {_file(path): "read" for path in read if os.path.isfile(path)}
    for output, path in named.items():
        if path is None:
            continue
        place = _file(path)
        device = os.path.exists(path) and not os.path.isfile(path)
        if place in taken and not device:
            raise OutputError(f"{output.said} {path} cannot be written: it is {taken[place]}; give another")
        taken[place] = f"what {output.said} writes"
        try:
            _LOOKS[output.kind](path)
        except OutputError as error:
            raise OutputError(f"{output.said} {error}") from error


def _file(path: Path) -> tuple[int, int] | Path:
    """Return what is the same for all names of a file, of links too; of one that is not there its path."""
    try:
        found = os.stat(path)
    except OSError:
        return real(path)
    return found.st_dev, found.st_ino


def _new_file(path: Path) -> None:
    if os.path.lexists(path):
        raise OutputError(f"{path} cannot be begun: {THERE}")
    may_write(path)


def _picture(path: Path, ends: tuple[str, ...] = PICTURES) -> None:
    may_write(path)
    if path.suffix.lower() not in ends:
        raise OutputError(f"{path} cannot be drawn: its name must end in {' or '.join(ends)}")


def _model(path: Path) -> None:
    may_write(path)
    device = os.path.exists(path) and not os.path.isfile(path)
    if not device and path.suffix.lower() not in MODELS:
        raise OutputError(f"{path} cannot be written as URDF: its name must end in {' or '.join(MODELS)}")


_LOOKS: dict[Kind, Callable[[Path], None]] = {
    Kind.FILE: may_write,
    Kind.NEW_FILE: _new_file,
    Kind.PICTURE: _picture,
    Kind.PNG: lambda path: _picture(path, (".png",)),
    Kind.URDF: _model,
    Kind.FOLDER: may_fill,
}
