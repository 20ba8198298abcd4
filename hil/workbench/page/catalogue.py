"""The catalogue of components, as the page shows it."""

from typing import Any

import numpy as np

from hil.workbench.page.data_rows import brief_of, in_words, rows_of
from sim.assembly.chain import marker
from sim.assembly.component_schema import ComponentFile
from sim.assembly.database import Database

# in the order in which an arm is put together; then what joints are made of
KINDS = {
    "base": "bases",
    "joint": "joints",
    "link": "links",
    "wrist": "wrists",
    "tool": "tools",
    "unit": "units",
    "motor": "motors",
    "gear": "gears",
    "brake": "brakes",
    "torque_sensor": "sensors",
}


def catalogue(database: Database) -> dict[str, Any]:
    """Return kinds and components for the page."""
    found = {kind: database.of_kind(kind) for kind in KINDS}
    return {
        "kinds": [[kind, words] for kind, words in KINDS.items() if found[kind]],
        "components": [card(component) for kind in KINDS for component in found[kind]],
    }


def card(component: ComponentFile) -> dict[str, Any]:
    """Return what the page shows of one component; `T_input` is its input's marker in its first body."""
    inlet = None if component.input is None else marker(component.input)
    return {
        "name": component.name,
        "kind": component.kind,
        "text": component.text,
        "source": component.source,
        "assumed": list(component.assumed),
        "brief": brief_of(component),
        "rows": rows_of(component),
        "ends": [in_words(c) if c else "" for c in (component.input, component.output)],
        "joints": len(component.joints),
        "solid": bool(component.bodies),
        "T_input_inverse": None if inlet is None else np.linalg.inv(inlet).ravel().tolist(),
    }
