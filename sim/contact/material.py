"""From the materials of two touching things to the law of their contact.

Rule for a pair: friction is the geometric mean of both. Of two materials given by restitution, the smaller
restitution and the longer contact time hold: the one that loses more and gives more way decides. Of two
given by stiffness and damping, springs in series: `1 / K = 1 / K1 + 1 / K2`, and dampers likewise. One of
each kind has no rule and is refused.
"""

import math

from hil.common.arrays import Array
from hil.common.errors import SimulationError
from sim.contact.contact_laws import restitution_law, spring_law
from sim.contact.interface_schema import Material
from sim.contact.restitution import damping_ratios, spring_rate

SHIPPED = Material.model_validate({"friction": 0.3, "restitution": 0.5, "contact_time_ms": 20.0})


def pair_law(first: Material, second: Material) -> Array:
    """Return the law of the contact of two materials, see `sim.contact.contact_laws`.

    Raises:
        SimulationError: one is given by restitution and the other by stiffness, or one by both or by half
            of either.
    """
    friction = math.sqrt(first.friction * second.friction)
    if _is_spring(first) != _is_spring(second):
        raise SimulationError(
            "two materials that touch must be given the same way: one has restitution_ and contact_time_ms, "
            "the other stiffness_n_per_m and damping_n_s_per_m"
        )
    if not _is_spring(first):
        restitution = min(_number(first.restitution), _number(second.restitution))
        contact_time = max(_number(first.contact_time), _number(second.contact_time))
        return restitution_law(friction, spring_rate(restitution, contact_time), damping_ratios(restitution))
    stiffness = _series(_number(first.stiffness), _number(second.stiffness))
    return spring_law(friction, stiffness, _series(_number(first.damping), _number(second.damping)))


def _is_spring(material: Material) -> bool:
    """Return whether a material is given by stiffness and damping; refuse one that is neither or both."""
    impact = [material.restitution is not None, material.contact_time is not None]
    spring = [material.stiffness is not None, material.damping is not None]
    if (all(impact) and not any(spring)) or (all(spring) and not any(impact)):
        return all(spring)
    raise SimulationError(
        f"material {material.model_dump(exclude_none=True)}: give either restitution and contact_time, or "
        "stiffness and damping, and not both"
    )


def _number(value: float | None) -> float:
    assert value is not None  # `_is_spring` has looked
    return value


def _series(a: float, b: float) -> float:
    return a * b / (a + b) if a + b > 0.0 else 0.0
