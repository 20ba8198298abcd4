"""What the file of an arm is to those who read it: URDF, whatever it was written in.

Readers of arms (kinematics, physics, fingerprints) stand on lower floors than those who can make an arm out
of something else. So a maker is named here once, by the ending of its files, where the program is joined
together (`hil/__init__.py`).
"""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from hil.common.input_file import content_of


@dataclass(frozen=True)
class ArmFile:
    """An arm.

    Attributes:
        urdf: its model.
        stamped: what a fingerprint of it covers: the file itself, or all that the model was made of.
        made: whether the model was made of something else; it then names no further files.
    """

    urdf: bytes
    stamped: bytes
    made: bool = False


_MAKERS: dict[str, Callable[[Path], ArmFile]] = {}


def add_maker(ending: str, maker: Callable[[Path], ArmFile]) -> None:
    """Let files with this ending be made into arms."""
    _MAKERS[ending] = maker


def read_arm(path: Path) -> ArmFile:
    """Return the arm in a file.

    Raises:
        OSError: it cannot be read.
        AssemblyError: it is an assembly that is refused.
    """
    maker = _MAKERS.get(path.suffix)
    if maker is not None:
        return maker(path)
    content = content_of(path)
    return ArmFile(content, content)
