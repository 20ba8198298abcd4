"""What a driven arm shows of itself."""

from hil.common.arrays import Array
from sim.chain.kinematics import tip_pose
from sim.chain.serial_chain import SerialChain
from sim.drives.base import Base
from sim.drives.state import States


class ArmReadings:
    """Readings of an arm's state; each a copy, of the last step's end, forces and voltages of its middle."""

    dt: float
    _arm: SerialChain
    _base: Base
    _states: States
    _steps: int

    @property
    def joints(self) -> int:
        """How many joints there are."""
        return len(self._states)

    @property
    def t(self) -> float:
        """Time since the beginning [s]."""
        return self._steps * self.dt

    @property
    def q(self) -> Array:
        """Joint positions [rad, m], shape (n,)."""
        return self._states["q"].copy()

    @property
    def dq(self) -> Array:
        """Joint speeds [rad/s, m/s], shape (n,)."""
        return self._states["dq"].copy()

    @property
    def motor_angle(self) -> Array:
        """Angles of the rotors [rad], shape (n,)."""
        return self._states["theta"].copy()

    @property
    def motor_speed(self) -> Array:
        """Speeds of the rotors beside what carries them [rad/s], shape (n,)."""
        return self._states["omega"].copy()

    @property
    def torque(self) -> Array:
        """What passes the gears, as the torque sensors measure it [N m, N], shape (n,)."""
        return self._states["torque"].copy()

    @property
    def current(self) -> Array:
        """Currents of the motors [A], shape (n,)."""
        return self._states["current"].copy()

    @property
    def winding_k(self) -> Array:
        """Windings above ambient [K], shape (n,)."""
        return self._states["winding"].copy()

    @property
    def housing_k(self) -> Array:
        """Housings above ambient [K], shape (n,)."""
        return self._states["housing"].copy()

    @property
    def power(self) -> Array:
        """Electrical power that each drive takes [W], shape (n,); negative: it gives back."""
        return self._states["power"].copy()

    @property
    def base_wrench(self) -> Array:
        """What the base is given from outside, a floating one by the satellite; see `Base`, (6,)."""
        return self._base.wrench.copy()

    @property
    def T_base_tip(self) -> Array:
        """Pose of the tip in the base, shape (4, 4)."""
        return tip_pose(self._arm, self._states["q"].copy())

    @property
    def T_world_base(self) -> Array:
        """Pose of the base in the world, shape (4, 4)."""
        return self._base.pose.copy()

    @property
    def base(self) -> Base:
        """The base's state; a copy."""
        return Base(*(part.copy() for part in self._base))
