"""What a configuration's bodies inside come to, in words.

Whose mass is meant, frequencies, what the arm is asked.
"""

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import ConfigurationError
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.configuration.tables.inside import MASS_MEANS, Inside
from hil.wrench.held_body import object_axes
from planner.kinematics.arm_model import ArmModel
from planner.kinematics.forward import jacobian
from sim.world.flight.inside import InsideFlight
from sim.world.flight.inside_setting import inside_flight
from sim.world.flight.modal import ModalFlight


def inside_in_words(c: Configuration, arm: ArmModel) -> list[str]:
    """Return lines on the bodies inside a configuration's object; none if it is rigid.

    Raises:
        ConfigurationError: they are refused, or a push of 1 N s asks more of the arm's joints than they can.
    """
    inside = c.object.inside
    if inside is None:
        return []
    flight = inside_flight(c)
    row = np.zeros(flight.row_size)
    flight.start_into(row, np.zeros(3), np.array([1.0, 0.0, 0.0, 0.0]), np.zeros(6))
    return [*_masses(c, inside, flight, row), *_frequencies(inside, flight), *_asked(c, arm, flight)]


def _masses(c: Configuration, inside: Inside, flight: InsideFlight, row: Array) -> list[str]:
    body, W = c.object, flight.mobility(row)
    centre = _joined(1e3 * flight.momentum(row)[0], "mm")
    answers = 1.0 / np.diag(W)
    return [
        f"inside: {inside.kind}; object.mass_kg = {body.mass:g} and object.inertia_kg_m2 are "
        f"{MASS_MEANS[inside.kind]}",
        f"inside: all bodies together weigh {flight.mass:.4g} kg; at the start their centre is at "
        f"{centre} in the "
        "object's frame",
        "inside: at the start the object answers a fast push on its frame like "
        f"{_joined(answers[:3], 'kg')} along "
        f"its axes and {_joined(answers[3:], 'kg m2')} about them",
    ]


def _frequencies(inside: Inside, flight: InsideFlight) -> list[str]:
    """Return cantilever and free frequencies side by side."""
    omega, _ = flight.vibrations()
    hertz = omega / (2.0 * np.pi)
    if isinstance(flight, ModalFlight):
        modes, (_, damping, _) = flight.modes, flight.modes.free()
        order = np.argsort(modes.omega)
        return [
            f"inside: {modes.names[k]}: cantilever {modes.omega[k] / (2.0 * np.pi):.5g} Hz, damping "
            f"{100.0 * modes.damping[k]:.3g} %; in the free object {free:.5g} Hz, {100.0 * z:.3g} %"
            for k, free, z in zip(order.tolist(), hertz, damping, strict=True)
        ]
    lines = [
        f"inside: panel[{k}]: cantilever {panel.frequency:.5g} Hz, damping {100.0 * panel.damping:.3g} %"
        for k, panel in enumerate(inside.panel)
    ]
    return lines + ([f"inside: the free object vibrates at {_joined(hertz, 'Hz')}"] if len(hertz) else [])


def _asked(c: Configuration, arm: ArmModel, flight: InsideFlight) -> list[str]:
    """Return what vibrations after a push of 1 N s ask of the arm's joints at the start pose.

    Raises:
        ConfigurationError: more than they can.
    """
    omega, shapes = flight.vibrations()
    if not len(omega):
        return []
    frames, q = Frames.from_configuration(c), np.array(c.robot.start)
    J = jacobian(arm.geometry, q, np.array(frames.T_flange_object))
    turn = np.kron(np.eye(2), object_axes(arm.geometry, q, np.array(frames.T_flange_object)))
    most, at, worst = 0.0, 0, np.zeros(7)
    for push in np.eye(6)[:3]:
        twists = turn @ (shapes * (omega * (shapes.T @ push)))
        asked = np.abs(np.linalg.pinv(J) @ twists).sum(axis=1)
        share = asked / c.limits.acceleration
        if share.max() > most:
            most, at, worst = float(share.max()), int(share.argmax()), asked
    if most == 0.0:
        return []
    limit = float(c.limits.acceleration[at])
    told = (
        f"a push of 1 N s asks up to {worst[at]:.3g} rad/s2 of joint {arm.names[at]!r} by vibrations, "
        f"{100.0 * most:.3g} % of limits.acceleration_rad_s2 = {limit:g}"
    )
    if most > 1.0:
        raise ConfigurationError(
            f"object.inside: {told}: more than the arm can follow; write softer or lighter panels, tanks "
            "or modes"
        )
    return [f"inside: {told}"]


def _joined(values: Array, unit: str) -> str:
    return f"{', '.join(f'{value:.4g}' for value in values)} {unit}"
