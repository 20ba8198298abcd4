"""What the plan in use lacks: pushes that it has not heard of, and what a base does otherwise. Pure."""

import numpy as np

from drivers.fri.session import FriSample
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.base_rules import object_caps
from hil.configuration.frames import Frames
from hil.loop.carried.carried_arm import CarriedArm
from hil.loop.driver.live_slices import LiveSlices
from hil.loop.driver.short_cut import missing_in_base
from hil.loop.driver.touching import Touching
from planner.kinematics.arm_model import ArmModel


class Lacking:
    """Puts together what is to be added to a plan."""

    def __init__(
        self,
        configuration: Configuration,
        model: ArmModel,
        live: LiveSlices,
        touching: Touching | None,
        carried: CarriedArm | None,
    ) -> None:
        """Look at the pushes of `live`, at a real contact if there is one, and at a base if there is one."""
        self._geometry, self._caps = model.geometry, object_caps(configuration)
        self._T_flange_object = Frames.from_configuration(configuration).T_flange_object
        self._short_cut = configuration.interpolation.short_cut
        self._live, self._touching, self._carried = live, touching, carried

    def warm(self) -> None:
        """Compile or load the kernel."""
        q, nothing = np.zeros(7), np.zeros((3, 6))
        missing_in_base(self._geometry, q, self._T_flange_object, nothing, q, self._caps, np.zeros(6))

    def at(self, sample: FriSample, lead: float, planned: Array) -> tuple[Array | None, Array | None]:
        """Return what the plan lacks (3, 6) and the Jacobian for it, both in base axes; None for nothing.

        Args:
            sample: the newest.
            lead: look-ahead of the command [s].
            planned: the plan's joint velocity then [rad/s], shape (7,).
        """
        missing = None
        if self._short_cut:
            missing = self._live.missing(sample.t_ns, sample.t_ns + round(1e9 * lead))
            missing = missing if self._touching is None else self._touching.led(missing, lead)
        if missing is None and self._carried is None:
            return None, None
        held, twist = None, np.zeros(6)
        if self._carried is not None:
            held, twist = self._carried.carried(sample.t_ns, lead, sample.q_measured)
        lacks, J = missing_in_base(
            *(self._geometry, sample.q_measured, self._T_flange_object),
            *(np.zeros((3, 6)) if missing is None else missing, planned, self._caps, twist),
        )
        return (lacks if held is None else lacks + held), J
