"""A step's slopes, by which its equations are solved, against differences of the equations themselves."""

from dataclasses import replace

import numpy as np
import pytest

from bench.drive_cases import plain_motor
from sim.drives.controllers import Cascade, Impedance
from sim.drives.drive import DriveParameters, packed
from sim.drives.drive_step import Order, electric_at, shaft_at
from sim.drives.friction import Friction
from sim.drives.gear import Gear
from sim.drives.state import STATE

H, OMEGA, TORQUE, Q = 1e-3, 3.0, 5.0, 0.02
GEAR = Gear(10.0, (800.0,) * 3, damping=2.0)
CONTROLLERS = [Cascade(8.0, 0.2, 0.05), Impedance(300.0, 20.0, 4.0), Impedance(300.0, 20.0), None]
ORDER = Order(angle=0.5, speed=2.0, torque=1.0, limit=1e3, resistance=1.2, on=True, carried=0.0)


def drive_of(controller: Cascade | Impedance | None, voltage: float) -> np.void:
    """The record of a drive whose voltage is bounded."""
    motor = plain_motor(1e-3, Friction(viscous=2e-3))
    motor = replace(motor, loop=replace(motor.loop, voltage_max=voltage))
    return packed([DriveParameters(motor, GEAR, controller=controller)])[0]


def moving() -> np.void:
    """A state in which nothing is zero."""
    state = np.zeros(1, STATE)[0]
    state["theta"], state["omega"], state["q"], state["current"] = 0.4, 2.0, 0.01, 0.3
    state["speed_integral"], state["voltage_integral"], state["torque"] = 0.2, 0.5, 4.0
    return state


def difference(f, x: float) -> np.ndarray:
    """Central: exact but for rounding on a piece where all is linear."""
    return (np.array(f(x + 1e-4)) - np.array(f(x - 1e-4))) / 2e-4


@pytest.mark.parametrize("controller", CONTROLLERS, ids=["cascade", "by torque", "impedance", "off"])
@pytest.mark.parametrize(
    ("limit", "voltage"), [(1e3, 1e6), (1e-6, 1e6), (1e3, 1e-3)], ids=["free", "current", "voltage"]
)
def test_slopes_are_those_of_the_equations(
    controller: Cascade | Impedance | None, limit: float, voltage: float
) -> None:
    """Of the current by the rotor's speed and the gear's torque; of the rotor's equation and the torque."""
    d, s = drive_of(controller, voltage), moving()
    order = ORDER._replace(limit=limit, on=controller is not None)
    e = electric_at(d, s, order, OMEGA, TORQUE, H)
    by_omega = difference(lambda x: electric_at(d, s, order, x, TORQUE, H).current, OMEGA)
    by_torque = difference(lambda x: electric_at(d, s, order, OMEGA, x, H).current, TORQUE)
    assert e.by_omega == pytest.approx(by_omega, rel=1e-6, abs=1e-9)
    assert e.by_torque == pytest.approx(by_torque, rel=1e-6, abs=1e-9)
    assert e.free == (controller is not None and limit > 1.0 and voltage > 1.0)
    at = shaft_at(d, s, order, OMEGA, Q, H)
    slopes = difference(lambda x: shaft_at(d, s, order, x, Q, H)[::2], OMEGA)
    np.testing.assert_allclose([at.slope, at.by_omega], slopes[:2], rtol=1e-6, atol=1e-9)
    by_q = difference(lambda x: shaft_at(d, s, order, OMEGA, x, H)[::2], Q)
    np.testing.assert_allclose([at.g_by_q, at.by_q], by_q[:2], rtol=1e-6, atol=1e-9)
