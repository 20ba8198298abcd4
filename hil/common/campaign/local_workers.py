"""Jobs on this machine's cores: processes of our own, which end with this one."""

import itertools
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from typing import TypeVar

from hil.common.errors import CampaignError
from hil.common.parent_death import end_with_parent

INTERRUPTED = 130
Job = TypeVar("Job")
Answer = TypeVar("Answer")


def run_local(
    function: Callable[[Job], Answer], jobs: Sequence[Job], processes: int, remedy: str
) -> Iterator[Answer]:
    """Run jobs side by side and yield their answers as they are done.

    A generator that is closed, or broken off, ends its processes at once: what was under way is run again.

    Args:
        function: runs one job; of a module, so that other processes find it.
        jobs: what it is given, one at a time.
        processes: at most so many at work.
        remedy: what to do if a process is killed, for people.

    Raises:
        CampaignError: a process was killed.
        ZeroGError: what the function raises.
    """
    context = multiprocessing.get_context("spawn")
    before = set(multiprocessing.active_children())
    processes = min(processes, max(1, len(jobs)))
    pool = ProcessPoolExecutor(processes, context, _begin, (os.getpid(),))
    waiting, running = iter(jobs), set[Future[Answer]]()
    try:
        while True:  # never more than are at work: nothing is queued that would have to be called back
            running |= {
                pool.submit(function, job) for job in itertools.islice(waiting, processes - len(running))
            }
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenExecutor as error:
        raise CampaignError(f"one of the processes was killed: {remedy}") from error
    finally:
        pool.shutdown(wait=not running, cancel_futures=True)
        if running:
            for child in set(multiprocessing.active_children()) - before:
                child.terminate()


def _begin(parent: int) -> None:
    """Make a process end with its parent, and at once when Ctrl-C reaches it too."""
    end_with_parent(parent)
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
