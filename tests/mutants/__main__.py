"""`make mutants`: small wrong changes of the program, each tried with the tests that should notice it.

python -m tests.mutants [--only WORD …] [--seconds S] [--jobs N] [--pause FILE] [--list]

Status 0: every mutant was killed, or is argued to be equivalent. 1: some survived. 2: the catalogue does not
fit the sources, or the tests do not pass without a mutant.
"""

import argparse
import contextlib
import queue
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from hil.common.kernel_cache import use_kernel_cache
from tests.mutants.catalogue import TARGETS
from tests.mutants.mutant import CatalogueError, Mutant, chosen, misfits, mutants
from tests.mutants.report import line, report
from tests.mutants.workshop import Fate, Trial, Workshop

ROOT = Path(__file__).resolve().parents[2]
SURVIVORS, MISTAKE = 1, 2
PAUSE = 1.0  # [s] between looks at the file that asks for it


def main(arguments: list[str] | None = None) -> int:
    """Try the mutants and return the status."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="WORD", help="in file or reason")
    parser.add_argument("--seconds", type=float, default=7200.0, help="none is begun after that")
    parser.add_argument("--jobs", type=int, default=1, help="side by side, each with its own copy")
    parser.add_argument("--pause", type=Path, metavar="FILE", help="none is begun while this file is there")
    parser.add_argument("--list", action="store_true", help="list the mutants and try none")
    options = parser.parse_args(arguments)
    try:
        every = chosen(mutants(TARGETS), options.only)
    except CatalogueError as error:
        print(error, file=sys.stderr)
        return MISTAKE
    wrong = misfits(every, ROOT)
    print("\n".join([*wrong, *(map(str, every) if options.list else [])]), flush=True)
    if wrong or options.list:
        return MISTAKE if wrong else 0
    return tried(every, options.seconds, max(1, options.jobs), pause=options.pause)


def tried(
    every: list[Mutant], seconds: float, jobs: int, root: Path = ROOT, pause: Path | None = None
) -> int:
    """Try mutants on copies of the sources below `root`, side by side; print and return the status."""
    deadline = time.monotonic() + seconds
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        shops = [Workshop(root, Path(folder) / str(job), use_kernel_cache()) for job in range(jobs)]
        red = baselines(shops, every)
        if red:
            print("\n".join(red))
            return MISTAKE
        trials = side_by_side(shops, every, deadline, pause)
    print(report(trials))
    if any(trial.fate is Fate.ERROR for trial in trials):
        return MISTAKE
    return SURVIVORS if any(trial.fate is Fate.SURVIVED for trial in trials) else 0


def baselines(shops: list[Workshop], every: list[Mutant]) -> list[str]:
    """Run each of the tests without a mutant, which compiles; return in words which fail."""
    different = list(dict.fromkeys(mutant.tests for mutant in every))
    red: list[str] = []

    def run(shop: Workshop, number: int) -> None:
        words = shop.baseline(different[number])
        if words:
            red.append(f"without a mutant {' '.join(different[number])}: {words}")

    begin = time.monotonic()
    shared_out(shops, len(different), run)
    for shop in shops:
        for other in shops:
            if other is not shop:
                shop.learn(other)
    print(f"without a mutant: {len(red)} of the tests fail, {time.monotonic() - begin:.0f} s", flush=True)
    return red


def side_by_side(
    shops: list[Workshop], every: list[Mutant], deadline: float, pause: Path | None
) -> list[Trial]:
    """Return the trials of all mutants in their order; print each as it comes."""
    trials = [Trial(mutant, Fate.UNTRIED) for mutant in every]

    def run(shop: Workshop, number: int) -> None:
        while pause is not None and pause.exists() and time.monotonic() < deadline:
            time.sleep(PAUSE)
        if time.monotonic() < deadline:
            trials[number] = shop.trial(every[number])
            print(line(trials[number]), flush=True)

    shared_out(shops, len(every), run)
    return trials


def shared_out(shops: list[Workshop], count: int, work: Callable[[Workshop, int], None]) -> None:
    """Do pieces of work by number, each in the workshop that is free."""
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(count):
        waiting.put(number)

    def run(shop: Workshop) -> None:
        with contextlib.suppress(queue.Empty):
            while True:
                work(shop, waiting.get_nowait())

    threads = [threading.Thread(target=run, args=[shop]) for shop in shops]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    sys.exit(main())
