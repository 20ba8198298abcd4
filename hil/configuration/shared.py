"""One arm of two that share a motion: which pair, and where the other arm's run is.

`zerog share PAIR.toml --live` gives it to both runs that it starts (docs/understand/second_arm.md).
"""

import math
from pathlib import Path
from typing import Literal

from pydantic import Field

from hil.configuration.quantities import Section

ARMS = "first", "second"
BEGINS, TURNED = 0.02, math.radians(3.0)  # [m], [rad] off the middle of its set, at most, where an arm begins


class Shared(Section):
    """One arm of two that share a motion; `zerog share PAIR.toml --live` starts its run so.

    Absent: the arm shows its body alone. In: daemon, planner, sim, emulator.
    """

    pair: Path
    """Both arms, bodies, observer and noses, a TOML file."""
    settings: tuple[str, ...] = ()
    """What is otherwise than in that file, each as KEY=VALUE."""
    arm: Literal["first", "second"]
    """Which one of the two it is. The first one's run emulates both; its planner leads."""
    other: str = Field(min_length=1)
    """Run-time directory of the other arm's run."""
    other_port: int = Field(ge=1024, le=65535)
    """Of the other arm's run: its `fri.port`."""


def shared_faults(arm: str | None, beside: list[str]) -> list[str]:
    """Return what cannot stand beside `[shared]`, of the names of tables and keys that do."""
    if arm is None:
        return []
    remedy = "share emulated arms on one host, without bodies of others (`zerog share PAIR.toml --live`)"
    return [f"shared and {name} are both given: {remedy}" for name in beside]


def emulated_elsewhere(shared: Shared | None) -> bool:
    """Return whether the other arm's run emulates this one's robot as well."""
    return shared is not None and shared.arm == "second"
