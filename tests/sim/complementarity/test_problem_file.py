"""Problem files: what is read whatever its white space, and what is refused in one line."""

from pathlib import Path

import numpy as np
import pytest

from hil.common.errors import ComplementarityError
from sim.complementarity.problem_file import ContactProblem, LcpProblem, read_problem
from tests.sim.complementarity.problems import file_of

LCP = "2 0 2 2 2 2  2 1  7 2  -5 -6"
PLANAR = "2 1 0 2 2 2 2  3 1  1 4  -1 0.5  0.3"
BLOCKS = """3 2 1 6 6
4 2 2
3 6
3 6
3 4
0 2 4
0 1 0 1
0 1 2 3 4 5 6 7 8 9
1 11 12 13 14 15 16 17 18 19
2 21 22 23 24 25 26 27 28 29
3 31 32 33 34 35 36 37 38 39
1 2 3 4 5 6
.5 .6
0
"""
CSPARSE = """2
1
2
2
2
2
CSparse Version 3
2-by-2, nzmax: 3 nnz: 3, 1-norm: 4
    col 0 : locations 0 to 1
      0 : 3.5
      1 : 1
    col 1 : locations 2 to 2
      1 : 4
 -1 0.5
 0.3"""


def read(folder: Path, text: str) -> LcpProblem | ContactProblem:
    path = folder / "problem.dat"
    path.write_text(text, encoding="utf-8")
    return read_problem(path)


def test_matrices_stand_column_by_column(tmp_path: Path) -> None:
    problem = read(tmp_path, LCP)
    assert isinstance(problem, LcpProblem)
    assert problem.M.tolist() == [[2, 7], [1, 2]] and problem.q.tolist() == [-5, -6]
    contact = read(tmp_path, PLANAR)
    assert isinstance(contact, ContactProblem)
    assert contact.G.tolist() == [[3, 1], [1, 4]] and (contact.n, contact.dim) == (1, 2)
    assert contact.b.tolist() == [-1, 0.5] and contact.mu.tolist() == [0.3]


def test_blocks_stand_where_they_belong_each_by_columns(tmp_path: Path) -> None:
    problem = read(tmp_path, BLOCKS)
    assert isinstance(problem, ContactProblem)
    assert problem.G[:3, :3].tolist() == [[1, 4, 7], [2, 5, 8], [3, 6, 9]]
    assert problem.G[0, 3:].tolist() == [11, 14, 17] and problem.G[3:, 0].tolist() == [21, 22, 23]
    assert problem.G[5, 5] == 39 and problem.b[5] == 6 and problem.mu.tolist() == [0.5, 0.6]


def test_a_problem_of_blocks_may_be_an_lcp(tmp_path: Path) -> None:
    problem = read(tmp_path, "2 1 2 2 1 1 1 2 2 2 1 0 1 0 0 2 1 1 3 -5 -6")
    assert isinstance(problem, LcpProblem) and problem.M.tolist() == [[2, 1], [1, 3]]


def test_lines_of_csparse_are_read(tmp_path: Path) -> None:
    problem = read(tmp_path, CSPARSE)
    assert isinstance(problem, ContactProblem)
    assert problem.G.tolist() == [[3.5, 0], [1, 4]] and problem.mu.tolist() == [0.3]


@pytest.mark.parametrize(
    "form",
    [
        lambda text: "\n".join(text.split()),
        lambda text: "\r\n\t ".join(text.split()) + "\r\n\r\n",
        lambda text: "\ufeff# a remark\n" + text + "\n\nExample 4.4.7, 2009\n",
        lambda text: text.replace("-5", "-5.0D0") + " 1\n",
        lambda text: text + "\n0\n",
    ],
)
def test_white_space_remarks_and_flags_do_not_count(tmp_path: Path, form) -> None:
    problem = read(tmp_path, form(LCP))
    assert isinstance(problem, LcpProblem) and problem.q.tolist() == [-5, -6]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "beginning = nothing: five whole numbers"),
        ("hello world", "beginning = hello world: five"),
        ("2 0 3 3 3 3", "beginning = 2 0 3 3 3: neither"),
        (LCP.rsplit(" ", 1)[0], r"q\[1\] = nothing: the file ends before it"),
        (LCP.replace("7", "7x"), r"matrix\[2\] = '7x': a number is asked"),
        (LCP.replace("7", "nan"), r"matrix\[2\] = 'nan': a finite number"),
        (LCP + " 3 4", "rest = 3: 2 numbers are left over"),
        ("2 0 2 2 2 3 2 1 7 2 -5 -6", "columns = 3: a whole number from 2 to 2"),
        (PLANAR.replace("0.3", "-0.3"), r"mu\[0\] = -0.3: friction is not negative"),
        (PLANAR + " 7 7 7 7", "rest = 7: 4 numbers"),
        ("3 3 1 54 54 2", "rows = 54: 3 contacts in 3 dimensions have 9; problems with masses"),
        (BLOCKS.replace("3 6\n3 6", "3 5\n3 6"), "end of block row 1 = 5: the blocks end at 6"),
        (BLOCKS.replace("\n2 21", "\n5 21"), "number of block 2 = 5: a whole number from 2 to 2"),
        (BLOCKS.replace("0 1 0 1", "0 1 0 2"), "block column 3 = 2: a whole number from 0 to 1"),
        (BLOCKS.split("31")[0], r"block 3\[0\] = nothing"),
        (CSPARSE.replace("nnz: 3", "nnz: 4"), "nnz = 4: 3 entries are there"),
        (CSPARSE.replace("3.5", "inf"), r"matrix\[0, 0\] = inf: a finite number within 2 x 2"),
        ("99999 0 99999 99999 99999 99999", "n = 99999: a whole number from 1 to 6000"),
    ],
)
def test_damaged_files_are_refused_in_one_line(tmp_path: Path, text: str, words: str) -> None:
    with pytest.raises(ComplementarityError, match=words) as caught:
        read(tmp_path, text)
    assert str(tmp_path / "problem.dat") in str(caught.value) and "\n" not in str(caught.value)


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    (tmp_path / "binary.dat").write_bytes(b"\xff\xfe\x00\x80")
    for name in ("binary.dat", "nowhere.dat", ""):
        with pytest.raises(ComplementarityError, match="cannot be read"):
            read_problem(tmp_path / name)


def test_capsules_are_symmetric_by_blocks() -> None:
    """276 contacts in 1246 blocks: only by columns does the matrix have no negative eigenvalue."""
    problem = read_problem(file_of("friction", "Capsules-i100-1090.dat"))
    assert isinstance(problem, ContactProblem) and (problem.n, problem.dim) == (276, 3)
    assert np.linalg.eigvalsh(problem.G + problem.G.T)[0] > -1e-12
