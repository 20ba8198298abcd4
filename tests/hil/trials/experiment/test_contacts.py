"""Plans under continuous force: what must diverge is refused in its row, other trials have contacts."""

import json
import math
from pathlib import Path

import pytest

from hil.commands.cli import main
from hil.trials.experiment.columns import CONTACTS, RESULTS
from hil.trials.experiment.contact_cells import NO_CONTACTS
from hil.trials.experiment.report.folder import read_folder
from tests.hil.trials.experiment.plans import ROOT, results

MASS, STIFFNESS, DAMPING = 60.0, 2e4, 100.0
PLAN = f"""
name = "touch"
base = "{ROOT / "configs" / "contact.toml"}"
duration_s = 0.6
set.port.point_mm = [943.0, 0.0, 150.0]

[[trial]]
name = "none"
set.force.compensation = "none"

[[trial]]
name = "scheme-s"

[[trial]]
name = "pushes"
duration_s = 0.1
set.force.mode = "pushes"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The campaign's folder; the command says that nothing went wrong."""
    folder = tmp_path_factory.mktemp("touch")
    (folder / "touch.toml").write_text(PLAN)
    out = folder / "out"
    assert main(["experiment", str(folder / "touch.toml"), "--fast", "--jobs", "1", "--out", str(out)]) == 0
    return out


def ideal() -> float:
    """Return the restitution of the plan's port (closed form)."""
    z = DAMPING / (2.0 * math.sqrt(STIFFNESS * MASS))
    root = math.sqrt(1.0 - z * z)
    return math.exp(-z * (math.pi - math.atan2(2.0 * z * root, root * root - z * z)) / root)


def test_what_must_diverge_is_refused_in_its_row(folder: Path) -> None:
    """In the words of `check`; not run, so it has no recording, no figures, and no contacts."""
    row = results(folder)[0]
    assert row["status"] == "refused"
    assert row["problem"].startswith("compensation 'none' diverges at a port of 20 kN/m")
    assert "use compensation 'S'" in row["problem"] and row["contacts"] == row["duration_s"] == ""
    assert not (folder / "trials/001-none/run.mcap").exists()
    told = read_folder(folder)
    assert any("001-none was refused: " in text for text in told.missing)


def test_a_contact_has_its_row(folder: Path) -> None:
    """Beside the closed form of the emulated port: its own columns, and the trial's together."""
    done = results(folder)[1]
    (row,) = results(folder, "contacts")
    assert list(row) == list(CONTACTS) and row["trial"] == "002-scheme-s" and row["contact_ended"] == "1"
    assert float(row["contact_restitution_ideal"]) == pytest.approx(ideal(), abs=1e-5)
    assert row["contact_ideal_of"] == "port" and row["contact_restitution_set"] == ""
    error = float(row["contact_restitution"]) - ideal()
    assert abs(error) < 0.02 and float(row["contact_restitution_error"]) == pytest.approx(error, abs=1e-5)
    beyond = float(row["contact_restitution"]) ** 2 - ideal() ** 2
    assert float(row["contact_beyond_ideal"]) == pytest.approx(beyond, abs=2e-5)
    assert float(row["contact_stiffness_n_per_m"]) == pytest.approx(STIFFNESS, rel=0.05)
    assert 0.0 < float(row["contact_stiffness_within_n_per_m"]) < 0.1 * STIFFNESS
    assert (done["status"], done["contacts"], done["contacts_open"], done["faults"]) == (
        "done",
        "1",
        "0",
        "0",
    )
    assert done["contact_restitution_error_worst"] == row["contact_restitution_error"]
    assert done["contact_peak_force_n"] == row["contact_peak_n"]


def test_pushes_have_no_contacts(folder: Path) -> None:
    """Nor a number of them: the cells are empty."""
    row = results(folder)[2]
    assert row["status"] == "done" and [row[name] for name in NO_CONTACTS] == [""] * len(NO_CONTACTS)
    assert set(NO_CONTACTS) < set(RESULTS)


def test_the_report_shows_them_side_by_side(folder: Path, tmp_path: Path) -> None:
    """Figures of contacts in table and picture, how many trials were run, and each contact for programs."""
    page, out = tmp_path / "report.html", tmp_path / "report.json"
    assert main(["report", str(folder), "-o", str(page), "--json", str(out)]) in (0, 1)
    text = page.read_text()
    assert "restitution, against the ideal" in text and "0 of 1" in text and "was refused" in text
    (told,) = json.loads(out.read_text())["contacts"]
    assert told["trial"] == "002-scheme-s" and told["ideal_of"] == "port"
