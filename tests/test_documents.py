"""The documents say what the code does: commands, paths, tables, keys, equations and hazards."""

import ast
import importlib.util
import re
import shlex
import textwrap
import tomllib
import typing
from pathlib import Path

import pytest

from drivers.fri.host_time import STEADY_NS
from drivers.fri.layout import COMMAND_SIZE, MONITOR_SIZE
from hil.commands.cli import parser
from hil.common.freshness import AHEAD_NS
from hil.configuration.loading import configuration_from, load_configuration
from hil.configuration.quantities import Quantity, Section
from hil.configuration.schema import Configuration, Emulator, Fri, Interpolation
from hil.loop.driver.core import MODE_TIMEOUT_NS
from hil.loop.driver.leaving import ROOM, leaves_within, longest_brake, outlives_by
from hil.loop.judging.liveness import SILENT_NS, STATE_LATE_NS, STUCK_NS
from hil.messaging.topics import TOPICS
from hil.processes.supervisor.children import FORGIVEN_S
from hil.processes.supervisor.daemon import BRAKE_ROOM_S
from hil.processes.table import PROCESSES
from tests import measured
from tests.documents import (
    PAGES,
    ROOT,
    anchors,
    blocks,
    commands,
    links,
    names_in,
    spans,
    table,
    text_of,
)

ARCHITECTURE, THEORY, SAFETY = (ROOT / f"docs/{name}.md" for name in ("architecture", "theory", "safety"))
SUFFIXES = (".py", ".toml", ".md", ".xml", ".urdf", ".service", ".svg", ".png")
YOURS = {"configs/run.toml", "configs/mine.toml", "configs/my_arm.toml"}  # copies that a reader makes
BY_PAGE = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def verbs() -> set[str]:
    """The names of all commands, and what the program itself may be asked."""
    return {"--version"} | set(re.findall(r"^  ([a-z][\w-]*) ", parser().format_help(), re.MULTILINE))


@BY_PAGE
def test_every_python_block_is_python(page: Path) -> None:
    """What a reader pastes parses."""
    for block in blocks(page, "python"):
        ast.parse(textwrap.dedent(block), f"{page.name}: python")


@BY_PAGE
def test_every_command_line_parses(page: Path) -> None:
    """A bare command is a known one; one with arguments is accepted by the program's own parser."""
    for line in commands(page, "zerog"):
        words = shlex.split(line)[1:]
        if len(words) > 1:
            parser().parse_args(words)
        elif words:
            assert words[0] in verbs(), f"{page.name}: {line}"


def test_the_readme_shows_every_command() -> None:
    """No command is left out of the README."""
    shown = {shlex.split(line)[1] for line in commands(ROOT / "README.md", "zerog") if " " in line}
    assert shown == verbs()


