"""Whether floating may begin from where, and as, the arm holds the object; how far that is from the stops."""

import math
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.schema import Stops
from hil.configuration.shared import BEGINS, TURNED
from hil.loop.initial_motion import initial_twist
from hil.loop.judging.held_pose import HeldPose
from hil.loop.judging.outside_set import Place, outside_set, place_of
from hil.loop.judging.posture import Posture
from hil.messaging.messages import RobotState

NOTHING: dict[str, Any] = {
    "stops_inside": None,
    "stops_words": "",
    "stops_mm": None,
    "stops_swing_deg": None,
    "stops_twist_deg": None,
    "float_refused": "",
    "motion_refused": "",
}
STANDING = (0.0,) * 6


class Entrance:
    """The door from READY to FLOATING. Without stops, or where no arm follows, it is always open."""

    def __init__(self, configuration: Configuration) -> None:
        """Prepare to judge.

        Raises:
            RobotModelError: the arm's model cannot be used.
        """
        self._c = configuration
        judged = configuration.stops.enabled and configuration.run.follow
        self._held = HeldPose(configuration) if judged else None
        self._posture = Posture(configuration)
        self._told: tuple[tuple[bytes, int], dict[str, Any]] = ((b"", 0), NOTHING)

    def refusal(self, robot: RobotState | None, epoch: int, twist: tuple[float, ...]) -> str:
        """Return why floating may not begin; empty if it may.

        Args:
            robot: the driver's newest state: floating begins at its commanded pose.
            epoch: number of the floating that would begin.
            twist: asked for by an operator, world axes [m/s, rad/s]; empty: as configured.
        """
        if self._held is None:
            return ""
        if robot is None:
            return "it is not known where the arm holds the object"
        p, quat = self._held.at(robot.q_command)
        asked: Array = np.array(twist) if twist else initial_twist(self._c, epoch, p)
        found = outside_set(p, quat, asked, self._c.stops, self._c.object)
        place = place_of(p, quat, self._c.stops)
        return "; ".join(
            filter(
                None,
                (
                    "" if found is None else found.words(),
                    self._posture.fault(robot.q_command, place.twisted),
                    "" if self._c.shared is None else off_middle(self._c.stops, place),
                ),
            )
        )

    def status(self, robot: RobotState | None, epoch: int) -> dict[str, Any]:
        """Return as plain values how far the held object is beyond the stops (negative: within them).

        Args:
            robot: the driver's newest state.
            epoch: number of the floating that would begin.
        """
        if self._held is None or robot is None:
            return NOTHING
        key = robot.q_command.tobytes(), epoch
        if self._told[0] != key:
            place = place_of(*self._held.at(robot.q_command), self._c.stops)
            self._told = (
                key,
                {
                    "stops_inside": place.inside,
                    "stops_words": place.words(),
                    "stops_mm": [round(1e3 * depth, 2) for depth in place.box],
                    "stops_swing_deg": round(math.degrees(place.swing), 3),
                    "stops_twist_deg": round(math.degrees(place.twist), 3),
                    "float_refused": self.refusal(robot, epoch, ()),
                    "motion_refused": self.refusal(robot, epoch, STANDING),
                },
            )
        return self._told[1]


def off_middle(stops: Stops, place: Place) -> str:
    """Return that one of two arms would begin too far off the middle of its set, if it would."""
    half = stops.half_extent.tolist()
    off = math.hypot(*(depth + reach for depth, reach in zip(place.box, half, strict=True)))
    turned = max(place.swing + stops.swing, abs(place.twisted))
    if off <= BEGINS and turned <= TURNED:
        return ""
    return (
        f"the object is held {1e3 * off:.0f} mm and {math.degrees(turned):.1f} deg off the middle of its "
        f"set, {1e3 * BEGINS:g} mm and {math.degrees(TURNED):g} deg at most where two arms share a motion: "
        "bring the arm back to its start (`zerog approach`)"
    )
