"""Whether a real arm may move: only on a checked configuration. What lacks is told, all of it at once.

An emulated arm may always move. For a real one each requirement can be set aside by hand, with the reason
written down under `[fri.override]`: the reason then shows wherever the run shows.
"""

from dataclasses import dataclass
from typing import Any

from hil.configuration import Configuration
from hil.configuration.sensor import has_own_sensor
from hil.configuration.workspace_stamp import workspace_stamp
from hil.loop.inside_setting import start_mobility
from hil.wrench.force_path import FORCE_PATH_WARNING, force_path_ratio

CHECKED = "wrench_checked"  # the order that tells the judge what is known of the check of the wrench
PASSED = "passed"
FORGETS = "forgets"  # the order that tells the judge why what is known of the arm may be lost
FORGETFUL = "a real arm moves only where its state outlives the run"
SIGN_AND_FRAME = {"wrench_sign", "wrench_frame"}
OF_A_SENSOR = {
    *("sign", "position_mm", "rotvec_deg", "force_counts_per_n", "torque_counts_per_n_m"),
    *("overload_force_n", "overload_torque_n_m"),
}
NOT_CHECKED = (
    "the wrench was not checked with this load, tool, sign, frame and controller (`zerog check-wrench "
    "CONFIG --weight-kg M` until all is ok)"
)


@dataclass(frozen=True)
class Lack:
    """One thing that a configuration lacks before a real arm may move.

    Attributes:
        key: of `[fri.override]`, under which it can be set aside.
        what: is lacking, with the remedy.
        reason: for which it is set aside; empty: it is not.
    """

    key: str
    what: str
    reason: str


def lacks(c: Configuration, wrench_checked: bool) -> tuple[Lack, ...]:
    """Return what a configuration lacks before a real arm may move; nothing for an emulated one.

    Args:
        c: the run's.
        wrench_checked: `zerog check-wrench` has passed for what `wrench_stamp` is made of.
    """
    if c.robot.kind != "fri":
        return ()
    found = {
        "stops": _stops(c),
        "certificate": _certificate(c),
        "force_path": _force_path(c),
        "wrench_reading": _wrench_reading(c),
        "wrench_check": "" if wrench_checked else NOT_CHECKED,
    }
    return tuple(Lack(key, what, getattr(c.fri.override, key)) for key, what in found.items() if what)


def overrides(c: Configuration) -> list[str]:
    """Return what a configuration sets aside for a real arm, with the reasons, a sentence each."""
    if c.robot.kind != "fri":
        return []
    given = ((key, getattr(c.fri.override, key)) for key in type(c.fri.override).model_fields)
    return [f"fri.override.{key}: {reason}" for key, reason in given if reason]


class RealArm:
    """Knows what a run's configuration lacks, and so why no motion may begin."""

    def __init__(self, configuration: Configuration) -> None:
        self._c = configuration
        self.forgets = ""  # why what a run leaves for the next one may be lost
        self.heard(False)

    def heard(self, wrench_checked: bool) -> None:
        """Take note of whether the check of the wrench has passed for this configuration."""
        self.wrench_checked = wrench_checked
        found = lacks(self._c, wrench_checked)
        self._lacking = [lack.what for lack in found if not lack.reason]
        self._set_aside = [f"{lack.key} ({lack.reason})" for lack in found if lack.reason]

    @property
    def refusal(self) -> str:
        """Why no motion may begin; empty if one may."""
        if not self._missing:
            return ""
        return "a real arm moves only on a checked configuration. Lacking: " + "; ".join(self._missing)

    @property
    def _missing(self) -> list[str]:
        """What lacks, and what nobody can set aside."""
        forgets = f"a folder for its state that lasts, run.state_directory ({self.forgets})"
        return self._lacking + ([forgets] if self.forgets and self._c.robot.kind == "fri" else [])

    def status(self) -> dict[str, Any]:
        """Return as plain values what lacks, and what is set aside."""
        return {"lacking": self._missing, "overridden": self._set_aside}


def _stops(c: Configuration) -> str:
    if c.stops.enabled:
        return ""
    return "stops.enabled = false, so nothing bounds the object (set it to true, with certified stops)"


def _certificate(c: Configuration) -> str:
    if not c.stops.enabled or c.stops.certified == workspace_stamp(c):
        return ""
    return "these stops are not certified (`zerog workspace CONFIG`, then stops.certified as it prints)"


def _force_path(c: Configuration) -> str:
    ratio = force_path_ratio(c, start_mobility(c))
    if ratio <= FORCE_PATH_WARNING:
        return ""
    return (
        f"the force path's ratio {ratio:.3f} is above {FORCE_PATH_WARNING:g} (a heavier object, a lighter "
        "mock-up, or better load data and a smaller mockup.uncompensated)"
    )


def _wrench_reading(c: Configuration) -> str:
    table, wanted, given = "fri", SIGN_AND_FRAME, c.fri.model_fields_set
    if has_own_sensor(c):
        table, wanted = "sensor", OF_A_SENSOR
        given = {key for key, field in c.sensor.keys().items() if field in c.sensor.model_fields_set}
    missing = sorted(wanted - given)
    if not missing:
        return ""
    keys = " and ".join(f"{table}.{key}" for key in missing)
    return f"{keys} not written down, and a real arm has no default (`zerog check-wrench` tells which)"
