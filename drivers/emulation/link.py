"""The emulated link between controller and client: packets are lost, doubled and delayed, by seed."""

import heapq

import numpy as np

from drivers.emulation.disturbances import CALM, TO_DRIVER, Disturbances
from hil.messaging.messages import Disturbance

SEED_STREAM = 103
PAUSE = 0.1, 0.3  # [s] between two bursts of delay


class EmulatedLink:
    """One direction of the link. Times [s] are on the caller's clock; jitter may reorder packets.

    Attributes:
        lost: packets that vanished.
        doubled: packets that came twice.
    """

    def __init__(
        self,
        loss: float,
        jitter: float,
        seed: int,
        direction: int = TO_DRIVER,
        disturbances: Disturbances | None = None,
    ) -> None:
        """Prepare a direction.

        Args:
            loss: share of packets that vanish.
            jitter: longest extra delay [s], uniform from 0.
            seed: of the run.
            direction: `TO_DRIVER` or `FROM_DRIVER`, for independent draws each way.
            disturbances: what is wrong besides, for a while.
        """
        self._loss, self._jitter = loss, jitter
        self._direction = direction
        self._disturbances = Disturbances() if disturbances is None else disturbances
        self._rng = np.random.default_rng(np.random.SeedSequence([seed, SEED_STREAM, direction]))
        self._pending: list[tuple[float, int, bytes]] = []
        self._count = 0
        self._held_until = self._next_burst = float("-inf")
        self.lost = self.doubled = 0

    def submit(self, data: bytes, t: float) -> None:
        """Send a packet at time `t` [s]."""
        wrong = self._disturbances.on_link(self._direction)
        loss = max(self._loss, wrong.loss)
        if (wrong.silence and self._direction == TO_DRIVER) or (loss > 0.0 and self._rng.random() < loss):
            self.lost += 1
            return
        self._send(data, self._released(t, wrong), wrong)
        if wrong.duplicates > 0.0 and self._rng.random() < wrong.duplicates:
            self.doubled += 1
            self._send(data, self._released(t, wrong), wrong)

    def due(self, t: float) -> list[tuple[float, bytes]]:
        """Return what has arrived up to `t` [s] with its time of arrival, in order of arrival."""
        arrived = []
        while self._pending and self._pending[0][0] <= t:
            at, _, data = heapq.heappop(self._pending)
            arrived.append((at, data))
        return arrived

    @property
    def next_arrival(self) -> float:
        """When the next packet arrives [s]; infinite if none is under way."""
        return self._pending[0][0] if self._pending else float("inf")

    def _send(self, data: bytes, t: float, wrong: Disturbance) -> None:
        jitter = max(self._jitter, wrong.reorder)
        delay = jitter * self._rng.random() if jitter > 0.0 else 0.0
        self._count += 1
        heapq.heappush(self._pending, (t + delay, self._count, data))

    def _released(self, t: float, wrong: Disturbance) -> float:
        """Return when a packet sent at `t` [s] leaves: in a burst of delay all wait for its end."""
        if t < self._held_until:
            return self._held_until
        if wrong is CALM or wrong.delay == 0.0:
            return t
        if t >= self._next_burst:
            self._held_until = t + wrong.delay
            self._next_burst = self._held_until + self._rng.uniform(*PAUSE)
            return self._held_until
        return t
