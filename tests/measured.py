"""Measured numbers in the documents, and whether the command that prints them stands beside them.

A page is cut into sections (from heading to heading) and these into blocks: paragraphs, list items, tables,
fenced output. What counts as a figure:

* in a sentence: a percentage, a decimal with a unit, a power of ten, microseconds, bytes, "times", "of"
  between two numbers, whatever it is about; any number with a unit beside a word of measuring (median, took);
* in a table: a column headed "measured", or of which half the cells begin with a number, and a figure as in a
  sentence in any other cell, unless the column's head says that it is set (`SET_COLUMNS`);
* in a fenced block of output: as in a sentence.

A figure is named if its block has a span with a command that prints figures, or a test that bounds it; a
table also by the block before it; all of a section by a block in it that says `Command:`; output by a shell
block of the section.

Numbers that look like figures and are set, quoted or follow from others are listed in `NOT_MEASURED`, page by
page, with the reason. Whoever adds a number has to name a command or to put it there.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.documents import ROOT, text_of

VERBS = (
    "assemble|check|check-wrench|contact-map|design|detect|dock|doctor|experiment|latency|mate|replay|report|share|simulate"
    "|soak|status|validate|workspace"
)
PRINTS = re.compile(
    rf"`(?:python -m (?:bench|docs\.pictures)\.\w+[^`]*|python docs/[^`]+|zerog (?:{VERBS}) [^`]+"
    r"|make mutants[^`]*"
    r"|test_\w+|tests/[\w/.]+(?:: \w+)?)`"
)
COMMAND = re.compile(rf"\bCommands?: {PRINTS.pattern}")
UNIT = r"(?:%|[munk]?[smN]|um|deg|rad|kg|MiB|kB|MB|GB|k?Hz|hours?|minutes?)(?!\w)"
FIGURE = re.compile(
    r"\d ?%|\d ?(?:us|MiB|kB|MB|GB)\b|\d\.\d+ ?" + UNIT + r"|\d(?:\.\d+)?e-\d+|10\^\{?-\d+|"
    r"(?:\d|\btwice|\bhalf)[\d.]* times\b|\btimes real time|\d of \d|\bfactors? of \d|\bup to \d\.\d"
)
MEASURING = re.compile(
    r"\b(?:measured|medians?|p50|p95|p99|percentiles?|worst|mean|on average|took|takes?|costs?|faster|slower"
    r"|falls?|fell|gr[eo]ws?|prints?|good to|comes? out|errors?|real-time factors?)\b",
    re.IGNORECASE,
)
NUMBER_WITH_UNIT = re.compile(r"\d ?" + UNIT)
SET_COLUMNS = {
    "after",
    "at most",
    "goal",
    "no.",
    "or",
    "status",
    "rate Hz",
    "real-time priority",
    "within",
} | {
    *("bounds", "default"),  # of keys
    *("curves", "definition", "meaning", "what it says", "when", "why"),  # rules in words
}
SENTENCE_END = re.compile(r"(?<=[.:;])\s+(?=[A-Z(*`])")

SET, BOUND, QUOTED, FOLLOWS = (
    "set in the code",
    "a bound or goal",
    "somebody else's",
    "follows from an equation",
)
NOT_MEASURED = {
    "CHANGELOG.md": {"95 % intervals": SET},
    "docs/architecture.md": {"at most 0.5 s old": SET},
    "docs/use/drive.md": {
        "silent for 0.25 s": SET,
        "no command for 0.2 s": SET,
        "by more than 10 mm": SET,
    },
    "docs/safety.md": {
        "after 0.49 s (default limits)": FOLLOWS,
        "0.79 s (default limits) at most": FOLLOWS,
        "0.69 s (default limits) at most": FOLLOWS,
    },
    "docs/theory.md": {
        "singular values below $10^{-7}$": SET,
        "changes by 2 % of real time at most": SET,
        "exceeds 0.25 s": SET,
        "a mean force above 0.57 N": FOLLOWS,
        "R_t = 10^{-4} A_{nn}": SET,
        "no normal force by more than $10^{-3}$": SET,
        "0.25 s on either side": SET,
        "(0.6 s before, and from 0.4": SET,
        "torques over 0.2 m": SET,
        "0.94 in the middle, 1.45 at 95 %": FOLLOWS,
        "a binomial variable with 5 %": SET,
    },
    "docs/timing.md": {"0.25 to 0.3 s for A1 to A4": FOLLOWS},
    "docs/understand/figures.md": {
        "divided by 0.2 m": SET,
        "to 0.3 s (velocity error)": SET,
        "1e-9 rad of position": SET,
    },
    "docs/understand/trace.md": {"sub-steps of 0.25 ms": SET, "more than 1e-7 m/s in a row": SET},
    "docs/understand/contact_handling.md": {"above a bound (100 m/s": SET},
    "docs/understand/validation.md": {
        "drawn within 10 %": SET,
        "known to 10 %": SET,
        "The paper's figures (0.1 rad": QUOTED,
    },
    "docs/use/dashboard.md": {"drawn 20 times a second": SET},
    "docs/use/interfaces.md": {"34.9 mm pin": QUOTED},
    "docs/use/network.md": {
        "1 ms is 0.15 mm": FOLLOWS,
        "well for 0.6 s": SET,
        "above 4 MiB": SET,
    },
    "docs/use/realtime.md": {
        "at most 95 % of a core's time": QUOTED,
        "warns above 60 %": SET,
        "fails above 60 %": SET,
    },
    "docs/use/report.md": {"within a second (0.5 mm)": FOLLOWS},
    "docs/use/scenes.md": {"steps of up to 5 ms": SET},
    "docs/use/validation.md": {
        "gaps above 0.25 s": SET,
        "moves by more than 1 N m": SET,
        "95 % intervals": SET,
        "a factor of 1.6": SET,
        "noise of 0.1 N m": SET,
    },
}


@dataclass(frozen=True)
class Block:
    """A piece of a page, and whether a command stands beside it."""

    text: str
    named: bool

    @property
    def is_table(self) -> bool:
        """Whether it has the rows of a table."""
        return any(line.startswith("|") for line in self.text.splitlines())


def sections(text: str) -> list[str]:
    """Return a page's sections; a heading within a fenced block is none."""
    fenced, found = False, [""]
    for line in text.splitlines(keepends=True):
        fenced ^= line.lstrip().startswith("```")
        if line.startswith("#") and not fenced:
            found.append("")
        found[-1] += line
    return found


