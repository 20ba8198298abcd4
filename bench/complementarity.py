"""Solves problem files of contacts and complementarity; without files, measures the solvers.

Run: python -m bench.complementarity [FILE …] [--json OUT]

Files: linear complementarity problems and contact problems in two and three dimensions, as the siconos
collection has them. Of each: solver, residual (natural map over max(1, |q|)), solution or "none", time.
"""

import argparse
import sys
import time
from pathlib import Path

import numpy as np

from bench.contact_figures import figures
from bench.report import Row, print_rows, write_rows
from hil.common.errors import ComplementarityError
from hil.common.kernel_cache import use_kernel_cache
from sim.complementarity.answers import TOLERANCE
from sim.complementarity.contacts import solve_contacts
from sim.complementarity.lcp import solve_lcp
from sim.complementarity.problem_file import LcpProblem, read_problem

SHOWN = 12  # entries of a solution that are printed
AGAIN = 0.2  # [s]: what takes less is timed once more, compiled


def solved(path: Path) -> dict[str, object]:
    """Return what became of a file's problem."""
    problem = read_problem(path)
    while True:
        begin = time.perf_counter()
        if isinstance(problem, LcpProblem):
            answer = solve_lcp(problem.M, problem.q)
            solution, kind = answer.z, f"lcp n={len(problem.q)}"
        else:
            contact = solve_contacts(problem.G, problem.b, problem.mu, problem.n, problem.dim)
            solution = np.column_stack([contact.lam_n, contact.lam_t]).ravel()
            answer, kind = contact, f"friction {problem.dim}-D contacts={problem.n}"
        seconds = time.perf_counter() - begin
        if seconds < AGAIN or solved_before(kind):
            break
    return {
        "file": path.name,
        "kind": kind,
        "status": answer.status,
        "solver": answer.solver,
        "residual": answer.residual,
        "solution": None if answer.status == "none" else solution.tolist(),
        "seconds": seconds,
    }


_compiled: set[str] = set()


def solved_before(kind: str) -> bool:
    """Tell whether a kind of problem was solved before, so that its solver is compiled."""
    known = kind.split()[0] in _compiled
    _compiled.add(kind.split()[0])
    return known


def line(result: dict[str, object]) -> str:
    """Return a result in words."""
    solution = result["solution"]
    words = "none"
    if isinstance(solution, list):
        words = " ".join(f"{value:.7g}" for value in solution[:SHOWN])
        words += f" … ({len(solution)} entries)" if len(solution) > SHOWN else ""
        if result["status"] == "unsolved":
            words = f"unsolved, nearest: {words}"
    return (
        f"{result['file']}: {result['kind']}, {result['solver']}, residual {result['residual']:.2e}, "
        f"{result['seconds']:.2e} s\n  {words}"
    )


def main(arguments: list[str] | None = None) -> int:
    """Solve files, or measure; return 1 if a problem is unsolved or a goal missed, 2 if a file is refused."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--json", type=Path, metavar="OUT")
    parser.add_argument("--quick", action="store_true", help="without files: fewer cases")
    options = parser.parse_args(arguments)
    use_kernel_cache()
    status, results, rows = 0, [], []
    for path in options.files:
        try:
            result = solved(path)
        except ComplementarityError as error:
            print(error, file=sys.stderr)
            results.append({"file": path.name, "status": "refused", "why": str(error)})
            status = 2
            continue
        print(line(result), flush=True)
        results.append(result)
        if result["status"] != "none":
            rows.append(Row(f"{path.name} residual", float(result["residual"]), TOLERANCE, ""))
        if result["status"] == "unsolved":
            status = max(status, 1)
    if not options.files:
        rows = figures(options.quick)
        print_rows(rows)
        status = int(any(row.reached is False for row in rows))
    if options.json:
        write_rows(options.json, rows, results)
    return status


if __name__ == "__main__":
    sys.exit(main())
