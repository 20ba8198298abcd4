"""Trials of two arms that share a relative motion: the observer's mathematics, and the loop in lock-step."""

from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from hil.configuration.shared_pair import Pair, Touch, load_pair
from hil.loop.shared.flown_pair import bounces, relative_error
from hil.loop.shared.lockstep_shared import LockStepShared
from planner.base.moving_observer import Motion, seen

TOUCH = Path("configs/shared/touch.toml")
INSTANTS = 200
LIGHTER = 40.0  # [kg] of the shipped pair's second body


class Shared(NamedTuple):
    """A run of two bodies beside what two free ones do.

    Attributes:
        place: the mock-ups' relative place off the bodies' [mm].
        restitution: of the noses, less that of the free ones.
        lost: of the common momentum, over the touch's impulse.
        peak: of the force, over the free ones', less 1.
        fault: why it was not done; empty if it was.
    """

    place: float
    restitution: float
    lost: float
    peak: float
    fault: str = ""


def unlike_inertial(seed: int) -> float:
    """Return by what relative pose and twist before random observers are off the inertial ones [m, rad, 1/s].

    Poses and twists have nothing to do with each other here: what is asked for holds for any of them.
    """
    rng = np.random.default_rng(seed)
    observer, first, second = (_frames(rng) for _ in range(3))
    worst = 0.0
    true = _relative(first, second)
    shown = [Motion(*seen(m.p, m.quat, m.twist, observer), m.acceleration) for m in (first, second)]
    for one, other in zip(true, _relative(*shown), strict=True):
        worst = max(worst, float(np.abs(one - other).max()))
    return worst


def _frames(rng: np.random.Generator) -> Motion:
    quat = Rotation.random(INSTANTS, random_state=rng).as_quat(scalar_first=True)
    return Motion(rng.normal(size=(INSTANTS, 3)), quat, *rng.normal(size=(2, INSTANTS, 6)))


def _relative(first: Motion, second: Motion) -> tuple[Array, Array, Array]:
    """Return place, rotation matrix and twist of the second in the first one's axes."""
    R_a, R_b = (Rotation.from_quat(m.quat, scalar_first=True).as_matrix() for m in (first, second))
    r = second.p - first.p
    v = second.twist[:, :3] - first.twist[:, :3] - np.cross(first.twist[:, 3:], r)
    w = second.twist[:, 3:] - first.twist[:, 3:]
    place, turned = np.einsum("nji,nj->ni", R_a, r), np.einsum("nji,njk->nik", R_a, R_b)
    return place, turned, np.hstack([np.einsum("nji,nj->ni", R_a, x) for x in (v, w)])


@cache
def pair(
    v_a: tuple[float, ...], v_b: tuple[float, ...], gap: float, sharing: str, own: tuple[str, ...] = ()
) -> Pair:
    """Return the shipped pair with other velocities [mm/s], noses so far apart [mm], settings of both."""
    mount = 1940.0 + gap
    arms = (
        [f"object.initial_velocity_mm_s={list(v_a)}", *own],
        [
            "run.seed=2", f"robot.mount_position_mm=[{mount},0,0]", "robot.mount_rotvec_deg=[0,0,180]",
            f"stops.centre_mm=[{mount - 790.0},0,150]", "stops.axis_yaw_deg=180",
            f"object.mass_kg={LIGHTER}", "object.inertia_kg_m2=[2,2,2]",
            f"object.initial_velocity_mm_s={list(v_b)}", *own,
        ],
    )  # fmt: skip
    told = (f"{name}.settings={own!r}" for name, own in zip(("first", "second"), arms, strict=True))
    return load_pair(TOUCH, [*told, f"observer.sharing={sharing}"])


def touched(speed: float, sharing: str, own: tuple[str, ...] = ()) -> Shared:
    """Let two bodies that drift along together touch with a relative speed [mm/s]; `own` of both arms."""
    gap = 1.2 * speed
    c = pair((speed, 30.0, 0.0), (0.0, 30.0, 0.0), gap, sharing, own)
    run = LockStepShared(c).run(2.2)
    found = bounces(run)
    if len(found) != 1:
        return Shared(*[float("nan")] * 4, run.ended or f"{len(found)} touches")
    bounce, (after, peak) = found[0], free_bounce(c.shared.touch, found[0].before)
    return Shared(
        1e3 * float(relative_error(run)[0].max()), (bounce.after - after) / bounce.before, bounce.lost,
        bounce.force / peak - 1.0, run.ended,
    )  # fmt: skip


def free_bounce(touch: Touch, closing: float) -> tuple[float, float]:
    """Return with which speed two free bodies part [m/s], and the greatest force [N]; by scipy."""
    m = 1.0 / (1.0 / 60.0 + 1.0 / LIGHTER)

    def force(depth: Array, rate: Array) -> Array:
        size = np.maximum(0.0, touch.stiffness * depth + touch.damping * rate)
        pressed: Array = np.where(depth > 0.0, size, 0.0)
        return pressed

    def rates(_: float, y: Array) -> list[float]:
        return [float(y[1]), -float(force(y[0], y[1])) / m]

    flown = solve_ivp(rates, (0.0, 0.4), [0.0, closing], max_step=1e-4, rtol=1e-9, atol=1e-12).y
    return -float(flown[1, -1]), float(force(*flown).max())


def travelled(sharing: str) -> float:
    """Return over which relative way along x the arms can show two bodies, both directions together [mm]."""
    way = 0.0
    for v in (30.0, -30.0):
        c = pair((v, 0.0, 0.0), (-v, 0.0, 0.0), 400.0, sharing)
        run = LockStepShared(c).run(6.0)
        assert "set" in run.ended, run.ended
        apart = run.held(0).p[:, 0] - run.held(1).p[:, 0]
        way += 1e3 * float(np.abs(apart - apart[0]).max())
    return way


def gained(sharing: str) -> float:
    """Return by how much the relative travel is less than twice that of one arm; negative: more."""
    return 2.0 - travelled(sharing) / travelled("first")


def common(speed: float, duration: float) -> float:
    """Return for how long of a common drift [mm/s] of so many seconds both were held [s]."""
    run = LockStepShared(pair((speed, speed, 0.0), (speed, speed, 0.0), 100.0, "mass")).run(duration)
    return duration - float(run.t[-1])
