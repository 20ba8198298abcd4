"""A configuration as a list of its values, in SI."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hil.common.arrays import plain_numbers
from hil.configuration.quantities import Section


def resolved(section: Section, prefix: str = "") -> Iterator[tuple[str, str]]:
    """Yield every value of a table in SI, dotted names first to last."""
    for name in type(section).model_fields:
        value: Any = getattr(section, name)
        key = f"{prefix}{name}"
        if isinstance(value, Section):
            yield from resolved(value, f"{key}.")
        elif isinstance(value, tuple) and all(isinstance(item, Section) for item in value):
            for index, item in enumerate(value):
                yield from resolved(item, f"{key}[{index}].")
        elif isinstance(value, np.ndarray):
            yield key, plain_numbers(value)
        else:
            yield key, f"{value:.6g}" if isinstance(value, float) else str(value)