def blocks_of(section: str) -> Iterator[Block]:
    """Yield a section's blocks outside fences, and its fenced output."""
    fence = re.compile(r"^ *```(\w*)\n(.*?)^ *```\n?", re.MULTILINE | re.DOTALL)
    fences = fence.findall(section)
    shell = any(language == "sh" for language, _ in fences)
    whole = COMMAND.search(section) is not None
    for language, body in fences:
        if language == "text":
            yield Block(body, shell or whole)
    before = ""
    for piece in re.split(r"\n\s*\n|\n(?=\s*(?:[*-]|\d+\.) )", fence.sub("\n", section)):
        block = Block(piece, whole or PRINTS.search(piece) is not None)
        if block.is_table and PRINTS.search(before):
            block = Block(piece, True)
        yield block
        before = piece


def figures_in_table(table: str) -> list[str]:
    """Return the columns of numbers that are not set, and the figures in the words of other columns."""
    rows = [
        [cell.strip() for cell in re.split(r"(?<!\\)\|", line.strip().strip("|"))]
        for line in table.splitlines()
        if line.startswith("|")
    ]
    found = []
    for column, head in enumerate(rows[0]):
        if head in SET_COLUMNS:
            continue
        cells = [row[column] for row in rows[2:] if column < len(row) and row[column] not in ("", "-", "–")]
        numbers = [cell for cell in cells if re.match(r"(?:about |below |above |up to )?[-+]?\d", cell)]
        if head == "measured" or (cells and 2 * len(numbers) >= len(cells)):
            found.append(f"column {head!r}")
        else:
            found += [figure for cell in cells for figure in figures_in(cell)]
    return found


def figures_in(text: str) -> list[str]:
    """Return the sentences of a text that have a figure, code spans taken off."""
    found = []
    for sentence in SENTENCE_END.split(" ".join(text.split())):
        bare = re.sub(r"`[^`]*`", "", sentence)
        if FIGURE.search(bare) or (MEASURING.search(bare) and NUMBER_WITH_UNIT.search(bare)):
            found.append(sentence)
    return found


def unnamed(text: str) -> list[str]:
    """Return the figures of a page beside which no command stands."""
    found = []
    for section in sections(text):
        for block in blocks_of(section):
            if block.named:
                continue
            if block.is_table:
                found += figures_in_table(block.text)
            else:
                found += figures_in(block.text)
    return found


def name_of(page: Path) -> str:
    """Return the page's path in the repository."""
    return page.relative_to(ROOT).as_posix()


def without_command(page: Path) -> list[str]:
    """Return the figures of a page that are neither named nor known to be no measurement."""
    known = NOT_MEASURED.get(name_of(page), {})
    return [figure for figure in unnamed(text_of(page)) if not any(part in figure for part in known)]
