"""A report of a run with real contact: its table and its certificate's row, against closed forms."""

import json
import math
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from hil.analysis.judged_contact import ContactJudge
from hil.analysis.recorded.contacts import contacts_of, timing_of
from hil.analysis.recorded.run import RecordedRun, load_run
from hil.analysis.report.contact_lines import CREATED, RESTITUTION, contact_evidence, contact_lines
from hil.analysis.report.contact_table import HEADS, contact_rows, contact_words
from hil.analysis.report.evidence import Evidence
from hil.analysis.report.run_report import run_report
from hil.analysis.report.verdict import Verdict
from hil.commands.cli import main
from hil.configuration import load_configuration
from hil.configuration.force import Force
from hil.loop.told_contact import contact_restitution, created_percent
from hil.messaging.messages import Contact
from hil.messaging.timing_messages import DriveTiming

PORT = Path(__file__).resolve().parents[4] / "configs" / "port.toml"
MASS, SPEED, STIFFNESS, DAMPING = 60.0, 0.02, 2e4, 100.0
Z = DAMPING / (2.0 * math.sqrt(STIFFNESS * MASS))
ROOT = math.sqrt(1.0 - Z * Z)
IDEAL = math.exp(-Z * (math.pi - math.atan2(2.0 * Z * ROOT, ROOT * ROOT - Z * Z)) / ROOT)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> RecordedRun:
    """The recorded run: 4 mm to the port, a touch, and away from it."""
    path = tmp_path_factory.mktemp("contacts") / "run.mcap"
    settings = ('force.mode="contact"', "port.point_mm=[944.0, 0.0, 150.0]", "port.friction=0")
    words = ["simulate", str(PORT), "--duration", "0.9", "--record", str(path)]
    assert main([*words, *(word for setting in settings for word in ("--set", setting))]) == 0
    return load_run(path)


@pytest.fixture(scope="module")
def page(run: RecordedRun) -> str:
    """The report's page."""
    return run_report(run, {}, None, "files").html


def test_a_recorded_contact_is_the_springs_own(run: RecordedRun) -> None:
    """Speed, energy, restitution, stiffness, depth: closed forms of a damped spring that cannot pull."""
    (contact,) = run.contacts
    assert contact.ended and contact.approach == pytest.approx(SPEED, rel=0.01)
    assert contact.energy_before == pytest.approx(0.5 * MASS * SPEED**2, rel=0.01)
    assert contact_restitution(contact) == pytest.approx(IDEAL, rel=0.02)
    assert contact.energy_after / contact.energy_before == pytest.approx(IDEAL**2, rel=0.04)
    assert contact.stiffness == pytest.approx(STIFFNESS, rel=0.1)
    deepest = SPEED * math.sqrt(MASS / STIFFNESS) * math.exp(-Z / ROOT * math.acos(Z))
    assert contact.depth == pytest.approx(deepest, rel=0.05)


def test_the_page_has_a_row_for_the_contact(run: RecordedRun, page: str) -> None:
    """In the report's units, one cell a head; and the certificate's row with its verdict."""
    section = re.search(r"<h2>Contacts</h2>(.*?)</section>", page, re.DOTALL)
    assert section and "1 contact ended" in section[1] and "mode contact, compensation S" in section[1]
    heads = re.findall(r"<th [^>]*>(.*?)</th>", section[1])
    cells = re.findall(r"<td [^>]*>(.*?)</td>", section[1])
    assert tuple(heads) == HEADS and len(cells) == len(HEADS)
    told = dict(zip(heads, cells, strict=True))
    assert told["contact"] == "1" and told["port mass, kg"] == "stands"
    assert 0.2 < float(told["began, s"]) < 0.9
    above = math.acos(0.0) / math.sqrt(STIFFNESS / MASS) * 2e3  # [ms], undamped, of which the gate hides some
    assert float(told["felt, ms"]) == pytest.approx(above, rel=0.1)
    assert (
        abs(float(told["against ideal time, %"])) < 5.0 and abs(float(told["against ideal peak, %"])) < 10.0
    )
    assert told["e set"] == "–" and told["ideal of"] == "port"
    assert float(told["e ideal"]) == pytest.approx(IDEAL, abs=1e-3)
    assert float(told["approach, mm/s"]) == pytest.approx(20.0, rel=0.01)
    assert float(told["departure, mm/s"]) == pytest.approx(20.0 * IDEAL, rel=0.02)
    assert float(told["restitution e"]) == pytest.approx(IDEAL, rel=0.02)
    assert float(told["energy before, mJ"]) == pytest.approx(12.0, rel=0.01)
    assert float(told["energy after, mJ"]) == pytest.approx(12.0 * IDEAL**2, rel=0.04)
    assert float(told["peak force, N"]) == pytest.approx(20.0, rel=0.1)
    assert float(told["depth, mm"]) == pytest.approx(1.03, rel=0.05)
    assert "Energy that the loop created in a contact, largest" in page


