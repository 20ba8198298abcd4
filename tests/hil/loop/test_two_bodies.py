"""Two free bodies collide, both measured: the arm's object, and a port with mass and a sensor of its own."""

from pathlib import Path

import numpy as np
import pytest

from hil.analysis.figures.momentum import momentum_errors
from hil.configuration import load_configuration
from hil.loop.lockstep import LockStep

CONTACT = Path(__file__).parents[3] / "configs/contact.toml"
NOISE, MASS = 0.06, 80.0  # [N] of the port's sensor, [kg] of the port


@pytest.mark.parametrize("foot_mm", [(0.0, 0.0), (60.0, -40.0)])
def test_both_momenta_are_kept_within_noise(foot_mm: tuple[float, float]) -> None:
    """Straight, and off the centre: the object's by the loop, the port's by its sensor and by its speed."""
    c = load_configuration(
        CONTACT,
        [
            f"port.mass_kg={MASS}",
            "port.point_mm=[947, 0, 150]",
            f"port.feet_mm=[[{foot_mm[0]}, {foot_mm[1]}, 150]]",
            f"port.sensor_noise_n={NOISE}",
            "port.sensor_noise_torque_n_m=0.01",
            "emulator.wrench.motion_noise=false",
        ],
    )
    loop = LockStep(c)
    trace = loop.run(1.0)
    assert not loop.fault
    ((linear, angular),) = momentum_errors(trace)
    touched = trace.port_wrench.any(axis=1)
    impulse = abs(np.trapezoid(trace.port_measured[touched, 0], trace.t[touched]))
    noise = NOISE * 0.002 * np.sqrt(touched.sum()) / impulse
    assert 0.3 < impulse and noise < 1e-2
    # beside the noise of both sensors the loop's restitution may err by 0.02
    assert linear < 0.02 + 4.0 * noise and angular < 0.02 + 4.0 * noise
    # the port's own motion says the same as its sensor, but for the damper's jump between two samples
    jump = c.port.damping * 0.02 * 0.002
    assert MASS * trace.v_world_port[-1, 0] == pytest.approx(impulse, abs=4.0 * noise * impulse + jump)
    assert np.abs(trace.v_world_port[-1, 1:]).max() < 1e-12
    spin = np.linalg.norm(trace.twist_world_object_sim[-1, 3:])
    assert (spin > 0.01) == (foot_mm != (0.0, 0.0))
