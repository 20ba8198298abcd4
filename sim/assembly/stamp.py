"""The fingerprint of an assembly: all numbers and names of its parts and of their drives."""

import hashlib
import json
from typing import Any

import numpy as np

from hil.configuration.quantities import Section
from sim.assembly.chain import Chain
from sim.assembly.component_schema import ComponentFile

TOLD = ("text", "source", "assumed", "shapes")  # to people; no number of the mechanism hangs on them
DRIVE = ("motor", "gear", "brake", "torque_sensor")


def stamp_of(chain: Chain) -> str:
    """Return a hash of an assembly's order, turns and gravity, and of all that its components say.

    Raises:
        AssemblyError: a joint names a drive's part that there is not.
    """
    components: dict[str, ComponentFile] = {part.component.name: part.component for part in chain}
    for part in chain:
        for joint in part.component.joints:
            names = [getattr(joint, role) for role in DRIVE if getattr(joint, role) is not None]
            components |= {name: chain.database[name] for name in names}
    told = {
        "gravity": list(chain.gravity),
        "parts": [[part.name, part.component.name, part.turn] for part in chain],
        "components": {name: _plain(components[name]) for name in sorted(components)},
    }
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()


def _plain(value: Any) -> Any:
    if isinstance(value, Section):
        fields = sorted(value.model_fields_set - set(TOLD))  # what its file says, however the schema grows
        return {name: _plain(getattr(value, name)) for name in fields}
    if isinstance(value, np.ndarray | tuple):
        return [_plain(item) for item in value]
    return float(value) if isinstance(value, np.floating) else value
