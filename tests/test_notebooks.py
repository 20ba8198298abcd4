"""The notebooks run as they stand, and what is kept of them tells of no machine."""

import importlib.util
import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.documents import ROOT, links

FOLDER = ROOT / "docs/notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
MOST_KB = 160
EACH = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
MACHINE = re.compile(r"/(home|root|work|tmp|usr|Users)/|site-packages| at 0x|\.venv|\x1b\[")
pytest.importorskip("nbclient")


def module() -> Any:
    """The script that executes them, which lies beside them."""
    spec = importlib.util.spec_from_file_location("execute", FOLDER / "execute.py")
    assert spec is not None and spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made


def kinds(cells: list[Any]) -> list[list[list[str]]]:
    """What each code cell shows: text, pictures, values."""
    return [
        [sorted(output.get("data", {"text": ""})) for output in cell["outputs"]]
        for cell in cells
        if cell["cell_type"] == "code"
    ]


@EACH
def test_a_notebook_runs_and_shows_what_is_kept(path: Path) -> None:
    """Its own assertions hold; each cell shows as many texts and pictures as it did."""
    kept = json.loads(path.read_text(encoding="utf-8"))["cells"]
    found = module().executed(path).cells
    joined = [[what for k, what in enumerate(cell) if k == 0 or what != cell[k - 1]] for cell in kinds(kept)]
    again = [[what for k, what in enumerate(cell) if k == 0 or what != cell[k - 1]] for cell in kinds(found)]
    assert again == joined  # a text may come in several pieces


@EACH
def test_what_is_kept_is_small_and_of_no_machine(path: Path) -> None:
    """No paths, times or versions; no cell that failed or was left out; pictures of a size to be read."""
    text = path.read_text(encoding="utf-8")
    content = json.loads(text)
    assert len(text) < 1000 * MOST_KB
    assert set(content["metadata"]) == {"kernelspec", "language_info"}
    assert content["metadata"]["language_info"] == {"name": "python"}
    for cell in content["cells"]:
        assert cell["metadata"] == {}
        for output in cell.get("outputs", []):
            shown = {k: v for k, v in output.get("data", {}).items() if not k.startswith("image/")}
            assert not MACHINE.search("".join(output.get("text", [])) + json.dumps(shown)), path.name
            assert output["output_type"] != "error" and output.get("name") != "stderr"
    assert all(cell["execution_count"] for cell in content["cells"] if cell["cell_type"] == "code")


@EACH
def test_links_of_a_notebook_lead_somewhere(path: Path) -> None:
    """As in the pages; and each notebook is named in docs/use/python.md."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    for cell in cells:
        if cell["cell_type"] == "markdown":
            for target in links("".join(cell["source"])):
                assert (path.parent / target.partition("#")[0]).exists(), target
    assert f"notebooks/{path.name}" in (ROOT / "docs/use/python.md").read_text(encoding="utf-8")
