"""A planner that has gone mad: smooth plans, every joint within its limits, that the object may not follow.

To what was planned a drift of the joints is added, from rest and ever on. It moves the object faster than
certified, or slowly out of the certified set. Joint limits know of neither.
"""

from dataclasses import replace

import numpy as np

from hil.common.arrays import Array
from hil.common.time_map import object_time_at
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.messaging.messages import Plan
from hil.trials.soak.faults import Fault
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import jacobian
from planner.kinematics.pseudo_inverse import joint_velocity_for

FAST, OUTSIDE = "plans too fast", "plans leave the set"
RAMP = 0.3  # [s] in which the drift gains its speed
FACTOR = {FAST: (2.5, 8.0), OUTSIDE: (0.3, 0.7)}  # on the certified speed, from least to most
SHARE = 0.8  # of the joints' speeds, at most


class ImpossiblePlanner:
    """Leads plans astray while such a fault is active."""

    def __init__(self, configuration: Configuration, model: ArmModel, rng: np.random.Generator) -> None:
        """Draw directions from `rng`."""
        self._rng, self._model = rng, model
        self._speed, self._velocity = configuration.stops.max_speed, np.array(configuration.limits.velocity)
        self._T_flange_object = Frames.from_configuration(configuration).T_flange_object
        self._fault: Fault | None = None
        self._since_ns = 0
        self._drift = np.zeros(7)

    def spoiled(self, plan: Plan, active: dict[str, Fault]) -> Plan:
        """Return the plan, led astray if it is to be."""
        fault = active.get(FAST) or active.get(OUTSIDE)
        if fault is None:
            return plan
        if fault is not self._fault:
            self._fault, self._since_ns, self._drift = fault, plan.t_ns, self._drawn(plan.q[0], fault)
        now, _, _ = object_time_at(np.array(plan.time_map), 0.0)
        since = 1e-9 * (plan.t_ns - self._since_ns) + plan.object_time_0 - now
        t = np.asarray(since + plan.step * np.arange(len(plan.q)), np.float64)
        way, rate, slew = (part * self._drift for part in drift(t))
        return replace(plan, q=plan.q + way, dq=plan.dq + rate, ddq=plan.ddq + slew)

    def _drawn(self, q: Array, fault: Fault) -> Array:
        """Return a joint velocity that moves the object in a direction of the world, (7,) [rad/s]."""
        least, most = FACTOR[fault.kind]
        twist = np.append(self._rng.normal(size=3), np.zeros(3))
        twist *= self._speed * (least + fault.size * (most - least)) / np.linalg.norm(twist)
        J = jacobian(self._model.geometry, np.array(q), self._T_flange_object)
        velocity = joint_velocity_for(J, twist, self._velocity)
        return velocity * min(1.0, SHARE * float((self._velocity / np.abs(velocity)).min()))


def drift(t: Array) -> tuple[Array, Array, Array]:
    """Return way, rate and slew of a unit drift since time zero, each (N, 1), for `t` (N,) [s]."""
    t = np.clip(t, 0.0, None)[:, None]
    x = np.clip(t / RAMP, 0.0, 1.0)
    way = np.where(t < RAMP, RAMP * x**3 * (1.0 - 0.5 * x), t - 0.5 * RAMP)
    rate = x**2 * (3.0 - 2.0 * x)
    return way, rate, np.where(t < RAMP, 6.0 * x * (1.0 - x) / RAMP, 0.0)
