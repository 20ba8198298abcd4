"""`make mutants`: small wrong changes of the program, each tried with the tests that should notice it.

python -m tests.mutants [--only WORD …] [--seconds S] [--jobs N] [--pause FILE] [--list]

Status 0: every mutant was killed, or is argued to be equivalent. 1: some survived. 2: the catalogue does not
fit the sources, or the tests do not pass without a mutant.
"""

import argparse
import queue
import sys
import tempfile
import threading
import time
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
    """Run the tests without a mutant in each workshop, which compiles; return in words what fails."""
    red: list[str] = []

    def run(shop: Workshop) -> None:
        for tests in dict.fromkeys(mutant.tests for mutant in every):
            words = shop.baseline(tests)
            if words:
                red.append(f"without a mutant {' '.join(tests)}: {words}")

    begin = time.monotonic()
    _threads([threading.Thread(target=run, args=[shop]) for shop in shops])
    print(f"without a mutant: {len(red)} of the tests fail, {time.monotonic() - begin:.0f} s", flush=True)
    return red


def side_by_side(
    shops: list[Workshop], every: list[Mutant], deadline: float, pause: Path | None
) -> list[Trial]:
    """Return the trials of all mutants in their order; print each as it comes."""
    waiting: queue.SimpleQueue[int] = queue.SimpleQueue()
    for number in range(len(every)):
        waiting.put(number)
    trials = [Trial(mutant, Fate.UNTRIED) for mutant in every]

    def run(shop: Workshop) -> None:
        while time.monotonic() < deadline:
            if pause is not None and pause.exists():
                time.sleep(PAUSE)
                continue
            try:
                number = waiting.get_nowait()
            except queue.Empty:
                return
            trials[number] = shop.trial(every[number])
            print(line(trials[number]), flush=True)

    _threads([threading.Thread(target=run, args=[shop]) for shop in shops])
    return trials


def _threads(threads: list[threading.Thread]) -> None:
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


if __name__ == "__main__":
    sys.exit(main())
