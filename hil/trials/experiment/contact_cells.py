"""The contacts of a trial as rows of a table, and what they come to together."""

import math
from collections.abc import Callable, Sequence
from pathlib import Path

from hil.analysis.judged_contact import ContactJudge, JudgedContact
from hil.analysis.recorded.contacts import contacts_of
from hil.configuration import Configuration
from hil.loop.told_contact import is_identified
from hil.recording.columns import read_columns

Cell = float | int | str | None
Cells = dict[str, Cell]
CHANNEL = "/contact"
NO_CONTACTS: Cells = dict.fromkeys(
    (
        "contacts", "contacts_open", "contact_restitution_error_worst", "contact_beyond_ideal_worst",
        "contact_created_worst", "contact_peak_error_worst", "contact_time_error_worst",
        "contact_peak_force_n",
    )
)  # fmt: skip


def judged_contacts(path: Path, c: Configuration) -> list[JudgedContact] | None:
    """Return the contacts of a recording beside their ideals; None where force acts as pushes."""
    if c.force.mode == "pushes":
        return None
    _, channels = read_columns(path, {CHANNEL})
    judge = ContactJudge(c)
    return [judge.judged(contact) for contact in contacts_of(channels)]


def contacts_together(judged: Sequence[JudgedContact] | None) -> Cells:
    """Return the cells of a trial's contacts; empty where force acts as pushes.

    The worst of several is the one of largest size; of energies the largest, since less of it is no gain.
    """
    if judged is None:
        return dict(NO_CONTACTS)
    ended = [one for one in judged if one.contact.ended]
    return {
        "contacts": len(ended),
        "contacts_open": len(judged) - len(ended),
        "contact_restitution_error_worst": _worst(ended, lambda one: one.error, abs),
        "contact_beyond_ideal_worst": _share(_worst(ended, lambda one: one.excess)),
        "contact_created_worst": _share(_worst(ended, lambda one: one.created)),
        "contact_peak_error_worst": _share(_worst(ended, lambda one: one.peak_error, abs)),
        "contact_time_error_worst": _share(_worst(ended, lambda one: one.time_error, abs)),
        "contact_peak_force_n": _worst(judged, lambda one: one.contact.peak_force),
    }


def contact_rows(judged: Sequence[JudgedContact] | None) -> list[Cells]:
    """Return a row for each contact."""
    return [_row(number, one) for number, one in enumerate(judged or (), 1)]


def _row(number: int, one: JudgedContact) -> Cells:
    contact, ideal = one.contact, one.ideal
    known = contact.stiffness > 0.0
    cells: Cells = {
        "contact": number,
        "contact_ended": int(contact.ended),
        "contact_felt_s": contact.felt,
        "contact_approach_mm_s": 1e3 * contact.approach,
        "contact_restitution": one.restitution,
        "contact_restitution_set": one.wanted,
        "contact_restitution_ideal": None if ideal is None else ideal.restitution,
        "contact_ideal_of": one.against,
        "contact_restitution_error": one.error,
        "contact_beyond_ideal": _share(one.excess),
        "contact_created": _share(one.created),
        "contact_peak_n": contact.peak_force,
        "contact_peak_error": _share(one.peak_error),
        "contact_time_error": _share(one.time_error),
        "contact_depth_mm": 1e3 * contact.depth if is_identified(contact) else None,
        "contact_stiffness_n_per_m": contact.stiffness if known else None,
        "contact_stiffness_within_n_per_m": one.stiffness_within,
        "contact_damping_n_s_per_m": contact.damping if known else None,
        "contact_damping_within_n_s_per_m": one.damping_within,
        "contact_port_mass_kg": contact.port_mass or None,
    }
    return {name: _finite(value) for name, value in cells.items()}


def _worst(
    judged: Sequence[JudgedContact],
    value: Callable[[JudgedContact], float | None],
    size: Callable[[float], float] = float,
) -> float | None:
    values = [found for one in judged if (found := value(one)) is not None]
    return max(values, key=size) if values else None


def _share(percent: float | None) -> float | None:
    return None if percent is None else 0.01 * percent


def _finite(value: Cell) -> Cell:
    return None if isinstance(value, float) and not math.isfinite(value) else value
