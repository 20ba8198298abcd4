"""Object paths in closed form: free flight between soft stops, about a fixed axis, as predictions."""

import numpy as np
from scipy.spatial.transform import Rotation

from hil.messaging.messages import Prediction
from planner.kinematics.forward import flange_pose

CONTACT = 0.3  # [s] of a half-sine contact with a soft stop
STEP = 0.02  # [s]


def soft_bounce(t, half, speed, phase=0.0):
    """Place and velocity of a point between two springs at +-half, in closed form.

    It crosses freely in 2 half / speed, then a half period of the spring turns it round.
    """
    free = 2.0 * half / speed
    period = 2.0 * (free + CONTACT)
    u = np.mod(np.asarray(t, float) + phase * period, period)
    back = u >= 0.5 * period
    u = np.where(back, u - 0.5 * period, u)
    touching = u >= free
    angle = np.pi * (u - free) / CONTACT
    x = np.where(touching, half + speed * CONTACT / np.pi * np.sin(angle), -half + speed * u)
    v = np.where(touching, speed * np.cos(angle), speed)
    sign = np.where(back, -1.0, 1.0)
    return sign * x, sign * v


def soft_path(t, centre, seed, half=(0.1, 0.15, 0.15), speed=0.12, swing=0.21, spin=0.3):
    """Positions, quaternions and twists (world) of a body between soft stops, its axis z along world x.

    The rotation is about one fixed axis, to and fro within +-swing.
    """
    rng = np.random.default_rng(seed)
    share = rng.dirichlet(np.ones(3)) ** 0.5
    columns = [soft_bounce(t, half[i], max(share[i], 0.1) * speed, rng.uniform()) for i in range(3)]
    p = np.stack([column[0] for column in columns], axis=-1) + centre
    v = np.stack([column[1] for column in columns], axis=-1)
    axis = rng.normal(size=3)
    axis /= np.linalg.norm(axis)
    angle, rate = soft_bounce(t, swing, spin, rng.uniform())
    rotation = Rotation.from_rotvec(np.asarray(angle)[:, None] * axis) * Rotation.from_euler("y", np.pi / 2)
    return p, rotation.as_quat(scalar_first=True), np.hstack([v, np.asarray(rate)[:, None] * axis])


def prediction_of(path, s, number=1, epoch=1, length=101, bounces=(), rate=1.0):
    """The prediction from object time `s` on of a path, a function of instants (n,)."""
    p, quat, twist = path(s + STEP * np.arange(length))
    return Prediction(
        t_ns=round(1e9 * s), epoch=epoch, number=number, object_time_0=s, step=STEP,
        time_map=np.array([0.0, s, rate, rate]), p_world_object=p, quat_world_object=quat,
        twist_world_object=twist, bounces=np.array([b for b in bounces if s <= b < s + STEP * (length - 1)]),
        slices=np.array([[7, 0, 3]]),
    )  # fmt: skip


def straight_path(p_0, v, quat, s_0=0.0):
    """A path at constant velocity without rotation."""

    def path(t):
        p = np.asarray(p_0) + (np.asarray(t) - s_0)[:, None] * np.asarray(v)
        twist = np.tile(np.r_[v, np.zeros(3)], (len(t), 1))
        return p, np.tile(quat, (len(t), 1)), twist

    return path


def quintic(a, b, step, u):
    """Joints at fraction `u` of an interval between nodes `a` and `b` = (q, dq, ddq)."""
    q0, v0, c0 = a[0], a[1] * step, a[2] * step**2
    q1, v1, c1 = b[0], b[1] * step, b[2] * step**2
    d = q1 - q0 - v0 - 0.5 * c0
    dv, dc = v1 - v0 - c0, c1 - c0
    a3, a4, a5 = 10 * d - 4 * dv + 0.5 * dc, -15 * d + 7 * dv - dc, 6 * d - 3 * dv + 0.5 * dc
    return q0 + v0 * u + 0.5 * c0 * u**2 + a3 * u**3 + a4 * u**4 + a5 * u**5


def resting_path(model, frames, q, v=(0.0, 0.0, 0.0)):
    """A path that begins where joints hold the object, at constant velocity."""
    T = frames.T_world_base @ flange_pose(model.lengths, model.signs, q) @ frames.T_flange_object
    return straight_path(T[:3, 3], v, Rotation.from_matrix(T[:3, :3]).as_quat(scalar_first=True))


def folding_path(model, frames, margin, seconds, speed=0.05):
    """A path of the wrist straight towards the shoulder, and the joints where it begins.

    A4 depends on their distance alone: it meets its limit less the margin after `seconds`, in any branch.
    """
    upper, fore, hand = model.lengths[1:]
    limit = min(model.upper[3], -model.lower[3]) - margin
    distance = np.sqrt(upper**2 + fore**2 + 2.0 * upper * fore * np.cos(limit)) + speed * seconds
    a4 = np.arccos((distance**2 - upper**2 - fore**2) / (2.0 * upper * fore))
    q = np.array([0.0, -1.0, 0.0, a4, 0.0, 1.2, 0.0])
    T = flange_pose(model.lengths, model.signs, q)
    line = np.array([0.0, 0.0, model.lengths[0]]) - (T[:3, 3] - hand * T[:3, 2])
    return resting_path(model, frames, q, frames.T_world_base[:3, :3] @ line * speed / distance), q
