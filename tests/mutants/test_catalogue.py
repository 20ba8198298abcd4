"""The catalogue fits the sources, and a trial tells killed from survived: on a program of two lines."""

import ast
from collections import Counter
from pathlib import Path

import pytest

from hil.common.kernel_cache import MARK, PREFIX
from tests.documents import ROOT
from tests.mutants.__main__ import MISTAKE, SURVIVORS, tried
from tests.mutants.catalogue import TARGETS
from tests.mutants.kernels import importers, name_of, taken_over
from tests.mutants.mutant import CatalogueError, Change, Mutant, Target, chosen, misfits, mutants
from tests.mutants.report import score
from tests.mutants.workshop import Fate, Trial

EVERY = mutants(TARGETS)
LEAST = 150
ARGUED = 40  # characters of an argument, at least: "cannot be tested" is none


def read_by_python(text: str) -> list[ast.stmt]:
    """What a program says, comments and layout apart, as its outermost statements."""
    return ast.parse(text).body


def told_apart(mutant: Mutant, text: str, said: list[str]) -> bool:
    """Whether a mutant of a text says something else than the text does; its own must be readable."""
    changed = read_by_python(mutant.applied(text))
    return len(changed) != len(said) or any(
        ast.dump(one) != other for one, other in zip(changed, said, strict=True)
    )


def test_every_entry_applies_exactly_once() -> None:
    """To the sources as they are now; each gives another program, and Python can read its own."""
    assert misfits(EVERY, ROOT) == []
    for target in TARGETS:
        text = (ROOT / target.file).read_text(encoding="utf-8")
        if target.file.endswith(".py"):
            said = [ast.dump(statement) for statement in read_by_python(text)]
            for mutant in mutants((target,)):
                assert told_apart(mutant, text, said), mutant


def test_entries_are_told_apart_and_have_tests() -> None:
    """A reason is there once in its file, a file once in the catalogue; tests that are named exist."""
    assert len(EVERY) >= LEAST
    assert [name for name, count in Counter(map(str, EVERY)).items() if count > 1] == []
    assert len({target.file for target in TARGETS}) == len(TARGETS)
    for mutant in EVERY:
        files = [word for word in mutant.tests if word.startswith("tests/")]
        assert files, mutant
        for file in files:
            assert (ROOT / file.partition("::")[0]).is_file(), f"{mutant}: {file}"
        equivalent = mutant.change.equivalent
        assert not equivalent or len(equivalent) >= ARGUED, mutant


def test_a_text_that_is_not_there_or_there_twice_is_an_error() -> None:
    """With the count and the text."""
    for text, count in (("a = 1\n", 0), ("b = 1\nb = 1\n", 2)):
        with pytest.raises(CatalogueError, match=f"stands there {count} times"):
            Mutant("x.py", Change("why", "b = 1", "b = 2"), ()).applied(text)


def test_choosing_by_file_and_by_reason() -> None:
    """Words are looked for in both; one that is nowhere is an error."""
    file = "planner/following/guard.py"
    assert {mutant.file for mutant in chosen(EVERY, [file])} == {file}
    assert len(chosen(EVERY, ["the foresight on velocity is removed"])) == 1
    assert chosen(EVERY, []) == EVERY
    with pytest.raises(CatalogueError, match="nowhere to be found"):
        chosen(EVERY, ["nowhere to be found"])