def contact(number: int = 1, **more) -> Contact:
    """A contact that ended: 20 mm/s, 12 mJ, of which the loop created 0.06 mJ."""
    made = Contact(
        0, number, 10**9 * number, 10**9 * number + 2 * 10**8, True, 0.17, 2e4, 50.0, 100.0, 5.0, 80.0, 60.0,
        0.0, 21.0, 1e-3, 0.02, 0.017, 0.012, 0.0087, 6e-5, np.zeros(6),
    )  # fmt: skip
    return replace(made, **more)


def test_words_of_contacts_that_are_less_than_whole() -> None:
    """Open ones have no row and are told; what was not identified is no number; pushes say nothing."""
    force = Force(mode="contact", compensation="lead")
    every = [contact(1), contact(2, ended=False, peak_force=7.5), contact(3, stiffness=0.0, departure=0.0)]
    judge = ContactJudge(load_configuration(PORT, ['force.mode="contact"']))
    judged = [judge.judged(one) for one in every]
    rows = [dict(zip(HEADS, row, strict=True)) for row in contact_rows(judged, 10**9)]
    assert [row["contact"] for row in rows] == ["1", "3"]
    assert rows[0]["port mass, kg"] == "80" and rows[0]["created by the loop, %"] == "0.5"
    assert rows[0]["began, s"] == "0.00" and rows[1]["began, s"] == "2.00"
    nothing = ("departure, mm/s", "restitution e", "stiffness, N/m", "damping, N s/m", "port mass, kg")
    assert [rows[1][head] for head in nothing] == ["–"] * 5
    assert rows[0]["stiffness, N/m"] == "20000 ± 98" and rows[0]["damping, N s/m"] == "100 ± 9.8"
    words = contact_words(force, every)
    assert "compensation lead" in words and "2 contacts ended" in words and "at most 0.5 %" in words
    assert "1 contact still open" in words and "7.5 N" in words
    assert contact_words(force, [contact(energy_created=-1e-6)]).endswith("created no energy in any.")
    assert contact_words(force, []).endswith("Nothing touched.")
    assert contact_words(force, [], None, True).endswith("Away from the second arm nothing touched.")
    assert contact_words(Force(), every) == ""


def test_a_creeping_contact_has_no_share_to_be_judged_by() -> None:
    """Below 1 mm/s, or not over: neither restitution nor created energy."""
    for slow in (
        contact(approach=5e-4), contact(ended=False), contact(energy_before=0.0), contact(stiffness=0.0),
    ):  # fmt: skip
        assert created_percent(slow) is None
    assert contact_restitution(contact(approach=5e-4)) is None
    assert contact_restitution(contact()) == pytest.approx(0.85)


def test_the_certificates_row_judges_the_worst_contact(run: RecordedRun) -> None:
    """1 % and no more; several runs are pooled; pushes have no such row, lost messages no verdict."""
    quiet = contact_evidence(replace(run, contacts=(contact(1), contact(2))))
    loud = contact_evidence(replace(run, contacts=(contact(1), contact(2, energy_created=1.3e-4))))
    assert quiet and loud
    line, _ = contact_lines([quiet], {})
    assert (line.verdict, line.value, line.count) == (Verdict.PASS, pytest.approx(0.5), 2)
    line, _ = contact_lines([quiet, None, loud], {})
    assert (line.verdict, line.count) == (Verdict.FAIL, 4) and line.remark == "1 of 2 fail on their own"
    assert line.value == pytest.approx(100.0 * 1.3e-4 / 0.012)
    line, _ = contact_lines([loud], {CREATED: 2.0})
    assert line.verdict is Verdict.PASS and line.looser
    line, _ = contact_lines([{name: Evidence(np.empty(0), "why") for name in (CREATED, RESTITUTION)}], {})
    assert (line.verdict, line.remark) == (Verdict.NOT_MEASURED, "why")
    assert contact_lines([None, None], {}) == []
    pushed = run.configuration.model_copy(update={"force": Force()})
    assert contact_evidence(replace(run, configuration=pushed)) is None
    lossy = replace(run, summary=replace(run.summary, metadata={"lost": {"contact": "3"}}))
    told = contact_evidence(lossy)
    assert (
        told and not len(told[CREATED].values) and "3 messages of contact were lost" in told[CREATED].reason
    )


