"""The pages on experiments say what the code does: columns, keys of a plan, example, shipped plans."""

import re
from pathlib import Path

from hil.trials.experiment.columns import BOUNCES, CONTACTS, MEANINGS, PUSHES
from hil.trials.experiment.expansion import load_experiment
from hil.trials.experiment.plan import Trial
from tests.documents import ROOT, blocks, table

PAGE = ROOT / "docs/use/experiments.md"
RESULTS = ROOT / "docs/understand/experiments.md"


def test_the_tables_of_columns_are_the_programs() -> None:
    """One row a column, in the order of each file."""
    told = {
        "column": MEANINGS,
        "column of `pushes.csv`": PUSHES,
        "column of `bounces.csv`": BOUNCES,
        "column of `contacts.csv`": CONTACTS,
    }
    for head, meanings in told.items():
        expected = [[name, (text or "the same").strip("`")] for name, text in meanings.items()]
        assert table(PAGE, head) == expected, head


def test_every_key_of_a_trial_is_explained() -> None:
    """The table of keys names all that a trial may have, and nothing else."""
    explained = {key for row in table(PAGE, "key of a trial") for key in re.findall(r"\w+", row[0])}
    assert explained == set(Trial.keys())


def test_the_example_is_a_plan(tmp_path: Path) -> None:
    """As it stands, beside the shipped plans: 1 + 30 + 1 trials."""
    (text,) = blocks(PAGE, "toml")
    path = tmp_path / "example.toml"
    path.write_text(text.replace("../cube.toml", str(ROOT / "configs" / "cube.toml")))
    assert [task.name for task in load_experiment(path).tasks] == ["scripted"] + ["random"] * 30 + ["hand"]


def test_every_shipped_plan_has_its_row() -> None:
    """Number of trials and virtual time of the plans that run fast are those of their files."""
    expected = {}
    for path in (ROOT / "configs" / "plans").glob("*.toml"):
        loaded = load_experiment(path)
        if all(task.operator is None for task in loaded.tasks):
            seconds = sum(task.duration for task in loaded.tasks)
            expected[path.stem] = [str(len(loaded.tasks)), f"{seconds:.0f} s"]
    assert {row[0]: row[1:3] for row in table(RESULTS, "plan")} == expected
