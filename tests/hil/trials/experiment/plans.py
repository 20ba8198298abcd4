"""Short plans for tests, and results without what differs from run to run."""

import csv
from pathlib import Path

ROOT = Path(__file__).resolve().parents[4]
CUBE = ROOT / "configs" / "cube.toml"
TIMING = "wall_time_s"
HEAD = f'name = "short"\nbase = "{CUBE}"\nduration_s = 1.5\n'
PUSHES = """
[[trial]]
name = "push"
repeats = 2
push = [{time_s = 0.6, force_n = [12.0, 6.0, 0.0], duration_ms = 60.0}]
[[trial.sweep]]
object.mass_kg = [30.0, 60.0]

[[trial]]
name = "nobody"
"""


def written(folder: Path, body: str = PUSHES, head: str = HEAD) -> Path:
    """A plan's file."""
    path = folder / "short.toml"
    path.write_text(head + body, encoding="utf-8")
    return path


def results(folder: Path, table: str = "results") -> list[dict[str, str]]:
    """The rows of one of a campaign's tables, without the time that each trial took."""
    with open(folder / f"{table}.csv", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    return [{key: value for key, value in row.items() if key != TIMING} for row in rows]