def test_the_certificates_row_on_restitution_is_against_the_port(run: RecordedRun) -> None:
    """0.85 told of a port whose closed form is another: that difference; identified ports do not judge it."""
    told = contact_evidence(replace(run, contacts=(contact(1), contact(2, departure=0.0174))))
    assert told
    _, line = contact_lines([told], {})
    assert line.name == RESTITUTION and line.count == 2
    assert line.value == pytest.approx(max(abs(0.85 - IDEAL), abs(0.87 - IDEAL)), abs=1e-3)


def test_programs_are_told_of_each_contact(run: RecordedRun, tmp_path: Path) -> None:
    """`zerog report --json`: every contact in SI, with its ideal, the interval of 95 % and no NaN."""
    out = tmp_path / "out.json"
    assert main(["report", str(run.path), "-o", str(tmp_path / "r.html"), "--json", str(out)]) in (0, 1)
    (told,) = json.loads(out.read_text())["contacts"]
    (contact,) = run.contacts
    assert told["restitution"] == pytest.approx(contact.departure / contact.approach)
    assert told["stiffness_within_n_per_m"] == pytest.approx(1.96 * contact.stiffness_deviation)
    assert told["damping_within_n_s_per_m"] == pytest.approx(1.96 * contact.damping_deviation)
    assert told["ideal_of"] == "port" and told["ideal"]["restitution"] == pytest.approx(IDEAL, abs=1e-5)
    assert told["restitution_error"] == pytest.approx(told["restitution"] - IDEAL, abs=1e-5)
    assert told["restitution_set"] is None and told["port_mass_kg"] is None and told["ended"] is True
    assert told["mass_kg"] == pytest.approx(MASS, rel=1e-4)


def test_the_last_word_on_each_contact_counts() -> None:
    """Also where a driver began anew and counts from 1 again; without the channel there are none."""
    told = [contact(1, ended=False), contact(1), contact(2, ended=False), contact(1, t_start_ns=5 * 10**9)]
    columns = {name: np.array([getattr(item, name) for item in told]) for name in Contact.__match_args__}
    found = contacts_of({"/contact": columns})
    assert [(item.number, item.t_start_ns // 10**9, item.ended) for item in found] == [
        (1, 1, True), (2, 2, False), (1, 5, True),
    ]  # fmt: skip
    assert contacts_of({}) == ()


def test_the_last_word_on_the_drives_is_told() -> None:
    """In the report's sentence on contacts, with what to do if it is wrong; without the channel nothing."""
    told = [DriveTiming(t, late, 1e-4, late > 1e-3) for t, late in ((5, 0.0018), (3, 0.0001))]
    columns = {name: np.array([getattr(item, name) for item in told]) for name in DriveTiming.__match_args__}
    timing = timing_of({"/drive_timing": columns})
    assert timing is not None and timing_of({}) is None
    assert (timing.t_ns, timing.late, timing.interval, timing.wrong) == (5, 0.0018, 1e-4, True)
    words = contact_words(Force(mode="contact"), [], timing)
    assert "arm 1.8 +- 0.1 ms later than their model: run `zerog calibrate timing`." in words


def test_what_no_one_spring_explains_is_held_against_none(run: RecordedRun) -> None:
    """A stiffness of less than five of its deviations: no ideal, no depth, no energy told apart."""
    (contact,) = run.contacts
    docked = load_configuration(PORT, ['force.mode="contact"', "port.latch=true"])
    unsure = replace(contact, stiffness=0.4, stiffness_deviation=1.3, depth=7.452)
    sure = replace(contact, stiffness=9374.0, stiffness_deviation=20.0)
    held, known = (ContactJudge(docked).judged(one) for one in (unsure, sure))
    assert held.ideal is None and held.error is None and held.created is None
    assert known.ideal is not None and known.error is not None and known.created is not None
    assert held.restitution == known.restitution == contact_restitution(contact)
    rows = [dict(zip(HEADS, row, strict=True)) for row in contact_rows([held, known], 0)]
    assert rows[0]["depth, mm"] == "–" and rows[1]["depth, mm"] != "–"
    assert rows[0]["peak force, N"] == rows[1]["peak force, N"]
