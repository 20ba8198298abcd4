"""The physics engine's warnings: heard here, so that it writes no log file, and none passes for a result.

By itself the engine tells of a state that is no number on stderr and in a file of the working folder, begins
anew from the model's first pose, and goes on (MuJoCo, `mj_checkAcc`).
"""

import logging

import mujoco

from hil.common.arrays import IntArray
from hil.common.errors import SimulationError

log = logging.getLogger("zerog.physics")
DIVERGED = "Nan, Inf"  # how a warning begins that `Watch` tells as an error
TOLD = {
    mujoco.mjtWarning.mjWARN_INERTIA: "an inertia matrix cannot be inverted",
    mujoco.mjtWarning.mjWARN_CONTACTFULL: "there are more contacts than there is memory for",
    mujoco.mjtWarning.mjWARN_CNSTRFULL: "there are more constraints than there is memory for",
    mujoco.mjtWarning.mjWARN_BADQPOS: "a position is no number, or beyond all bounds",
    mujoco.mjtWarning.mjWARN_BADQVEL: "a speed is no number, or beyond all bounds",
    mujoco.mjtWarning.mjWARN_BADQACC: "an acceleration is no number, or beyond all bounds",
    mujoco.mjtWarning.mjWARN_BADCTRL: "a control is no number, or beyond all bounds",
}


def hear_warnings() -> None:
    """Take the engine's warnings in this process; to be called by whoever builds a model."""
    mujoco.set_mju_user_warning(_heard)


class Watch:
    """Looks whether a simulation can still be believed."""

    def __init__(self, data: mujoco.MjData, what: str, remedy: str) -> None:
        """Watch.

        Args:
            data: of the simulation.
            what: is simulated, in words.
            remedy: what helps, with the key.
        """
        hear_warnings()
        self._counts: IntArray = data.warning.number  # a view of the engine's own counts
        self._what, self._remedy = what, remedy

    def look(self, time: float) -> None:
        """Return if the engine has warned of nothing; `time` [s] is told.

        Raises:
            SimulationError: it has.
        """
        if not self._counts.any():
            return
        kind = mujoco.mjtWarning(int(self._counts.argmax()))
        raise SimulationError(f"{self._what} diverged at {time:.4f} s: {TOLD[kind]}: {self._remedy}")


def _heard(text: str) -> None:
    if not text.startswith(DIVERGED):
        log.warning("%s", " ".join(text.split()))
