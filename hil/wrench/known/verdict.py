"""Does the measured wrench have the sign, the frame, the size and the moment that it should? Pure verdicts.

Known forces act on the resting arm one after the other. All four readings of the interface's numbers
(either sign, tool or base axes) are compared with what is known, by the cosine over all forces.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np

from hil.common.arrays import Array

ALIKE = 0.966  # cosine from which on directions agree: 15 degrees
APART = 0.05  # cosines that lie closer cannot be told apart
CAME = 0.5  # of the force: less was none, whatever its direction
SIZE_TOLERANCE = 0.1
LEVER_TOLERANCE = 0.02  # [m]

Reading = tuple[int, str]  # sign and frame


@dataclass(frozen=True, eq=False)
class Probe:
    """One known force and what the interface said of it, changes against the untouched arm.

    Attributes:
        expected: exerted by the environment on the tool, about the tcp, base axes [N, N m], (6,).
        wire: wrench as the interface gives it, before sign and frame are applied, shape (6,).
        torques: what the joint torques make of it, before their sign is applied, about the tcp, base
            axes, shape (6,); None if they are not used.
        R_base_tcp: axes of the tcp, shape (3, 3).
    """

    expected: Array
    wire: Array
    torques: Array | None
    R_base_tcp: Array


@dataclass(frozen=True)
class Finding:
    """One line of the verdict."""

    topic: str
    right: bool
    text: str
    doubtful: bool = False  # right as far as the forces tell, and they cannot tell all


def findings(probes: Sequence[Probe], sign: int, frame: str, torque_sign: int) -> list[Finding]:
    """Return the verdict on the configured reading, one finding a question.

    Args:
        probes: at least one, with forces that are not zero.
        sign: `fri.wrench_sign`.
        frame: `fri.wrench_frame`.
        torque_sign: `fri.torque_sign`.
    """
    cosines = {
        reading: _cosine(probes, [_read(probe, *reading)[:3] for probe in probes])
        for reading in product((1, -1), ("base", "tool"))
    }
    configured = (sign, frame)
    best = max(cosines.values())
    fitting = [reading for reading, c in cosines.items() if c >= max(ALIKE, best - APART)]
    if not fitting:
        came, due = (np.linalg.norm([w[:3] for w in wrenches]) for wrenches in _both(probes))
        if came < CAME * due:
            text = (
                f"the force changed by {came:.1f} N where {due:.1f} N were to come: did the weight hang "
                "before it was asked for, or not hang at all? Take it off, and repeat"
            )
            return [Finding("force", False, text)]
        text = (
            "no sign and no frame explains the forces: an axis is flipped or swapped, or the frames of "
            "[robot] are wrong; find out why before the arm floats"
        )
        return [Finding("axes", False, text), _witness(probes, torque_sign)]
    reading = configured if configured in fitting else fitting[0]
    return [
        *_sign_and_frame(configured, reading, fitting),
        _size(probes, reading),
        _moment(probes, reading),
        _witness(probes, torque_sign),
    ]


def _both(probes: Sequence[Probe]) -> tuple[list[Array], list[Array]]:
    """Return all wrenches as the interface gives them, and as they were exerted."""
    return [probe.wire for probe in probes], [probe.expected for probe in probes]


def _read(probe: Probe, sign: int, frame: str) -> Array:
    """Return the wrench that a reading makes of the interface's numbers, base axes, shape (6,)."""
    R = probe.R_base_tcp if frame == "tool" else np.eye(3)
    return sign * np.concatenate([R @ probe.wire[:3], R @ probe.wire[3:]])


def _cosine(probes: Sequence[Probe], forces: Sequence[Array]) -> float:
    """Return the cosine between measured and expected forces, all probes as one long vector."""
    measured = np.concatenate(forces)
    expected = np.concatenate([probe.expected[:3] for probe in probes])
    size = np.linalg.norm(measured) * np.linalg.norm(expected)
    return float(measured @ expected / size) if size > 0.0 else 0.0


def _sign_and_frame(configured: Reading, reading: Reading, fitting: list[Reading]) -> list[Finding]:
    if reading == configured:
        doubt = len(fitting) > 1
        said = (
            "ok as far as this pose tells: turn the flange by 90 degrees about a level axis and repeat"
            if doubt
            else "ok"
        )
        return [Finding("sign", True, said, doubt), Finding("frame", True, said, doubt)]
    if len(fitting) > 1:
        options = " or ".join(f'wrench_sign = {s}, wrench_frame = "{f}"' for s, f in fitting)
        text = f"wrong: in [fri] set {options}; turn the flange by 90 degrees and repeat to see which"
        return [Finding("sign", False, text)]
    (sign, frame), (its_sign, its_frame) = reading, configured
    return [
        Finding("sign", True, "ok")
        if sign == its_sign
        else Finding("sign", False, f"reversed: set fri.wrench_sign = {sign}"),
        Finding("frame", True, "ok")
        if frame == its_frame
        else Finding("frame", False, f'looks like the other frame: set fri.wrench_frame = "{frame}"'),
    ]


def _size(probes: Sequence[Probe], reading: Reading) -> Finding:
    measured = np.concatenate([_read(probe, *reading)[:3] for probe in probes])
    expected = np.concatenate([probe.expected[:3] for probe in probes])
    gain = float(measured @ expected / (expected @ expected))
    text = f"measured {100 * gain:.0f} % of what acts"
    if abs(gain - 1.0) <= SIZE_TOLERANCE:
        return Finding("magnitude", True, text)
    return Finding(
        "magnitude",
        False,
        f"{text}, allowed are {100 * SIZE_TOLERANCE:.0f} % more or less: check the force and the load data",
    )


def _moment(probes: Sequence[Probe], reading: Reading) -> Finding:
    levers = [
        np.linalg.norm(_read(probe, *reading)[3:] - probe.expected[3:]) / np.linalg.norm(probe.expected[:3])
        for probe in probes
    ]
    off = float(max(levers))
    if off <= LEVER_TOLERANCE:
        return Finding("moment", True, f"ok, the point of attack is off by {1e3 * off:.0f} mm at most")
    return Finding(
        "moment",
        False,
        f"the point of attack is off by {1e3 * off:.0f} mm, allowed are {1e3 * LEVER_TOLERANCE:.0f} mm: "
        "check robot.tcp_position, robot.tcp_rotvec and the controller's tool",
    )


def _witness(probes: Sequence[Probe], torque_sign: int) -> Finding:
    forces = [probe.torques[:3] for probe in probes if probe.torques is not None]
    if torque_sign == 0 or len(forces) < len(probes):
        return Finding("torque witness", True, "not used (fri.torque_sign = 0)")
    cosine = _cosine(probes, forces)
    if torque_sign * cosine >= ALIKE:
        return Finding("torque witness", True, "agrees")
    if torque_sign * cosine <= -ALIKE:
        return Finding("torque witness", False, f"its sign is wrong: set fri.torque_sign = {-torque_sign}")
    return Finding(
        "torque witness",
        False,
        "the joint torques do not show the force: check them, or set fri.torque_sign = 0 and do without",
    )
