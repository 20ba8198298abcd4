"""Typed quantities: a key carries its unit (`mass_kg`), loading converts to SI and drops the suffix."""

import dataclasses
import math
from typing import Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler, model_validator
from pydantic_core import CoreSchema, core_schema

from hil.common.arrays import frozen_array

# unit in the key -> factor to SI; the empty unit is a pure number and adds no suffix
UNITS = {
    "": 1.0,
    "kg": 1.0,
    "kg_m2": 1.0,
    "kg_mm": 1e-3,
    "mm": 1e-3,
    "ms": 1e-3,
    "s": 1.0,
    "us": 1e-6,
    "hz": 1.0,
    "n": 1.0,
    "n_m": 1.0,
    "n_s": 1.0,
    "n_per_s": 1.0,
    "per_n": 1.0,
    "per_n_m": 1.0,
    "n_per_m": 1.0,
    "n_per_mm": 1e3,
    "n_per_mm2": 1e6,
    "n_per_mm3": 1e9,
    "mpa": 1e6,
    "n_s_per_m": 1.0,
    "n_m_per_m": 1.0,
    "n_m_per_rad": 1.0,
    "n_m_s_per_rad": 1.0,
    "km": 1e3,
    "mm_s": 1e-3,
    "mm_s2": 1e-3,
    "s_per_m": 1.0,
    "rad": 1.0,
    "deg": math.pi / 180.0,
    "deg_s": math.pi / 180.0,
    "deg_s2": math.pi / 180.0,
    "rad_s": 1.0,
    "rad_s2": 1.0,
    "rad_s3": 1.0,
    "a": 1.0,
    "v": 1.0,
    "w": 1.0,
    "ohm": 1.0,
    "mh": 1e-3,
    "n_m_per_a": 1.0,
    "n_m_s": 1.0,
    "k": 1.0,
    "k_per_w": 1.0,
    "j_per_k": 1.0,
    "arcmin": math.pi / 180.0 / 60.0,
}


@dataclasses.dataclass(frozen=True)
class Quantity:
    """Metadata of a field: unit in the key, bounds in that unit, and for vectors the length.

    A field with a length becomes a read-only float64 array of shape `(length,)`, or `(n, length)` if it
    is a list of such vectors (`rows`). One of `some` numbers has as many as the file gives, at least one.
    """

    unit: str = ""
    gt: float | None = None
    ge: float | None = None
    lt: float | None = None
    le: float | None = None
    length: int | None = None
    rows: bool = False
    some: bool = False

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """Validate in the key's unit, then convert to SI."""
        scale = UNITS[self.unit]
        number = core_schema.float_schema(
            gt=self.gt, ge=self.ge, lt=self.lt, le=self.le, allow_inf_nan=False, strict=True
        )
        if self.length is None and not self.some:
            return core_schema.no_info_after_validator_function(lambda x: x * scale, number)
        least = 1 if self.some else self.length
        numbers = core_schema.list_schema(number, min_length=least, max_length=self.length, strict=True)
        if self.rows:
            return core_schema.no_info_after_validator_function(
                lambda x: frozen_array([[v * scale for v in row] for row in x]),
                core_schema.list_schema(numbers, min_length=1, strict=True),
            )
        return core_schema.no_info_after_validator_function(
            lambda x: frozen_array([v * scale for v in x]), numbers
        )


class Section(BaseModel):
    """A table of the configuration: frozen, complete, without unknown keys."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", arbitrary_types_allowed=True, validate_default=False
    )

    @classmethod
    def keys(cls) -> dict[str, str]:
        """Return the mapping from key in the file to field name."""
        return {file_key(name, field.metadata): name for name, field in cls.model_fields.items()}

    @model_validator(mode="before")
    @classmethod
    def _drop_units(cls, data: Any) -> Any:
        """Rename keys to field names; what is no key stays and is refused as unknown."""
        if not isinstance(data, dict):
            return data
        keys = cls.keys()
        # a bare field name whose key carries a unit must not slip through
        return {keys.get(k, k if k not in cls.model_fields else f"{k} "): v for k, v in data.items()}


def file_key(name: str, metadata: list[Any]) -> str:
    """Return the key that a field has in the file: its name and its unit."""
    unit = next((m.unit for m in metadata if isinstance(m, Quantity)), "")
    return f"{name}_{unit}" if unit else name
