"""Kinds of values that several tables have."""

from typing import Annotated

from pydantic import AfterValidator, StringConstraints

from hil.common.arrays import Array
from hil.configuration.quantities import Quantity

Millimetres3 = Annotated[Array, Quantity("mm", length=3)]
Degrees3 = Annotated[Array, Quantity("deg", length=3)]
Fraction = Annotated[float, Quantity(ge=0.0, le=1.0)]
JOINT_DEGREES = Quantity("deg", ge=-360.0, le=360.0, length=7)
# for whoever reads it later, on one line
Reason = Annotated[
    str,
    StringConstraints(strip_whitespace=True, min_length=10),
    AfterValidator(lambda text: " ".join(text.split())),
]
