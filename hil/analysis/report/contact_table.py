"""The contacts of a run as a table of its report."""

from collections.abc import Sequence

from hil.analysis.judged_contact import JudgedContact
from hil.analysis.report.page import value_in, value_text
from hil.configuration.force import Force
from hil.loop.told_contact import created_percent, is_identified, timing_words
from hil.messaging.messages import Contact
from hil.messaging.timing_messages import DriveTiming

MOST_ROWS = 200
HEADS = (
    "contact", "began, s", "felt, ms", "against ideal time, %", "approach, mm/s", "departure, mm/s",
    "restitution e", "e set", "e ideal", "ideal of", "stiffness, N/m", "damping, N s/m", "port mass, kg",
    "peak force, N", "against ideal peak, %", "depth, mm", "energy before, mJ", "energy after, mJ",
    "beyond ideal energy, %", "created by the loop, %",
)  # fmt: skip


def contact_rows(judged: Sequence[JudgedContact], begin_ns: int) -> list[tuple[str, ...]]:
    """Return the words of each contact that ended, under `HEADS`; the first `MOST_ROWS`.

    Args:
        judged: the last word on each contact, beside its ideal.
        begin_ns: from which instants are counted.
    """
    return [_row(one, begin_ns) for one in judged if one.contact.ended][:MOST_ROWS]


def contact_words(
    force: Force, contacts: Sequence[Contact], timing: DriveTiming | None = None, grasped: bool = False
) -> str:
    """Return in a few sentences how the force acts and what touched; empty where force acts as pushes.

    `grasped`: a second arm was beside it, whose touches are told with the grasp.
    """
    if force.mode == "pushes":
        return ""
    ended = [contact for contact in contacts if contact.ended]
    told = [
        f"Measured force acts for as long as it lasts (mode {force.mode}, compensation "
        f"{force.compensation}, from {force.gate:g} N on)."
    ]
    if timing is not None:
        told.append(f"Drives: {timing_words(timing)}.")
    if force.mode == "hybrid":
        told.append(_target_words(force))
    if not contacts:
        told.append("Away from the second arm nothing touched." if grasped else "Nothing touched.")
        return " ".join(told)
    told.append(f"{_many(len(ended))} ended.")
    if len(ended) > MOST_ROWS:
        told.append(f"The first {MOST_ROWS} are shown.")
    if ended:
        told.append("Behind ± half the interval of 95 % by the noise of force and position alone.")
    created = [share for contact in ended if (share := created_percent(contact)) is not None]
    if created:
        most = max(created)
        words = f"at most {value_in(most, '%')} of a contact's energy" if most > 0.0 else "no energy in any"
        told.append(f"The loop created {words}.")
    if open_ones := [contact for contact in contacts if not contact.ended]:
        peak = max(contact.peak_force for contact in open_ones)
        told.append(
            f"{_many(len(open_ones))} still open when floating or the recording ended: no row; at most "
            f"{value_in(peak, 'N')}."
        )
    return " ".join(told)


def _target_words(force: Force) -> str:
    restitution = "the real damper's" if force.target_restitution is None else f"{force.target_restitution:g}"
    return (
        f"To be felt: {force.target_stiffness:.4g} N/m, of which a device of "
        f"{force.device_stiffness:.4g} N/m is real; restitution {restitution}."
    )


def _row(one: JudgedContact, begin_ns: int) -> tuple[str, ...]:
    contact, ideal = one.contact, one.ideal
    identified = is_identified(contact)
    if not identified:
        port = "–"
    else:
        port = value_text(contact.port_mass) if contact.port_mass > 0.0 else "stands"
    return (
        str(contact.number),
        f"{1e-9 * (contact.t_start_ns - begin_ns):.2f}",
        f"{1e3 * contact.felt:.0f}",
        value_text(one.time_error),
        value_text(1e3 * contact.approach),
        value_text(1e3 * contact.departure if contact.departure else None),
        value_text(one.restitution),
        value_text(one.wanted),
        value_text(None if ideal is None else ideal.restitution),
        one.against or "–",
        _within(contact.stiffness, one.stiffness_within),
        _within(contact.damping, one.damping_within),
        port,
        value_text(contact.peak_force),
        value_text(one.peak_error),
        value_text(1e3 * contact.depth if identified else None),
        value_text(1e3 * contact.energy_before),
        value_text(1e3 * contact.energy_after),
        value_text(one.excess),
        value_text(one.created),
    )


def _within(value: float, half: float | None) -> str:
    """Return a value with half its interval; nothing where it was not identified."""
    return (
        "–" if half is None else f"{value:.0f} ± {half:.2g}" if half < 100.0 else f"{value:.0f} ± {half:.0f}"
    )


def _many(count: int) -> str:
    return "1 contact" if count == 1 else f"{count} contacts"
