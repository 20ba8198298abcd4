"""Where a report goes: a page and a folder of pictures beside it; only reports of ours are overwritten."""

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

from hil.common.errors import ReportError

MARK = b'<meta name="generator" content="zerog '
MARK_WITHIN = 4096  # bytes from the beginning


def folder_of(target: Path) -> Path:
    """Return the folder of a page's pictures."""
    return target.with_name(f"{target.stem}_files")


def may_write(target: Path) -> None:
    """Look whether a report can be written, before anything is computed for it.

    Raises:
        ReportError: something else is in its place, or its folder is no place for it.
    """
    folder = folder_of(target)
    if target.exists() and not _is_ours(target):
        raise ReportError(f"{target} is there already and is no report: give another name with -o")
    if folder.exists() and not (target.exists() and _only_pictures(folder)):
        raise ReportError(f"{folder} is there already and is no report's: give another name with -o")
    if not os.access(target.parent, os.W_OK):
        raise ReportError(
            f"{target} cannot be written: the folder {target.parent} is missing or not writable"
        )


def write_report(target: Path, html: str, pictures: Mapping[str, bytes]) -> None:
    """Write the page and its pictures; those of an earlier report there are gone.

    Raises:
        ReportError: they cannot be written.
    """
    folder = folder_of(target)
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for name, png in pictures.items():
            (folder / name).write_bytes(png)
        target.write_text(html, encoding="utf-8")
    except OSError as error:
        raise ReportError(f"{target} cannot be written: {error.strerror}") from error


def _is_ours(target: Path) -> bool:
    if not target.is_file():
        return False
    with open(target, "rb") as file:
        return MARK in file.read(MARK_WITHIN)


def _only_pictures(folder: Path) -> bool:
    return folder.is_dir() and all(item.suffix == ".png" for item in folder.iterdir())
