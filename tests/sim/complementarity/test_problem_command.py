"""`python -m bench.complementarity FILE …`: what it prints, writes and returns."""

import json
from pathlib import Path

import pytest

from bench.complementarity import main

SOLVABLE = "2 0 2 2 2 2  2 1  1 2  -5 -6"
WITHOUT = "1 0 1 1 1 1  -1  -1"
CONTACT = "2 1 0 2 2 2 2  3 1  1 4  -1 0.5  0.3"


def test_each_file_has_its_lines_and_its_entry(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = []
    for name, text in (("good", SOLVABLE), ("none", WITHOUT), ("contact", CONTACT), ("torn", SOLVABLE[:-3])):
        paths.append(tmp_path / f"{name}.dat")
        paths[-1].write_text(text, encoding="utf-8")
    out = tmp_path / "out.json"
    assert main([*map(str, paths), "--json", str(out)]) == 2
    said = capsys.readouterr()
    assert "good.dat: lcp n=2, lemke, residual" in said.out and "1.333333 2.333333" in said.out
    assert "none.dat: lcp n=1" in said.out and "\n  none\n" in said.out
    assert "contact.dat: friction 2-D contacts=1, lemke" in said.out
    assert said.err.count("\n") == 1 and "torn.dat: q[1] = nothing" in said.err
    results = {entry["file"]: entry for entry in json.loads(out.read_text(encoding="utf-8"))["details"]}
    assert results["good.dat"]["solution"] == pytest.approx([4 / 3, 7 / 3])
    assert results["none.dat"]["solution"] is None and results["none.dat"]["status"] == "none"
    assert results["torn.dat"]["status"] == "refused"
    assert main([str(paths[0]), str(paths[1])]) == 0
