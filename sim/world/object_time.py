"""The history of the time map: which object time a wall time had, also after the rate was changed."""

import numpy as np

from hil.common.arrays import Array
from hil.common.time_map import object_time_at, retargeted

REMEMBERED = 60.0  # [s] of wall time


class ObjectTime:
    """Object time as a function of wall time, from zero at the start on."""

    def __init__(self, t_start_ns: int, stand: float = 0.0) -> None:
        """Start at `t_start_ns`: at full pace, or standing for `stand` [s] and then gaining pace."""
        self.t_start_ns = t_start_ns
        self._asked_ns, self._answer = -1, (0.0, 0.0)  # a turn asks several times for its own instant
        self._maps = [np.array([stand, 0.0, 0.0, 1.0]) if stand > 0.0 else np.array([0.0, 0.0, 1.0, 1.0])]

    def at(self, t_ns: int) -> tuple[float, float]:
        """Return object time [s] and its rate at a wall time; before the start both stand still."""
        if t_ns != self._asked_ns:
            self._asked_ns, self._answer = t_ns, self._at((t_ns - self.t_start_ns) * 1e-9)
        return self._answer

    def _at(self, t: float) -> tuple[float, float]:
        if t <= 0.0:
            return 0.0, self._maps[0][2]
        s, rate, _ = object_time_at(self._map_at(t), t)
        return s, rate

    def map_from(self, t_ns: int) -> Array:
        """Return the map `[t_a, s_a, rate_a, target]` from `t_ns` on, with times counted from `t_ns`."""
        t = max((t_ns - self.t_start_ns) * 1e-9, 0.0)
        now = self._map_at(t)
        if t < now[0]:  # it stands still before it starts
            return np.array([now[0] - t, *now[1:]])
        relative = retargeted(now, t, now[3])
        relative[0] = 0.0
        return relative

    def retarget(self, t_ns: int, target: float) -> None:
        """Let the rate slew to `target` from `t_ns` on, or from the last change if that was later."""
        newest = self._maps[-1]
        if target == newest[3]:
            return
        t = max((t_ns - self.t_start_ns) * 1e-9, newest[0])
        self._maps.append(retargeted(newest, t, target))
        self._asked_ns = -1
        while len(self._maps) > 1 and self._maps[1][0] < t - REMEMBERED:
            del self._maps[0]

    def _map_at(self, t: float) -> Array:
        for known in reversed(self._maps):
            if known[0] <= t:
                return known
        return self._maps[0]
