"""What the page on components shows in Python runs as it stands there."""

import re
from pathlib import Path

import pytest

from sim.assembly.assembly_file import load_assembly
from sim.assembly.chain import Chain
from sim.assembly.database import load_database

PAGE = Path(__file__).parents[3] / "docs" / "use" / "components.md"


def blocks(language: str) -> list[str]:
    """The page's blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def test_the_example_in_python_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Chain, figures, models, a step; and the chain is that of the TOML beside it."""
    monkeypatch.chdir(tmp_path)
    (example,) = blocks("python")
    names: dict[str, object] = {}
    exec(example, names)
    assert {path.name for path in (tmp_path / "models").iterdir()} >= {"two-joints.urdf", "two-joints.xml"}
    said = [line for line in capsys.readouterr().out.splitlines() if line]
    assert 0.2 < float(said[0]) < 2.0 and float(said[-1]) != 0.0
    (assembly,) = (block for block in blocks("toml") if block.startswith('name = "two-joints"'))
    (tmp_path / "two-joints.toml").write_text(assembly, encoding="utf-8")
    chain = names["chain"]
    assert isinstance(chain, Chain)
    loaded = load_assembly(tmp_path / "two-joints.toml", load_database())
    assert [(p.component.name, p.name, p.turn) for p in loaded.parts] == [
        (p.component.name, p.name, p.turn) for p in chain.parts
    ]
