"""What both hosts of a split run must agree on, as a fingerprint: program and physics, not folders."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from hil.common.arm_files import read_arm
from hil.configuration import Configuration
from hil.configuration.quantities import Section
from hil.messaging.topics import TOPICS

SHARED = (
    "robot", "limits", "object", "mockup", "stops", "scene", "docking", "simulation", "planner",
    "interpolation",
)  # fmt: skip


def agreement_stamp(c: Configuration) -> str:
    """Return a hash of all messages, of the tables that both sites read, and of the files they name."""
    files = [] if c.scene is None else [c.scene.file]
    files += [] if c.scene is None or c.scene.interfaces is None else [c.scene.interfaces]
    files += [] if c.docking is None else [c.docking.scene, c.docking.interfaces]
    arm = read_arm(c.robot.model).stamped
    told = {
        "messages": {topic.name: topic.message.FINGERPRINT for topic in TOPICS.values()},
        "tables": {name: _plain(getattr(c, name)) for name in SHARED},
        "follow": c.run.follow,
        "files": [hashlib.sha256(content).hexdigest() for content in (arm, *map(Path.read_bytes, files))],
    }
    return hashlib.sha256(json.dumps(told, sort_keys=True).encode()).hexdigest()[:16]


def _plain(value: Any) -> Any:
    if isinstance(value, Section):
        return {name: _plain(getattr(value, name)) for name in type(value).model_fields}
    if isinstance(value, np.ndarray | tuple):
        return [_plain(item) for item in value]
    if isinstance(value, np.floating):
        return float(value)
    # where a file lies is each host's own business; what is in it counts
    return "" if isinstance(value, Path) else value
