"""The certificate as JSON: the rows of the page, for programs."""

import json
import math
from collections.abc import Mapping, Sequence
from typing import Any

from hil.analysis.report.certificate import Certificate
from hil.analysis.report.line import Line


def certificate_json(
    found: Certificate, worth: str, docking: Mapping[str, Any], contacts: Sequence[Mapping[str, Any]] = ()
) -> str:
    """Return the verdict and all rows as JSON text; a number that is not finite becomes null.

    Args:
        found: the certificate.
        worth: of an impulse, in words; empty where nobody asks.
        docking: figures of an insertion past seals and latches; left out where there are none.
        contacts: values of each contact under continuous force; left out where there are none.
    """
    content = {
        "verdict": found.verdict.value,
        "in_words": found.in_words,
        "worth_of_an_impulse": worth,
        "rows": [_row(line) for line in found.lines],
        **({"docking": dict(docking)} if docking else {}),
        **({"contacts": [dict(item) for item in contacts]} if contacts else {}),
    }
    return json.dumps(content, indent=2, allow_nan=False) + "\n"


def _row(line: Line) -> dict[str, Any]:
    names = ("name", "unit", "value", "tolerance", "default", "remark", "count")
    row = {name: getattr(line, name) for name in names} | {"verdict": line.verdict.value}
    return {k: None if isinstance(v, float) and not math.isfinite(v) else v for k, v in row.items()}
