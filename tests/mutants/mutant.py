"""What a mutant is: one small wrong change of a source file, with the tests that should notice it."""

from dataclasses import dataclass
from pathlib import Path


class CatalogueError(Exception):
    """An entry of the catalogue cannot be used as it stands."""


@dataclass(frozen=True)
class Change:
    """One wrong change.

    Attributes:
        why: in a line, what would be wrong; unique within its file.
        old: the exact text, which the file has exactly once.
        new: what stands there instead.
        equivalent: the argument why nothing can tell the change from the program; empty if something can.
        tests: that should notice it, where these are not the file's; as pytest's arguments.
    """

    why: str
    old: str
    new: str
    equivalent: str = ""
    tests: tuple[str, ...] = ()


@dataclass(frozen=True)
class Target:
    """A source file with its changes.

    Attributes:
        file: from the root of the sources.
        tests: that cover it, as pytest's arguments.
        changes: the wrong changes.
    """

    file: str
    tests: tuple[str, ...]
    changes: tuple[Change, ...]


@dataclass(frozen=True)
class Mutant:
    """A change of a file, ready to be tried."""

    file: str
    change: Change
    tests: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.file}: {self.change.why}"

    def applied(self, text: str) -> str:
        """Return the file's text with the change.

        Raises:
            CatalogueError: the text to replace does not stand there exactly once.
        """
        count = text.count(self.change.old)
        if count != 1:
            raise CatalogueError(
                f"{self}: the text to replace stands there {count} times: {self.change.old!r}"
            )
        return text.replace(self.change.old, self.change.new)


def mutants(targets: tuple[Target, ...]) -> list[Mutant]:
    """Return all mutants of a catalogue, in its order."""
    return [
        Mutant(target.file, change, change.tests or target.tests)
        for target in targets
        for change in target.changes
    ]


def chosen(every: list[Mutant], only: list[str]) -> list[Mutant]:
    """Return the mutants of which file or reason contains one of the words; all of them without words.

    Raises:
        CatalogueError: a word is in none.
    """
    for word in only:
        if not any(word in str(mutant) for mutant in every):
            raise CatalogueError(f"no mutant's file or reason contains {word!r}")
    return [mutant for mutant in every if not only or any(word in str(mutant) for word in only)]


def misfits(every: list[Mutant], root: Path) -> list[str]:
    """Return in words which mutants cannot be applied to the sources below `root`, or change nothing."""
    found = []
    for mutant in every:
        try:
            text = (root / mutant.file).read_text(encoding="utf-8")
            if mutant.applied(text) == text:
                found.append(f"{mutant}: changes nothing")
        except (CatalogueError, OSError) as error:
            found.append(str(error))
    return found
