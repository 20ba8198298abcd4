"""Trials worked off by several processes, and their rows as soon as they are complete."""

import sys
import time
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from typing import Any

from bench.acceptance.row import Figure, Part, Row, Trial

NEWS_EVERY_S = 5.0


def measure(rows: list[Row | Part], jobs: int) -> Iterator[Figure]:
    """Yield the figures of rows, in the rows' order; progress goes to the standard error.

    Args:
        rows: whose trials are made, those that several of them want once.
        jobs: processes beside this one.
    """
    with ProcessPoolExecutor(jobs, get_context("spawn")) as pool:
        waiting: dict[str, Future[Any]] = {}
        for row in rows:
            for trial in row.trials:
                if trial.key not in waiting:
                    waiting[trial.key] = pool.submit(_made, trial)
        news = _News(len(waiting))
        try:
            for row in rows:
                wanted = [waiting[trial.key] for trial in row.trials]
                for _ in as_completed(set(wanted)):
                    news.tell(sum(future.done() for future in waiting.values()), row)
                news.clear()
                yield from row.figures([future.result() for future in wanted])
        finally:
            pool.shutdown(cancel_futures=True)


def _made(trial: Trial) -> Any:
    return trial.call(*trial.arguments)


class _News:
    """How far the trials are, on a line that is written over; nothing where nobody looks."""

    def __init__(self, count: int) -> None:
        self._count, self._began, self._told = count, time.monotonic(), 0.0
        self._seen = sys.stderr.isatty()

    def tell(self, done: int, row: Row | Part) -> None:
        now = time.monotonic()
        if not self._seen or now - self._told < NEWS_EVERY_S:
            return
        self._told = now
        left = (now - self._began) * (self._count - done) / max(1, done)
        text = f"{done} of {self._count} trials, {left:.0f} s left, row {row.numbers[0]}"
        print(f"\r{text:<70}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._seen and self._told:
            print("\r" + " " * 70 + "\r", end="", file=sys.stderr, flush=True)
