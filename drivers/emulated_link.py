"""The emulated link between controller and client: packets are lost and delayed at random, by seed."""

import heapq

import numpy as np

SEED_STREAM = 103


class EmulatedLink:
    """One direction of the link. Times [s] are on the caller's clock; jitter may reorder packets."""

    def __init__(self, loss: float, jitter: float, seed: int, direction: int = 0) -> None:
        """Prepare a direction.

        Args:
            loss: share of packets that vanish.
            jitter: longest extra delay [s], uniform from 0.
            seed: of the run.
            direction: 0 or 1, for independent draws each way.
        """
        self._loss, self._jitter = loss, jitter
        self._rng = np.random.default_rng(np.random.SeedSequence([seed, SEED_STREAM, direction]))
        self._pending: list[tuple[float, int, bytes]] = []
        self._count = 0
        self.lost = 0

    def submit(self, data: bytes, t: float) -> None:
        """Send a packet at time `t` [s]."""
        if self._loss > 0.0 and self._rng.random() < self._loss:
            self.lost += 1
            return
        delay = self._jitter * self._rng.random() if self._jitter > 0.0 else 0.0
        self._count += 1
        heapq.heappush(self._pending, (t + delay, self._count, data))

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
