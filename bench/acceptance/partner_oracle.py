"""A really free body, pads and a second arm's tip without any delay, integrated by scipy: what should happen.

Own equations, from docs/understand/second_arm.md, not the emulation's code: bristles slip by an
equation of their own, `z' = v` in the cone and a fast return to it outside. Only where the tip is sent
comes from the plan.
"""

import math

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.grasp_plan import load_plan
from hil.loop.grasp.followed_plan import FollowedPlan

RETURN = 5e-5  # [s] of a bristle to the cone, or to nothing where it does not touch
TOLERANCE = 1e-6


class FreeScene:
    """A free body and the second arm.

    Attributes:
        t: [s].
        y: object's place, velocity, spin about world axes, tip's place, velocity, spin, fingers' way and
            speed, bristles (8, 2): (36,).
        R: attitudes of object and tip, as rotations.
        wrench: on the object about its centre, world axes, (6,).
    """

    def __init__(self, c: Configuration, T_object: Array, late: float = 0.0) -> None:
        """Begin where the emulation begins: the object at a pose (4, 4) with its configured motion.

        Args:
            c: of the scene.
            T_object: the object's pose.
            late: how long the body's pose does not answer a pad that has just touched it [s]. From then on
                it is where it would always have been: no loop of that delay answers a touch that it does not
                foresee any better.
        """
        self._late, self._felt = late, [np.zeros((0, 6)), np.zeros((0, 6))]
        self._withheld = np.zeros(2, bool)  # pads that have touched for less than that
        assert c.grasp is not None and c.partner is not None
        self._c, self._g, self._a = c, c.grasp, c.partner
        self.plan = FollowedPlan(load_plan(c.partner.plan), c.grasp.T_object_tool)
        T = self.plan.first(T_object)
        self.t, self.y = 0.0, np.zeros(36)
        self.y[:3], self.y[9:12] = T_object[:3, 3], T[:3, 3]
        self.y[3:6], self.y[6:9] = c.object.initial_velocity, c.object.initial_spin
        self.y[18] = c.grasp.opening
        self.R = [Rotation.from_matrix(T_object[:3, :3]), Rotation.from_matrix(T[:3, :3])]
        self._aim, self._closed = T.copy(), False
        self.wrench = np.zeros(6)
        x, z = np.meshgrid([self._g.pad_half, -self._g.pad_half], [self._g.pad_half, -self._g.pad_half])
        self._points = np.column_stack((x.ravel(), np.zeros(4), z.ravel()))
        self._bar = Rotation.from_rotvec(np.array(self._g.bar_rotvec))

    def pose(self) -> Array:
        """Return the object's pose, (4, 4)."""
        T = np.eye(4)
        T[:3, :3], T[:3, 3] = self.R[0].as_matrix(), self.y[:3]
        return T

    def step(self, dt: float) -> None:
        """Go on by a cycle [s]."""
        target = self.plan.step(dt, self.pose(), False)
        begin, end = self._aim, target.T
        turn = Rotation.from_matrix(end[:3, :3] @ begin[:3, :3].T).as_rotvec()
        path = (
            begin[:3, 3],
            (end[:3, 3] - begin[:3, 3]) / dt,
            Rotation.from_matrix(begin[:3, :3]),
            turn / dt,
        )
        state = np.concatenate((self.y, np.zeros(6)))  # and how far both have turned since
        solved = solve_ivp(
            lambda t, y: self._rates(t, y, path), (0.0, dt), state,
            rtol=TOLERANCE, atol=1e-9, method="RK45",
        )  # fmt: skip
        y = solved.y[:, -1]
        self.y, turned = y[:36], y[36:]
        self.R = [Rotation.from_rotvec(turned[3 * i : 3 * i + 3]) * self.R[i] for i in range(2)]
        self._aim, self._closed = end, target.closed
        self.t += dt
        self.wrench = self._pads(self.y, self.R)[0]
        if self._late:
            for pad in range(2):
                self._give_back(pad, dt)

    def _give_back(self, pad: int, dt: float) -> None:
        """Withhold a pad's wrench as long as it is new; then move the pose as if it never had been."""
        pressed = self._pads(self.y, self.R, only=pad)[0]
        before = self._felt[pad]
        if pressed.any() and len(before) < round(self._late / dt):
            self._felt[pad] = np.vstack((before, pressed))
            self._withheld[pad] = True
            return
        if self._withheld[pad]:
            impulses = np.cumsum(before, axis=0) * dt
            twists = np.hstack((impulses[:, :3] / self._c.object.mass, self._spins(impulses[:, 3:])))
            self.y[:3] += dt * twists[:, :3].sum(axis=0)
            self.R[0] = Rotation.from_rotvec(dt * twists[:, 3:].sum(axis=0)) * self.R[0]
            self.y[3:9] += twists[-1]
            self._withheld[pad] = False
        if not pressed.any():
            self._felt[pad] = np.zeros((0, 6))

    def _spins(self, moments: Array) -> Array:
        """Return the spins that angular momenta give the object, both world axes, (n, 3)."""
        R = self.R[0].as_matrix()
        return moments @ R / np.array(self._c.object.inertia) @ R.T

    def _rates(self, t: float, y: Array, path: tuple[Array, Array, Rotation, Array]) -> Array:
        turned = y[36:]  # small within a cycle: its rate is the spin
        R = [Rotation.from_rotvec(turned[3 * i : 3 * i + 3]) * self.R[i] for i in range(2)]
        on_object, on_tip, along, slipping = self._pads(y, R)
        a, g, c = self._a, self._g, self._c
        p, v, first, w = path
        pull = a.stiffness * (p + t * v - y[9:12]) + a.damping * (v - y[12:15])
        aim = Rotation.from_rotvec(t * w) * first
        twist = a.stiffness_turning * (aim * R[1].inv()).as_rotvec() + a.damping_turning * (w - y[15:18])
        pull *= min(1.0, a.force_limit / max(1e-12, float(np.linalg.norm(pull))))
        twist *= min(1.0, a.torque_limit / max(1e-12, float(np.linalg.norm(twist))))
        out = np.zeros_like(y)
        out[:3], out[9:12] = y[3:6], y[12:15]
        moves = on_object.copy()
        for pad in self._withheld.nonzero()[0]:
            moves -= self._pads(y, R, only=int(pad))[0]
        out[3:6] = moves[:3] / c.object.mass
        inertia = R[0].as_matrix() @ np.diag(c.object.inertia) @ R[0].as_matrix().T
        out[6:9] = np.linalg.solve(inertia, moves[3:] - np.cross(y[6:9], inertia @ y[6:9]))
        out[12:15] = (pull + on_tip[:3]) / a.mass
        out[15:18] = (twist + on_tip[3:]) / a.inertia
        drive = -g.grip if self._closed else g.grip
        speed = y[19]
        force = drive + 0.5 * along - g.grip / g.closing_speed * speed
        if not self._closed and y[18] >= g.opening and force > 0.0:
            speed, force = 0.0, -y[19] * g.finger_mass / RETURN
        out[18], out[19] = speed, force / g.finger_mass
        out[20:36] = slipping
        out[36:39], out[39:42] = y[6:9], y[15:18]
        return out

    def _pads(
        self, y: Array, R: list[Rotation], only: int | None = None
    ) -> tuple[Array, Array, float, Array]:
        """Return wrenches on object and tip, force on both fingers along their ways, rates of bristles.

        `only`: of this pad.
        """
        g = self._g
        bar = (R[0] * self._bar).as_matrix()
        y_tool = R[1].as_matrix()[:, 1]
        on_object, on_tip, along = np.zeros(6), np.zeros(6), 0.0
        bristles, rates = y[20:36].reshape(2, 4, 2), np.zeros((2, 4, 2))
        for finger, way in enumerate((1.0, -1.0)):
            if only not in (None, finger):
                continue
            side = way * (1.0 if y_tool @ bar[:, 1] > 0.0 else -1.0)
            lever = R[1].apply(self._points) + way * y[18] * y_tool
            r = y[9:12] + lever - y[:3]
            v = y[12:15] + np.cross(y[15:18], lever) + way * y[19] * y_tool
            h = r @ bar - self._bar.inv().apply(np.array(g.bar_position))
            u = (v - y[3:6] - np.cross(y[6:9], r)) @ bar
            depth = 0.5 * g.bar_size[1] - side * h[:, 1]
            normal = 0.25 * (g.pad_stiffness * depth - g.pad_damping * side * u[:, 1])
            inside = (np.abs(h[:, 0]) < 0.5 * g.bar_size[0]) & (np.abs(h[:, 2]) < 0.5 * g.bar_size[2])
            presses = (depth > 0.0) & (depth < 0.5 * g.bar_size[1]) & inside & (normal > 0.0)
            for i in range(4):
                z = bristles[finger, i]
                if not presses[i]:
                    rates[finger, i] = -z / RETURN
                    continue
                slide = u[i, [0, 2]]
                rub = 0.125 * (g.pad_stiffness * z + g.pad_damping * slide)
                most, size = g.friction * normal[i], float(np.linalg.norm(rub))
                rates[finger, i] = slide
                if size > most:
                    rub = rub * most / size
                    rates[finger, i] = ((8.0 * rub - g.pad_damping * slide) / g.pad_stiffness - z) / RETURN
                f = bar @ np.array([rub[0], -side * normal[i], rub[1]])
                on_object += np.concatenate((f, np.cross(r[i], f)))
                on_tip -= np.concatenate((f, np.cross(lever[i], f)))
                along -= way * float(y_tool @ f)
        return on_object, on_tip, along, rates.ravel()


def free_flight(c: Configuration, T_object: Array, duration: float, late: float = 0.0) -> Array:
    """Return time, place, velocity, spin and wrench of the free body, cycle by cycle, shape (n, 16).

    `late` as in `FreeScene`.
    """
    scene, dt = FreeScene(c, T_object, late), c.fri.sample_time
    rows = []
    for _ in range(math.ceil(duration / dt)):
        rows.append(np.concatenate(([scene.t], scene.y[:9], scene.wrench)))
        scene.step(dt)
    return np.array(rows)
