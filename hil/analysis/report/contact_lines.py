"""The certificate's row on contacts under continuous force, of runs that have it."""

from collections.abc import Mapping, Sequence

import numpy as np

from hil.analysis.recorded.run import RecordedRun
from hil.analysis.report.evidence import Evidence
from hil.analysis.report.line import Line
from hil.analysis.report.verdict import Verdict, judge
from hil.loop.told_contact import created_percent

CREATED = "contact_energy"
UNIT = "%"
MOST_CREATED = 1.0  # [%] of the energy at the onset
NO_CONTACT = "no contact that began faster than 1 mm/s ended"


def contact_evidence(run: RecordedRun) -> Evidence | None:
    """Return the energy that the loop created in each contact of a run [%]; None where force is pushes."""
    if run.configuration.force.mode == "pushes":
        return None
    if (lost := run.summary.lost.get("contact")) is not None:
        return Evidence(np.empty(0), f"{lost} messages of contact were lost")
    found = [created for contact in run.contacts if (created := created_percent(contact)) is not None]
    return Evidence(np.array(found), "" if found else NO_CONTACT)


def contact_lines(parts: Sequence[Evidence | None], tolerances: Mapping[str, float]) -> list[Line]:
    """Return the row of one run, or of several together; none where no force acts continuously.

    Args:
        parts: what each run has to say; None: its force acts as pushes.
        tolerances: that stand in for the default one, by the metric's name.
    """
    told = [part for part in parts if part is not None]
    if not told:
        return []
    tolerance = tolerances.get(CREATED, MOST_CREATED)
    values = np.concatenate([part.values for part in told])
    value = float(values.max()) if len(values) else None
    words = []
    if len(told) > 1:
        failed = sum(
            len(part.values) > 0 and judge(float(part.values.max()), tolerance) is Verdict.FAIL
            for part in told
        )
        words += [f"{failed} of {len(told)} fail on their own"] if failed else []
    if silent := [part for part in told if not len(part.values)]:
        several = f"not measured in {len(silent)} of {len(told)}: " if len(told) > 1 else ""
        words.append(several + silent[0].reason)
    return [
        Line(
            CREATED, "Energy that the loop created in a contact, largest", UNIT, value, tolerance,
            MOST_CREATED, judge(value, tolerance), "; ".join(words),
            "Energy by the part of the force that the identified contact does not explain, over the object's "
            "kinetic energy at the onset; of contacts that began faster than 1 mm/s.",
            "hil/loop/told_contact.py: created_percent", len(values),
        )
    ]  # fmt: skip
