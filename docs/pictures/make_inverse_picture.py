"""Draw the inverse kinematics beside their peers: the base moment, a path through the border of reach.

python -m docs.pictures.make_inverse_picture
"""

from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np
from matplotlib.axes import Axes

from bench.inverse_cases import (
    REACH,
    SHOULDER,
    START,
    STEP,
    STRETCH_START,
    arm,
    reference_path,
    stretched_path,
)
from bench.inverse_lagrange import MOMENT, followed, motion_of
from bench.inverse_peers import lagrange, on_path, passive, pink_peer, slsqp
from hil.common.arrays import Array
from planner.inverse.lagrange import LagrangeInverse
from planner.inverse.passive_chain import PassiveChain
from sim.assembly.manipulator import Manipulator
from sim.chain.dynamics import inverse_dynamics
from sim.chain.kinematics import tip_pose

PICTURE = Path(__file__).parent / "inverse.png"


def draw_moments(axes: Axes, manipulator: Manipulator) -> None:
    """Draw the base's moment along the reference path, by criterion."""
    cases = {
        "speed": (("speed",), (1.0,)),
        "base moment and a little speed": (("base", "speed"), (MOMENT, 1e-2)),
    }
    for name, (criteria, weights) in cases.items():
        inverse = LagrangeInverse(manipulator.chain, criteria=criteria, weights=weights, q_ref=START)
        q, dq, ddq = motion_of(followed(inverse, reference_path())[0], START)
        moments = [
            inverse_dynamics(manipulator.chain, *state, np.zeros(3), np.zeros(6))[1][3:]
            for state in zip(q, dq, ddq, strict=True)
        ]
        axes.plot(STEP * np.arange(len(q)), np.linalg.norm(moments, axis=1), label=name)
    axes.set(title="Reference path: moment on the base", xlabel="t [s]", ylabel="N m")
    axes.legend()


def draw_stretch(errors: Axes, speeds: Axes, manipulator: Manipulator) -> None:
    """Draw errors and joint speeds on the path that leaves reach."""
    path = stretched_path(manipulator.chain)
    t = STEP * np.arange(1, len(path))
    beyond = np.linalg.norm(path[1:, :3, 3] - SHOULDER, axis=1) > REACH
    peers = {"lagrange": lagrange, "passive chain": passive, "pink": pink_peer, "SLSQP": slsqp}
    for name, make in peers.items():
        q = on_path(manipulator, make(manipulator), path, STRETCH_START)["q"]
        style = "--" if name == "passive chain" else "-"
        away = [distance(manipulator, joints, T) for joints, T in zip(q[1:], path[1:], strict=True)]
        errors.semilogy(t, np.maximum(away, 1e-10), style, label=name)
        speeds.semilogy(t, np.maximum(np.abs(np.diff(q, axis=0)).max(axis=1) / STEP, 1e-2), style, label=name)
    for axes in (errors, speeds):
        axes.axvspan(t[beyond][0], t[beyond][-1], color="0.9", label="position out of reach")
        axes.set_xlabel("t [s]")
    errors.set(title="Out of reach and back: distance from the target", ylabel="m")
    speeds.set(title="Out of reach and back: fastest joint", ylabel="rad/s")
    errors.legend(fontsize=8)


def distance(manipulator: Manipulator, q: Array, T: Array) -> float:
    """Return the tip's distance from a target [m]."""
    return float(np.linalg.norm(tip_pose(manipulator.chain, q)[:3, 3] - T[:3, 3]))


def draw_knobs(axes: Axes, manipulator: Manipulator) -> None:
    """Draw how far joints move to a target as one joint's mass or friction in the passive chain grows."""
    T = tip_pose(manipulator.chain, STRETCH_START).copy()
    T[:3, 3] += [0.05, 0.2, -0.05]
    factors = np.geomspace(1.0, 1e4, 25)
    for knob, usual, style in (("masses", 1e-4, "-"), ("frictions", 1.0, "--")):
        moves = []
        for factor in factors:
            values = np.full(7, usual)
            values[2] *= factor
            inverse = PassiveChain(manipulator.chain, **{knob: values})
            moves.append(np.abs(inverse.solve(T, STRETCH_START).q - STRETCH_START))
        for joint, colour in ((0, "C0"), (2, "C1"), (4, "C2")):
            label = f"joint {joint + 1}, {knob[:-1] if knob == 'frictions' else 'mass'} of joint 3"
            axes.semilogx(factors, np.array(moves)[:, joint], style, color=colour, label=label)
    axes.set(
        title="Passive chain: knobs steer the redundancy", xlabel="factor", ylabel="way of the joint [rad]"
    )
    axes.legend(fontsize=7)


def main() -> None:
    """Write the picture."""
    manipulator = arm()
    figure, axes = plt.subplots(2, 2, figsize=(12.0, 8.0), constrained_layout=True)
    draw_moments(axes[0, 0], manipulator)
    draw_knobs(axes[0, 1], manipulator)
    draw_stretch(axes[1, 0], axes[1, 1], manipulator)
    figure.savefig(PICTURE, dpi=80)


if __name__ == "__main__":
    main()
