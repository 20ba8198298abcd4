"""Chains for tests of the inverse kinematics: the light-weight arm's dimensions, and others."""

import numpy as np

from sim.chain.serial_chain import SerialChain, serial_chain

LIMITS = np.radians([170.0, 120.0, 170.0, 120.0, 170.0, 120.0, 170.0])
HOME = np.array([0.0, 0.5, 0.0, 1.2, 0.0, 0.8, 0.0])
SHOULDER, REACH = np.array([0.0, 0.0, 0.31]), 0.868  # [m]
X, Y, Z = np.eye(3)


def moved(*p: float) -> np.ndarray:
    """A pose (4, 4) without a turn."""
    T = np.eye(4)
    T[:3, 3] = p
    return T


def chain_of(
    kinds: str, axes: list[np.ndarray], placements: list[np.ndarray], tip: np.ndarray
) -> SerialChain:
    """Joints R or P; all bodies are rods of 2 kg."""
    n = len(kinds)
    inertias = [np.diag([0.02, 0.02, 0.004])] * (n + 1)
    centres = [np.array([0.0, 0.0, 0.1])] * (n + 1)
    return serial_chain(
        [kind == "P" for kind in kinds], placements, axes, tip, [2.0] * (n + 1), centres, inertias
    )


def light_weight_arm() -> SerialChain:
    """Seven joints that turn; 310, 400, 390 and 78 mm."""
    placements = [moved(0, 0, h) for h in (0.31, 0.0, 0.2, 0.2, 0.195, 0.195, 0.0)]
    return chain_of("RRRRRRR", [Z, Y, Z, Y, Z, Y, Z], placements, moved(0, 0, 0.078))


def arm_on_a_rail() -> SerialChain:
    """The light-weight arm on two slides: nine joints, two of them linear."""
    arm = light_weight_arm()
    axes = [X, Y, *arm.axes]
    return chain_of("PPRRRRRRR", axes, [np.eye(4), np.eye(4), *arm.placements], arm.T_last_tip)


def selective_arm() -> SerialChain:
    """Four joints: turn, turn, slide, turn, all about or along z."""
    placements = [moved(0, 0, 0.4), moved(0.3, 0, 0), moved(0.25, 0, 0), np.eye(4)]
    return chain_of("RRPR", [Z, Z, Z, Z], placements, moved(0, 0, -0.1))


def gantry() -> SerialChain:
    """Three slides."""
    return chain_of("PPP", [X, Y, Z], [np.eye(4)] * 3, np.eye(4))
