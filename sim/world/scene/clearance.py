"""For how long nothing can be touched: gaps over the speed of the object's fastest point."""

import math

import mujoco
import numpy as np
from numba import njit

from hil.common.arrays import Array
from sim.world.body import body_energy
from sim.world.stops import stored_speed_squared

FAR = 100.0  # [m] beyond which distances are not told apart
CLOSE = 1e-5  # [m] distance from which on every step looks for contacts
LONG = 10**9  # steps, more than any flight


@njit(cache=True, error_model="numpy")
def fastest_point(row: Array, body: Array, stops: Array, radius: float) -> float:
    """Return a bound on the speed [m/s] of any point within `radius` [m], for as long as nothing pushes.

    theory: the linear speed and the rotational energy, each with what the stops' springs hold, are kept
    in flight, and the spin is at most sqrt(2 E / I_min).
    """
    v2 = row[7] ** 2 + row[8] ** 2 + row[9] ** 2 + stored_speed_squared(row[0:3], stops)
    turning = 2.0 * body_energy(row[:13], body, stops) - body[0] * v2
    return math.sqrt(v2) + radius * math.sqrt(max(turning, 0.0) / min(body[1], body[2], body[3]))


class Clearance:
    """Follows one flight; a distance is measured anew only when it may be the least."""

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        pairs: list[tuple[int, int]],
        radius: float,
        body: Array,
        stops: Array,
        step: float,
    ) -> None:
        """Take a scene and the grid.

        Args:
            model: the scene.
            data: where its object is placed.
            pairs: the colliding pairs, geom of the object and other.
            radius: of a sphere about the centre of mass that contains the object [m].
            body: mass and principal inertia, shape (4,).
            stops: packed stops, shape (19,).
            step: the grid's step [s].
        """
        self._model, self._data, self._pairs, self._radius = model, data, pairs, radius
        self._body, self._stops, self._step = body, stops, step
        self._gaps = [0.0] * len(pairs)  # lower bounds, nothing is known yet
        self._speed = 0.0
        self._segment = np.empty(6)

    def free_steps(self, row: Array, elapsed: int, pushed: bool) -> int:
        """Return for how many steps from here nothing can be touched, unless a push comes.

        Args:
            row: the state, shape (13,) or longer.
            elapsed: steps since the last question.
            pushed: an impulse slice has acted since then; contacts need not be told.
        """
        speed = fastest_point(row, self._body, self._stops, self._radius)
        travelled = elapsed * self._step * max(speed, self._speed)
        self._gaps = [0.0 if pushed else gap - travelled for gap in self._gaps]
        self._speed = speed
        self._data.qpos[:] = row[:7]
        mujoco.mj_fwdKinematics(self._model, self._data)
        measured = -1
        while True:
            gap = min(self._gaps)
            nearest = self._gaps.index(gap)
            if nearest == measured:
                break
            a, b = self._pairs[nearest]
            self._gaps[nearest] = mujoco.mj_geomDistance(self._model, self._data, a, b, FAR, self._segment)
            measured = nearest
        return int(min(max(gap - CLOSE, 0.0) / (speed * self._step + 1e-12), LONG))
