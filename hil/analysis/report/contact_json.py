"""The contacts of a run for programs: each a table of SI values; what is not known is null."""

import math
from typing import Any

from hil.analysis.judged_contact import JudgedContact
from hil.loop.told_contact import is_identified


def contact_values(one: JudgedContact, begin_ns: int) -> dict[str, Any]:
    """Return a contact's values by name, units in the names.

    Args:
        one: the contact beside its ideal.
        begin_ns: from which instants are counted.
    """
    contact, ideal = one.contact, one.ideal
    known = contact.stiffness > 0.0
    values = {
        "number": contact.number,
        "ended": contact.ended,
        "began_s": 1e-9 * (contact.t_start_ns - begin_ns),
        "felt_s": contact.felt,
        "approach_m_s": contact.approach,
        "departure_m_s": contact.departure or None,
        "restitution": one.restitution,
        "restitution_set": one.wanted,
        "restitution_error": one.error,
        "stiffness_n_per_m": contact.stiffness if known else None,
        "stiffness_within_n_per_m": one.stiffness_within,
        "damping_n_s_per_m": contact.damping if known else None,
        "damping_within_n_s_per_m": one.damping_within,
        "port_mass_kg": contact.port_mass or None,
        "mass_kg": contact.mass,
        "peak_force_n": contact.peak_force,
        "peak_error_percent": one.peak_error,
        "time_error_percent": one.time_error,
        "depth_m": contact.depth if is_identified(contact) else None,
        "energy_before_j": contact.energy_before,
        "energy_after_j": contact.energy_after,
        "energy_beyond_ideal_percent": one.excess,
        "energy_created_percent": one.created,
        "ideal_of": one.against,
        "ideal": None if ideal is None else ideal._asdict(),
    }
    return {key: _finite(value) for key, value in values.items()}


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
