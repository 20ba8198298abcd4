"""What a configuration may say about the base that carries the arm: none, a rail, or a platform."""

import math
from typing import Annotated, Literal

from hil.common.arrays import Array
from hil.configuration.quantities import Quantity, Section


class EmulatedBase(Section):
    """What the emulated base does otherwise than told, and how badly its pose is known. In: emulator."""

    delay: Annotated[float | None, Quantity("ms", ge=0.0, le=500.0)] = None
    """Its real dead time. Absent: as `base.delay_ms` has it."""
    lag: Annotated[float | None, Quantity("ms", ge=0.0, le=500.0)] = None
    """Its real lag of first order. Absent: as `base.lag_ms` has it."""
    slip: Annotated[float, Quantity(ge=0.0, le=0.2)] = 0.01
    """Share by which it goes farther, or less far, than its wheels turn."""
    noise: Annotated[float, Quantity("mm_s", ge=0.0, le=50.0)] = 0.003
    """Of its speed on each axis, root mean square; in radians a second of the heading likewise."""
    pose_noise: Annotated[float, Quantity("mm", ge=0.0, le=20.0)] = 0.0002
    """White noise of the place that is measured from outside."""
    heading_noise: Annotated[float, Quantity("deg", ge=0.0, le=2.0)] = 0.0003
    """White noise of the heading that is measured from outside."""
    pose_delay: Annotated[float, Quantity("ms", ge=0.0, le=200.0)] = 0.02
    """By which a measured pose comes late."""
    link_mass_error: Annotated[float, Quantity(ge=-0.5, le=0.5)] = 0.0
    """Share by which the emulated arm's links are heavier than its model says."""


class Base(Section):
    """What carries the arm: nothing, a rail, or a platform that drives in the plane and turns.

    It begins at the world's origin; `robot.mount_position_mm` places the arm on it. Its path follows from
    the predicted object (docs/understand/moving_base.md). In: sim, driver, planner, emulator.
    """

    kind: Literal["none", "rail", "platform"] = "none"
    """`none`: the arm stands; `rail`: one straight line; `platform`: x, y and heading."""
    vehicle: Literal["emulated", "outside"] = "emulated"
    """Who is the vehicle of `zerog run`: a process of the run, or an outside program on its topics
    (docs/use/own/vehicle.md)."""
    axis_yaw: Annotated[float, Quantity("deg", ge=-180.0, le=180.0)] = 0.5 * math.pi
    """Direction of a rail from world x."""
    max_speed: Annotated[float, Quantity("mm_s", gt=0.0, le=5000.0)] = 0.5
    """Its largest speed, in any direction."""
    max_acceleration: Annotated[float, Quantity("mm_s2", gt=0.0, le=5000.0)] = 0.5
    """Its largest acceleration, in any direction."""
    max_turn: Annotated[float, Quantity("deg_s", gt=0.0, le=180.0)] = 0.5
    """Largest rate of its heading."""
    max_turn_acceleration: Annotated[float, Quantity("deg_s2", gt=0.0, le=360.0)] = 0.5
    """Largest acceleration of its heading."""
    delay: Annotated[float, Quantity("ms", ge=0.0, le=500.0)] = 0.1
    """Dead time from a command to the wheels, as identified."""
    lag: Annotated[float, Quantity("ms", ge=0.0, le=500.0)] = 0.08
    """Time constant with which its speed then follows, as identified."""
    floor: Annotated[Array | None, Quantity("mm", length=2, rows=True)] = None
    """Two corners of the rectangle that its origin may use, world axes; a rail uses what of its line lies
    in it. The object is turned back so that the base stays there. Absent: it is without end."""
    standoff: Annotated[float | None, Quantity("mm", gt=0.0, le=2000.0)] = None
    """How far before the arm's base the object is to be. Absent: as the stops' centre is."""
    deck: Annotated[Array | None, Quantity("mm", length=2, rows=True)] = None
    """Two corners of its deck's upper face, in axes of the vehicle's origin, the smaller one first: the held
    mock-up must be clear of it wherever the stops let it go. Absent: nobody looks. In: dashboard,
    zerog workspace."""
    deck_height: Annotated[float, Quantity("mm", ge=-2000.0, le=2000.0)] = 0.0
    """Of the deck's upper face in the world. In: dashboard, zerog workspace."""
    committed: Annotated[float, Quantity("ms", ge=50.0, le=1000.0)] = 0.3
    """Of its path that a new plan keeps; at least `delay_ms`, `lag_ms` and a period of predictions."""
    heading_reserve: Annotated[float, Quantity("deg", gt=0.0, le=45.0)] = math.radians(9.0)
    """Of `stops.swing_deg`, kept for a platform that turns late; what is left bounds the elevation."""
    correction: Annotated[float, Quantity("rad_s", ge=2.0, le=60.0)] = 20.0
    """Rate of the filter through which the arm takes back what the base does otherwise than planned."""
    pose_source: Literal["odometry", "external"] = "external"
    """Where the base's pose comes from: its own wheels, or one measured outside, which a scene needs."""
    winding: Annotated[float | None, Quantity("deg", ge=90.0, le=36_000.0)] = None
    """How far it may turn from its first heading, each way: a cable. Absent: it has none."""
    emulated: EmulatedBase = EmulatedBase()

    @property
    def reaction(self) -> float:
        """From a command to the speed that it asks for [s]."""
        return self.delay + self.lag

    @property
    def share(self) -> float:
        """Of the straight bounds that one axis may use, so that x and y together keep them."""
        return math.sqrt(0.5) if self.kind == "platform" else 1.0

    def deviation(self, dv: float, dw: float) -> tuple[float, float]:
        """Return how far the object leaves the middle after an unforeseen change of velocity [m], [rad].

        theory: until the committed part is over the base does not answer, then it makes up for the difference
        at its bound: `dv T_c + dv^2 / (2 A)`, and likewise of the heading.
        """
        T, A, A_turn = self.committed, self.share * self.max_acceleration, self.max_turn_acceleration
        return dv * T + dv**2 / (2.0 * A), dw * T + dw**2 / (2.0 * A_turn)

    def change_within(self, place: float, heading: float) -> tuple[float, float]:
        """Return the changes of velocity whose deviations are these: the inverse of `deviation`."""
        T, A, A_turn = self.committed, self.share * self.max_acceleration, self.max_turn_acceleration
        straight = A * (math.sqrt(T**2 + 2.0 * place / A) - T)
        return straight, A_turn * (math.sqrt(T**2 + 2.0 * heading / A_turn) - T)