@BY_PAGE
def test_make_targets_and_modules_exist(page: Path) -> None:
    """`make X` is a target of the Makefile, `python -m X` a module."""
    targets = set(re.findall(r"^(\w+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    for line in commands(page, "make"):
        assert set(shlex.split(line)[1:2]) <= targets, f"{page.name}: {line}"
    for line in commands(page, "python"):
        words = shlex.split(line)
        if words[1] == "-m":
            assert importlib.util.find_spec(words[2]) is not None, f"{page.name}: {line}"
        else:
            assert (ROOT / words[1]).is_file(), f"{page.name}: {line}"


@BY_PAGE
def test_paths_and_functions_exist(page: Path) -> None:
    """A path in a code span exists; `path: name` is a function, class or method of that file."""
    for span in spans(page):
        match = re.fullmatch(r"([\w/.-]+/[\w.-]*)(?:: (\w+))?", span)
        if not match or not (match[1].endswith(SUFFIXES) or match[1].endswith("/")):
            continue
        path = ROOT / match[1]
        if match[1] in YOURS:
            continue
        assert path.exists() or (page.parent / match[1]).exists(), f"{page.name}: {span}"
        if match[2]:
            assert match[2] in names_in(path), f"{page.name}: {span}"


@BY_PAGE
def test_links_lead_somewhere(page: Path) -> None:
    """Every link within the repository has a target, and its anchor a heading."""
    for target in links(text_of(page)):
        if target.startswith("http"):
            continue
        file, _, anchor = target.partition("#")
        path = (page.parent / file).resolve() if file else page
        assert path.exists(), f"{page.name}: {target}"
        assert not anchor or anchor in anchors(path), f"{page.name}: {target}"


def test_the_index_lists_every_page_once() -> None:
    """docs/README.md has one row a page, in the part of the page's folder; the root's README leads there."""
    index = ROOT / "docs/README.md"
    listed: dict[str, list[Path]] = {}
    part = ""
    for line in text_of(index).splitlines():
        part = line.removeprefix("## ") if line.startswith("## ") else part
        if line.startswith("| ["):
            (target,) = links(line.split("|")[1])
            listed.setdefault(part, []).append((index.parent / target).resolve())
    assert list(listed) == ["Use it", "Understand it", "Extend it"]
    pages = [page for found in listed.values() for page in found]
    assert sorted(pages) == sorted(set(PAGES) - {index, ROOT / "README.md"})
    for part, found in listed.items():
        folder = part.split()[0].lower()
        inside = {page for page in PAGES if page.parent == index.parent / folder}
        assert inside and inside <= set(found), part
    assert "docs/README.md" in links(text_of(ROOT / "README.md"))


def test_pages_named_in_sources_exist() -> None:
    """Where code, configurations or units name a page, it is there."""
    folders = ("hil", "drivers", "sim", "planner", "bench", "configs", "systemd", "tests")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*") if file.is_file()]
    texts = [
        file for file in files if file.suffix in (".py", ".toml", ".xml", ".html", ".js", ".service", "")
    ]
    named = {
        (file, path)
        for file in texts
        for path in re.findall(r"(?<![\w/])docs/[\w/]+\.md", file.read_text(encoding="utf-8"))
    }
    assert len(named) > 50
    missing = [f"{file.relative_to(ROOT)}: {path}" for file, path in named if not (ROOT / path).is_file()]
    assert not missing, missing


def test_named_tests_exist() -> None:
    """A test named as the proof of something is there."""
    known = set().union(*(names_in(file) for file in (ROOT / "tests").rglob("test_*.py")))
    named = {span for page in PAGES for span in spans(page) if re.fullmatch(r"test_\w+", span)}
    assert named <= known


@BY_PAGE
def test_every_measured_number_names_its_command(page: Path) -> None:
    """Beside each figure stands the command that prints it, or the test that bounds it."""
    assert not measured.without_command(page)


def test_what_is_no_measurement_still_stands_on_its_page() -> None:
    """Each exception to the rule is needed: the page has that figure, and no command beside it."""
    for name, known in measured.NOT_MEASURED.items():
        found = measured.unnamed(text_of(ROOT / name))
        for part in known:
            assert any(part in figure for figure in found), f"{name}: {part}"


@pytest.mark.parametrize(
    "text",
    [
        "It costs 0.4 to 5 % of it.",
        "The p99 falls from 9 ms to 6 ms.",
        "A plan takes 3 ms.",
        "| figure | measured |\n|---|---|\n| plan | 0.7 ms |",
        "| | p50 | max |\n|---|---|---|\n| idle | 12 | 30 |",
        "| who | what happens |\n|---|---|\n| memory | grows by 9 MiB an hour |",
        "```text\nseated after 3.17 s\n```",
        "## One\nCommand: `python -m bench.live`.\n\n## Two\nMemory is 460 MiB.",
        "Command: `make it so`. Memory is 460 MiB.",
        "As `zerog run` says, memory is 460 MiB.",
        "`python -m bench.live`\n\nMemory is 460 MiB.",
    ],
)
def test_a_measured_number_without_its_command_is_found(text: str) -> None:
    """Figures are found in sentences, tables and output; a command counts for its own section only."""
    assert measured.unnamed(text)


@pytest.mark.parametrize(
    "text",
    [
        "`python -m bench.live` prints 460 MiB.",
        "Command: `python -m bench.live`.\n\nMemory is 460 MiB.",
        "By `python -m bench.live`:\n\n| figure | measured |\n|---|---|\n| memory | 460 MiB |",
        "To 1e-7 (`test_late_is_the_same_as_in_time`).",
        "```sh\nzerog dock configs/docking.toml\n```\n```text\nseated after 3.17 s\n```",
        "The driver brakes after 300 ms.",
        "| who | after |\n|---|---|\n| driver | 300 ms |",
    ],
)
def test_a_measured_number_with_its_command_and_a_setting_are_let_through(text: str) -> None:
    """The command may stand in the block, before the table, or in its section; settings need none."""
    assert not measured.unnamed(text)


@BY_PAGE
def test_every_command_line_has_figures(page: Path) -> None:
    """A section that says `Command:` has figures, which would be found without it."""
    for section in measured.sections(text_of(page)):
        if measured.COMMAND.search(section):
            assert measured.unnamed(re.sub(r"`[^`\n]*`", "", section)), section[:80]


def test_every_benchmark_has_its_page() -> None:
    """docs/extend/benchmarks.md has one row a script, and the page of its figures names the script."""
    page = ROOT / "docs/extend/benchmarks.md"
    rows = {row[0]: row[-1] for row in table(page, "script")}
    guard = 'if __name__ == "__main__":'
    scripts = {file.stem for file in (ROOT / "bench").glob("*.py") if guard in text_of(file)} - {"__main__"}
    assert set(rows) == scripts
    for script, cell in rows.items():
        (target,) = links(cell)
        figures = page.parent / target.partition("#")[0]
        assert f"`python -m bench.{script}" in text_of(figures), f"{script}: {target}"
    for file in PAGES:
        named = re.findall(r"python -m bench\.(\w+)", text_of(file))
        assert set(named) <= scripts, file


def sections(section: type[Section]) -> dict[str, type[Section]]:
    """The tables within a table of the configuration."""
    found = {}
    for name, field in section.model_fields.items():
        for kind in (field.annotation, *typing.get_args(field.annotation)):
            if isinstance(kind, type) and issubclass(kind, Section):
                found[name] = kind
    return found


@BY_PAGE
def test_configuration_keys_exist(page: Path) -> None:
    """A span `table.key` whose table is one of the configuration's names a key of it."""
    figures = {
        key
        for row in table(ROOT / "docs/understand/figures.md", "key")
        for key in re.findall(r"[\w.]+", row[0])
    }
    variables = set(re.findall(r"^(\w+) = ", "\n".join(blocks(page, "python")), re.MULTILINE))
    for span in set(spans(page)) - figures:
        match = re.fullmatch(r"(\w+)\.(\w+)(?: = .+)?", span)
        if match and match[1] in variables:
            continue
        table_class = sections(Configuration).get(match[1]) if match else None
        if match and table_class and not span.endswith((".npz", ".csv")):
            assert match[2] in {**table_class.keys(), **sections(table_class)}, f"{page.name}: {span}"


def test_every_unit_of_the_configuration_is_explained() -> None:
    """docs/conventions.md has the suffix of every unit that a key uses."""

    def units(section: type[Section]) -> set[str]:
        metadata = [m for field in section.model_fields.values() for m in field.metadata]
        own = {m.unit for m in metadata if isinstance(m, Quantity) and m.unit}
        return own.union(*(units(inner) for inner in sections(section).values()))

    page = ROOT / "docs/conventions.md"
    assert {f"_{unit}" for unit in units(Configuration)} <= {
        span for line in spans(page) for span in line.split(", ")
    }


def test_toml_snippets_load() -> None:
    """The scene's snippet is a table that the default configuration takes."""
    (snippet,) = blocks(ROOT / "docs/use/scenes.md", "toml")
    cube = ROOT / "configs/cube.toml"
    data = tomllib.loads(text_of(cube)) | tomllib.loads(snippet)
    scene = configuration_from(data, cube).scene
    assert scene is not None
    assert scene.file.is_file()


def test_process_table_is_the_programs() -> None:
    """docs/architecture.md has one row a process."""
    expected = [
        [p.name, p.module, str(p.real_time_priority), "yes" if p.emulation_only else "no"]
        for p in PROCESSES.values()
    ]
    assert table(ARCHITECTURE, "process") == expected


def test_topic_table_is_the_programs() -> None:
    """docs/architecture.md has one row a topic."""
    words = {True: "yes", False: "no"}
    expected = [
        [t.name, t.message.__name__, t.publisher, f"{t.rate_hz:g}", words[t.queued], words[t.logged]]
        for t in TOPICS.values()
    ]
    assert table(ARCHITECTURE, "topic") == expected


def test_equations_are_numbered_and_cited_rightly() -> None:
    """Tags run from 1 on without a gap; what pages and docstrings cite exists."""
    tags = [int(number) for number in re.findall(r"\\tag\{(\d+)\}", text_of(THEORY))]
    assert tags == list(range(1, len(tags) + 1))
    headings = [int(number) for number in re.findall(r"^## (\d+) ", text_of(THEORY), re.MULTILINE)]
    assert headings == list(range(1, len(headings) + 1))
    code = [file for folder in ("hil", "drivers", "sim", "planner") for file in (ROOT / folder).rglob("*.py")]
    for file in [*PAGES, *code]:
        for kind, numbers in (("equations?", tags), ("section", headings)):
            pattern = rf"theory\.md\)?[^.\n]{{0,30}}{kind} (\d+)"
            for number in re.findall(pattern, text_of(file)):
                assert int(number) in numbers, f"{file.name}: {kind} {number}"


def test_every_hazard_has_its_tests() -> None:
    """Each line of the hazard table names tests that exist."""
    known = set().union(*(names_in(file) for file in (ROOT / "tests").rglob("test_*.py")))
    missing = []
    for row in table(SAFETY, "hazard"):
        named = re.findall(r"test_\w+", row[-1])
        assert named, f"no test for: {row[0]}"
        missing += [name for name in named if name not in known]
    assert not missing, f"hazards without their test: {', '.join(missing)}"


def test_stated_times_are_the_programs() -> None:
    """Times in docs/safety.md are those of the code, the unit file and the defaults."""
    text = text_of(SAFETY)
    for words in (
        f"{1e3 * Interpolation().plan_timeout:.0f} ms (`interpolation.plan_timeout_ms`)",
        f"no order of the daemon | {1e-6 * MODE_TIMEOUT_NS:.0f} ms |",
        f"yet to come | {1e-6 * AHEAD_NS:.0f} ms ahead",
        f"by {1e-6 * STEADY_NS:g} ms a sample at most",
        f"`fri.timeout_ms` ({1e3 * Fri().timeout:.0f} ms",
        f"is old | {1e-9 * STATE_LATE_NS:g} s beside `fri.timeout_ms` |",
        f"a process is silent | {1e-9 * SILENT_NS:g} s |",
        f"follows nothing though it should | {1e-9 * STUCK_NS:g} s |",
        f"{Emulator().missed_answers} in a row (`emulator.missed_answers`)",
        "2 s (`WatchdogSec`)",
    ):
        assert words in text
    unit = text_of(ROOT / "systemd/zerog.service")
    assert "WatchdogSec=2\n" in unit and "KillMode=control-group\n" in unit


def test_stated_times_of_the_ends_are_the_programs() -> None:
    """How long driver, emulated robot and daemon take to end follows from the default limits."""
    limits = load_configuration(ROOT / "configs/cube.toml").limits
    text = text_of(SAFETY)
    for words in (
        f"after {leaves_within(limits):.2f} s (default limits) it leaves anyway",
        f"waits for rest {longest_brake(limits) + BRAKE_ROOM_S:.2f} s (default limits)",
        f"the arm stands, {outlives_by(limits):.2f} s (default limits) at most",
        f"all have ended after {outlives_by(limits):.2f} s",
        f"one for each {FORGIVEN_S:g} s of life",
    ):
        assert words in text, words
    rows = {row[0]: row[2] for row in table(SAFETY, "hazard")}
    for words in ("the driver is told to end", "what follows the driver's", "a datagram with another sample"):
        (within,) = [cell for hazard, cell in rows.items() if hazard.startswith(words)]
        assert within == f"{leaves_within(limits):.2f} s", words
    timing = text_of(ROOT / "docs/timing.md")
    assert (
        f"with the default limits {longest_brake(limits):.2f} s" in timing
        and f"or {ROOM:g} s after" in timing
    )


def test_the_readme_names_every_shipped_configuration() -> None:
    """No configuration is left out of the README."""
    named = set(re.findall(r"configs/\w+\.toml", text_of(ROOT / "README.md")))
    assert named - YOURS == {f"configs/{file.name}" for file in (ROOT / "configs").glob("*.toml")} - YOURS


def test_the_picture_states_the_sizes_on_the_wire() -> None:
    """The ring's picture has the protocol's sizes and every process."""
    picture = text_of(ROOT / "docs/pictures/ring.svg")
    assert f"{MONITOR_SIZE} B" in picture and f"{COMMAND_SIZE} B" in picture
    assert all(name in picture for name in (*PROCESSES, "daemon"))
