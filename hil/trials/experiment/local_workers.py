"""Trials on this machine's cores: processes of our own, which end with this one."""

import itertools
import multiprocessing
import os
import signal
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait

from hil.common.errors import ExperimentError
from hil.common.parent_death import end_with_parent
from hil.processes.first_start.stage import compile_first
from hil.trials.experiment.fast_trial import FastJob, run_fast

INTERRUPTED = 130


def run_local(jobs: list[FastJob], processes: int) -> Iterator[str]:
    """Run trials side by side and yield the names of their folders as they are done.

    A generator that is closed, or broken off, ends its processes at once: what was under way is run again.

    Raises:
        ExperimentError: a process was killed, or a folder cannot be made.
    """
    context = multiprocessing.get_context("spawn")
    before = set(multiprocessing.active_children())
    processes = min(processes, max(1, len(jobs)))
    for job in jobs[:1]:  # or every process would compile the same
        compile_first(job.base.with_settings(()), job.base.path, (), lambda _: None)
    pool = ProcessPoolExecutor(processes, context, _begin, (os.getpid(),))
    waiting, running = iter(jobs), set[Future[str]]()
    try:
        while True:  # never more than are at work: nothing is queued that would have to be called back
            running |= {
                pool.submit(run_fast, job) for job in itertools.islice(waiting, processes - len(running))
            }
            if not running:
                return
            done, running = wait(running, return_when=FIRST_COMPLETED)
            for future in done:
                yield future.result()
    except BrokenExecutor as error:
        raise ExperimentError("one of the processes was killed: go on with --resume") from error
    finally:
        pool.shutdown(wait=not running, cancel_futures=True)
        if running:
            for child in set(multiprocessing.active_children()) - before:
                child.terminate()


def _begin(parent: int) -> None:
    """Make a process end with its parent, and at once when Ctrl-C reaches it too."""
    end_with_parent(parent)
    signal.signal(signal.SIGINT, lambda *_: os._exit(INTERRUPTED))
