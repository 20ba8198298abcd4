"""Trials of what finds drives and skew, on the simple plant: the motion of a calibration, and bounces."""

from dataclasses import dataclass, replace

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.signal import lfilter
from scipy.spatial.transform import Rotation

from bench.contact_plant import LINEAR, Noise, PoseLagPlant
from bench.contact_trials import STEP, Rig, fly_trial, on_its_way, straight_port
from hil.common.arrays import Array
from hil.force.setup import DriveModel
from hil.force.timing.drive_fit import FoundDrive, found_drive
from hil.force.timing.skew import FoundSkew, found_skew
from hil.force.timing.spring import Loop, SpringSkew, closed_loop, compression, spring_skew
from hil.loop.calibration.shape import shape
from hil.wrench.load.held_motion import raw_motion
from hil.wrench.load.inertial import Acceleration, regressor

CAP_SPEED, CAP_SPIN = 0.114, 0.37  # [m/s, rad/s] of the calibration's motion within the shipped stops
LEVER = 0.3  # [m] that a turn counts for beside a way, in the fit of the drives
EDGE = 0.3  # [m] of the mock-up
BOUNCES = 4
STANDS = 60  # cycles before the motion and after it


@dataclass(frozen=True)
class Sent:
    """What a plant is told to do: as much of a contact loop's state as it looks at."""

    led_p: Array
    led_quat: Array
    in_contact: bool = False


def calibration_path() -> tuple[Array, Array]:
    """Return centres [m] (n, 3) and turns from the first attitude (n, 3) [rad] of a calibration."""
    path = shape(STEP)[0]
    path = np.concatenate([np.zeros((STANDS, 6)), path, np.zeros((STANDS, 6))])
    return CAP_SPEED * path[:, :3], CAP_SPIN * path[:, 3:]


def drive_by_motion(dead_time: float, lag: float, damping: float, noise: Noise, seed: int) -> FoundDrive:
    """Return what the motion shows of a plant with these drives; the command's one cycle is not counted."""
    plant = PoseLagPlant(straight_port(0.0, 0.0, law=LINEAR), STEP, dead_time, lag, damping, noise, seed)
    p, turns = calibration_path()
    still = np.array([1.0, 0.0, 0.0, 0.0])
    plant.start(p[0] + [0.0, 0.0, 1.0], still, np.zeros(6))
    sent, seen = np.hstack([p, LEVER * turns]), np.zeros((len(p), 6))
    for k in range(len(p)):
        at, quat, _, _ = plant.packet()
        seen[k, :3] = at - [0.0, 0.0, 1.0]
        seen[k, 3:] = LEVER * Rotation.from_quat(np.roll(quat, -1)).as_rotvec()
        turned = np.roll(Rotation.from_rotvec(turns[k]).as_quat(), 1)
        plant.command(Sent(p[k] + [0.0, 0.0, 1.0], turned))  # type: ignore[arg-type]
    found = found_drive(sent, seen, STEP)
    return replace(found, dead_time=found.dead_time - STEP, total=found.total - STEP)


def skew_by_motion(skew: float, mass: float, noise: Noise, restless: float, seed: int) -> FoundSkew:
    """Return the skew that a load's inertia shows in a calibration's motion, whose drives are known.

    Args:
        skew: of the wrench [s].
        mass: that the wrench feels [kg].
        noise: of what is measured.
        restless: size of the noise that motion adds, which hangs together over 20 ms [N].
        seed: of noise, and of how the offset depends on the pose.
    """
    rng = np.random.default_rng(seed)
    whole = np.hstack(calibration_path())
    t = STEP * np.arange(len(whole))
    path = CubicSpline(t, whole)
    load = mass * np.array([1.0, 0.0, 0.0, 0.0, *[EDGE**2 / 6.0] * 3, 0.0, 0.0, 0.0])
    before = path(np.maximum(t - skew, 0.0))
    wrench = -regressor(_motion_of(before)) @ load
    gradient = np.vstack([np.linalg.qr(rng.standard_normal((3, 3)))[0] * size for size in (10.0, 2.0)])
    wrench += before[1:-1, :3] @ gradient.T
    wrench += np.repeat([noise.force, noise.torque], 3) * rng.standard_normal(wrench.shape)
    wrench += restless * np.repeat([1.0, 0.2], 3) * _restlessness(rng, wrench.shape)
    prior = np.array([5.0, *[0.75] * 3, *[0.075] * 3, *[0.04] * 3])
    return found_skew(
        -regressor(_motion_of(whole)), whole[1:-1], wrench, STEP, prior, np.zeros(10)
    )  # fmt: skip


def _motion_of(path: Array) -> Acceleration:
    return raw_motion(Rotation.from_rotvec(path[:, 3:]).as_matrix(), path[:, :3], STEP)


def _restlessness(rng: np.random.Generator, size: tuple[int, int]) -> Array:
    """Return noise of unit size that hangs together over 20 ms."""
    kept = np.exp(-STEP / 0.02)
    white = rng.standard_normal(size) * np.sqrt(1.0 - kept**2)
    noise: Array = lfilter([1.0], [1.0, -kept], white, axis=0)
    return noise


def skew_by_bounces(rig: Rig, wT: float, skew: float, seed: int) -> SpringSkew | None:
    """Return the skew that bounces off an undamped port show, whose wrench is late by `skew` [s]."""
    loops = [_bounced(replace(rig, sensor_lag=skew), wT, BOUNCES * seed + k) for k in range(BOUNCES)]
    return spring_skew([loop for loop in loops if loop is not None])


def _bounced(rig: Rig, wT: float, seed: int) -> Loop | None:
    """Let the body bounce once and return what the contact shows."""
    speed = 0.02
    stiffness = rig.mass * (wT / rig.delay) ** 2
    gap = speed * (0.2 + STEP * np.random.default_rng(seed).random())
    plant, p, quat, twist = on_its_way(rig, straight_port(stiffness, 0.0), speed, gap, seed)
    heard: list[tuple[Array, Array]] = []
    hear, told = plant.packet, heard.append

    def packet() -> tuple[Array, Array, Array, bool]:
        at = hear()
        told((at[0], at[2]))
        return at

    plant.packet = packet  # type: ignore[method-assign]
    fly_trial(rig.loop(), plant, p, quat, twist, 0.3 + 5.0 * rig.delay / wT)
    places, wrench = np.array([row[0] for row in heard]), np.array([row[1] for row in heard])
    depth, force = compression(places, np.zeros_like(places), wrench)
    return closed_loop(depth, force - force[:50].mean(), STEP)


def with_drive(rig: Rig, found: FoundDrive) -> Rig:
    """Return the rig whose loop goes by what was found instead of the truth."""
    drive = DriveModel(found.dead_time, found.lag, found.damping)
    return replace(rig, settings={**rig.settings, "drive": drive, "lead": found.total})
