"""The house stands as its table says: rooms, what each may import, and no circle anywhere."""

import ast
import re
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from hil.common.kernel_cache import PACKAGES
from hil.common.rooms import ROOMS, importers, in_words
from tests.documents import ROOT, table
from tests.order import ALONE, LONG

MOST_ROOMS = 14
DOORS = ("hil/__init__", "hil/__main__", *(f"{package}/__init__" for package in PACKAGES))  # of no room


def sources() -> dict[str, Path]:
    """All source files by their path without suffix."""
    files = [file for package in PACKAGES for file in (ROOT / package).rglob("*.py")]
    return {str(file.relative_to(ROOT).with_suffix("")): file for file in files}


def imports(name: str, file: Path, known: dict[str, Path]) -> set[str]:
    """The source files that a file imports, wherever in it, for type annotations too."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom):
            assert not node.level, f"{name}: relative import"
            base = (node.module or "").replace(".", "/")
            for alias in node.names:
                inner = f"{base}/{alias.name}"
                candidates = (inner, f"{inner}/__init__", base, f"{base}/__init__")
                found |= set([c for c in candidates if c in known][:1])
        elif isinstance(node, ast.Import):
            paths = [alias.name.replace(".", "/") for alias in node.names]
            found |= {c for path in paths for c in (path, f"{path}/__init__") if c in known}
    return found - {name}


@pytest.fixture(scope="module")
def graph() -> dict[str, set[str]]:
    known = sources()
    return {name: imports(name, file, known) for name, file in known.items()}


def room_of(name: str) -> str:
    """The room in which a file lies."""
    found = [room.path for room in ROOMS if name.startswith(f"{room.path}/")]
    assert len(found) == 1, f"{name} lies in {len(found)} rooms"
    return found[0]


def test_every_file_lies_in_a_room() -> None:
    """No file beside the rooms but the packages' doors; hil has at most fourteen rooms."""
    for name in sources().keys() - set(DOORS):
        room_of(name)
    folders = [path for path in (ROOT / "hil").iterdir() if path.is_dir() and path.name != "__pycache__"]
    assert len(folders) <= MOST_ROOMS


def test_rooms_import_what_they_may(graph: dict[str, set[str]]) -> None:
    """A file imports its own room and those that the table allows; each allowance is used."""
    used = {room.path: set[str]() for room in ROOMS}
    for name, found in graph.items():
        if name not in DOORS:
            used[room_of(name)] |= {room_of(other) for other in found} - {room_of(name)}
    assert used == {room.path: set(room.imports) for room in ROOMS}


def test_the_table_has_an_order() -> None:
    """A room imports only rooms that stand above it: so there is no circle of rooms."""
    above: set[str] = set()
    for room in ROOMS:
        assert set(room.imports) <= above, room.path
        above.add(room.path)


def circle(graph: dict[str, set[str]]) -> list[str]:
    """A circle of a graph; empty if there is none."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def within(graph: dict[str, set[str]], folder: str) -> dict[str, set[str]]:
    """The imports between what lies directly in a folder, files and folders alike."""

    def child(name: str) -> str:
        return name.removeprefix(folder).split("/")[0]

    inside = {name: found for name, found in graph.items() if name.startswith(folder)}
    merged: dict[str, set[str]] = {}
    for name, found in inside.items():
        others = {child(other) for other in found if other.startswith(folder)} - {child(name)}
        merged.setdefault(child(name), set()).update(others)
    return merged


def test_no_circle_of_files_or_folders(graph: dict[str, set[str]]) -> None:
    """Neither files import each other in a circle, nor the folders of any folder."""
    assert not circle(graph)
    folders = {name.rsplit("/", n)[0] + "/" for name in graph for n in range(1, name.count("/") + 1)}
    for folder in sorted(folders):
        assert not circle(within(graph, folder)), folder


def test_a_circle_would_be_found() -> None:
    """What the tests above rest on finds a circle of folders that is none of files."""
    files = {"a/x/one": {"a/y/two"}, "a/y/two": set[str](), "a/y/three": {"a/x/one"}}
    assert not circle(files)
    assert circle(within(files, "a/"))


def test_the_order_of_the_tests_names_files_that_are_there() -> None:
    """Who is moved or renamed would run at another time, or beside others, and nobody would know."""
    files = [path.relative_to(ROOT).as_posix() for path in (ROOT / "tests").rglob("test_*.py")]
    for beginning in ALONE:
        assert any(file.startswith(beginning) for file in files), beginning
    assert set(LONG) <= set(files)
    assert not any(file.startswith(ALONE) for file in LONG)
    for file in files:  # what is marked elsewhere would not be looked for
        assert f"mark.{'alone'}" not in (ROOT / file).read_text(encoding="utf-8"), file


def test_rooms_say_what_they_are() -> None:
    """A room's docstring says in a few lines what lives there, what it may import and who may import it."""
    for room in ROOMS:
        text = ast.get_docstring(ast.parse((ROOT / room.path / "__init__.py").read_text(encoding="utf-8")))
        assert text is not None
        assert len(text.splitlines()) <= 12, room.path
        words = re.sub(r"\s+", " ", text)
        assert f"May import: {in_words(room.imports)}." in words, room.path
        assert f"May be imported by: {in_words(importers(room.path))}." in words, room.path


def test_every_folder_has_a_docstring() -> None:
    """A folder within a room says what it is."""
    for file in sources().values():
        door = file.parent / "__init__.py"
        assert door.is_file() and ast.get_docstring(ast.parse(door.read_text(encoding="utf-8"))), door


def test_the_table_stands_in_the_architecture() -> None:
    """docs/architecture.md has one row a room."""
    expected = [
        [room.path, room.what, ", ".join(room.imports).replace("hil/", "") or "none"] for room in ROOMS
    ]
    assert table(ROOT / "docs/architecture.md", "room") == expected