@pytest.fixture
def program(tmp_path: Path) -> Path:
    """A program of two functions, one of them tested, and the tests."""
    root = tmp_path / "program"
    for package in ("hil", "drivers", "sim", "planner", "tests"):
        (root / package).mkdir(parents=True)
    (root / "hil/sums.py").write_text(
        "def plus(a, b):\n    return a + b\n\n\ndef minus(a, b):\n    return a - b\n"
    )
    (root / "tests/test_sums.py").write_text(
        "from hil.sums import plus\n\n\ndef test_plus():\n    while plus(1, 2) > 9:\n        pass\n"
        "    assert plus(1, 2) == 3\n"
    )
    (root / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    return root


def of_sums(*changes: Change) -> list[Mutant]:
    """Mutants of the program."""
    return mutants((Target("hil/sums.py", ("tests/test_sums.py",), changes),))


KILLED = Change("plus is minus", "a + b", "a - b")
SURVIVED = Change("minus is plus", "a - b", "b - a")
EQUIVALENT = Change(
    "the other order", "a + b", "b + a", equivalent="the sum of two numbers does not depend on their order"
)


@pytest.mark.parametrize(
    ("changes", "status", "words"),
    [
        ((KILLED,), 0, "killed 1 of 1 (100.0 %)"),
        ((KILLED, SURVIVED), SURVIVORS, "killed 1 of 2 (50.0 %), survived 1"),
        ((KILLED, EQUIVALENT), 0, "killed 1 of 1 (100.0 %), survived 0, equivalent 1"),
    ],
    ids=["killed", "survived", "equivalent"],
)
def test_the_status_is_that_of_the_survivors(
    program: Path, capsys: pytest.CaptureFixture[str], changes: tuple[Change, ...], status: int, words: str
) -> None:
    """0 if all are killed or argued, 1 if some survive; the program itself is left as it was."""
    before = (program / "hil/sums.py").read_text()
    assert tried(of_sums(*changes), 60.0, 1, program) == status
    printed = capsys.readouterr().out
    assert words in printed
    assert (program / "hil/sums.py").read_text() == before


def test_tests_that_fail_without_a_mutant_are_a_mistake(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is tried then: everything would be killed."""
    (program / "tests/test_sums.py").write_text("def test_red():\n    assert False\n")
    assert tried(of_sums(KILLED), 60.0, 1, program) == MISTAKE
    assert "without a mutant tests/test_sums.py" in capsys.readouterr().out


def test_when_the_time_is_over_the_rest_is_not_tried(
    program: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the score says how many."""
    tried(of_sums(KILLED, SURVIVED), 0.0, 1, program)
    assert "none tried), survived 0, equivalent 0, not tried 2" in capsys.readouterr().out


def test_the_score_counts_what_was_cut_off_as_killed() -> None:
    """A mutant that hangs is noticed; an error is neither."""
    (mutant,) = of_sums(KILLED)
    fates = (Fate.KILLED, Fate.TIMEOUT, Fate.SURVIVED, Fate.ERROR, Fate.UNTRIED)
    assert score([Trial(mutant, fate) for fate in fates]).startswith("killed 2 of 3 (66.7 %), survived 1")


def test_kernels_that_a_mutant_may_change_are_not_taken_over(tmp_path: Path) -> None:
    """Those of its file and of those that import it, themselves or through others; all others are."""
    tree, kernels, into = tmp_path / "tree", tmp_path / f"{PREFIX}a", tmp_path / f"{PREFIX}b"
    imports = {"low": "", "middle": "from hil.low import f", "apart": "", "high": "from hil.middle import g"}
    imports |= {"beside": "from hil.apart import h"}
    sources = {
        f"{'sim' if name in ('high', 'beside') else 'hil'}/{name}.py": imports[name] for name in imports
    }
    for name, text in sources.items():
        (tree / name).parent.mkdir(parents=True, exist_ok=True)
        (tree / name).write_bytes(text.encode() + MARK)
    assert importers(tree, "hil/low.py") == {"hil/low.py", "hil/middle.py", "sim/high.py"}
    for name in sources:
        folder = kernels / name_of((tree / name).parent)
        folder.mkdir(parents=True, exist_ok=True)
        for suffix in ("nbi", "1.nbc"):
            (folder / f"{Path(name).stem}.kernel-3.py311.{suffix}").touch()
    taken_over(kernels, into, "hil/low.py", tree)
    assert sorted(path.name for path in into.rglob("*.nb?")) == [
        *("apart.kernel-3.py311.1.nbc", "apart.kernel-3.py311.nbi"),
        *("beside.kernel-3.py311.1.nbc", "beside.kernel-3.py311.nbi"),
    ]
