"""A soak in chunks of independent seeds, over several processes; resumable after every chunk."""

import hashlib
import itertools
import json
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from hil.common.errors import ConfigurationError, ZeroGError
from hil.common.parent_death import end_with_parent
from hil.configuration import Configuration, load_configuration
from hil.trials.soak.ledger import Ledger
from hil.trials.soak.loop import SoakLoop
from planner.kinematics.arm_model import load_arm_model

CHUNK = 20_000  # cycles
# an ideal arm, and plans renewed by a push, a new floating or the policy, else as rarely as they stay valid
SETTINGS = ('emulator.control="kinematic"', "simulation.prediction_rate_hz=5")


@dataclass(frozen=True)
class Campaign:
    """What is soaked: `cycles` from `seed` on; chunk k has the seed `seed + k`."""

    path: Path
    settings: tuple[str, ...]
    cycles: int
    seed: int

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return -(-self.cycles // CHUNK)

    def cycles_of(self, chunk: int) -> int:
        """Return how many cycles a chunk has."""
        return min(CHUNK, self.cycles - chunk * CHUNK)

    @property
    def identity(self) -> str:
        """What a state file must belong to."""
        text = f"{self.path.read_text(encoding='utf-8')}\n{self.settings}\n{self.seed}\n{CHUNK}"
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def quick(path: Path, settings: list[str]) -> list[str]:
    """Return settings with those of an arm and a pace that are quickly computed.

    A base cannot wait for plans that are renewed rarely. An arm that another one holds keeps its drives:
    one that jumped where a fault commands otherwise would press on it harder than any real one.

    Raises:
        ConfigurationError: the configuration is refused.
    """
    c = load_configuration(path, settings)
    if c.grasp is not None:
        return [*SETTINGS[1:], *settings]
    return [*(SETTINGS[:1] if c.base.kind != "none" else SETTINGS), *settings]


def configured(path: Path, settings: list[str]) -> Configuration:
    """Return the configuration of a soak: the file's, with an arm and a pace that are quickly computed.

    Raises:
        ConfigurationError: the configuration is refused, or is one of a real robot.
    """
    c = load_configuration(path, quick(path, settings))
    if c.robot.kind != "emulated":
        raise ConfigurationError(f"{path}: robot.kind = 'fri': only the emulated robot can be soaked")
    return c


def soaked(path: Path, settings: tuple[str, ...], seed: int, cycles: int) -> Ledger:
    """Run one chunk in this process and return its counts."""
    c = configured(path, list(settings))
    model = load_arm_model(c.robot.model)
    ledger = Ledger()
    while ledger.cycles < cycles:
        SoakLoop(c, model, seed, ledger).run(cycles - ledger.cycles)
    return ledger


class StateFile:
    """Which chunks are done, and what they counted; written whole after every chunk."""

    def __init__(self, path: Path | None, identity: str) -> None:
        """Read the file if there is one.

        Raises:
            ConfigurationError: it cannot be read, or belongs to another soak.
        """
        self._path, self._identity = path, identity
        self.ledger, self.done = Ledger(), set[int]()
        if path is None or not path.exists():
            return
        try:
            data = json.loads(path.read_text(encoding="utf-8"))
            self.done, self.ledger = set(data["done"]), Ledger.from_dict(data["ledger"])
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise ConfigurationError(f"{path} is no state of a soak ({error}): give another file") from error
        if data["identity"] != identity:
            raise ConfigurationError(
                f"{path} belongs to a soak of another configuration or seed: give another file, or delete it"
            )

    def add(self, chunk: int, ledger: Ledger) -> None:
        """Take a chunk's counts and write everything.

        Raises:
            ConfigurationError: the file cannot be written.
        """
        self.done.add(chunk)
        self.ledger.join(ledger)
        if self._path is None:
            return
        data = {"identity": self._identity, "done": sorted(self.done), "ledger": self.ledger.to_dict()}
        beside = self._path.with_name(self._path.name + ".new")
        try:
            beside.write_text(json.dumps(data), encoding="utf-8")
            os.replace(beside, self._path)
        except OSError as error:
            raise ConfigurationError(f"{self._path} cannot be written: {error.strerror}") from error


def run(campaign: Campaign, jobs: int, state: StateFile, progress: Callable[[Ledger], None]) -> Ledger:
    """Run what is left of a campaign on `jobs` processes and return all counts.

    Raises:
        ConfigurationError: the state file cannot be written.
        ZeroGError: a process was killed.
    """
    left = [chunk for chunk in range(campaign.chunks) if chunk not in state.done]
    progress(state.ledger)
    jobs = min(jobs, max(1, len(left)))
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(jobs, context, end_with_parent, (os.getpid(),))
    what, waiting, running = (campaign.path, campaign.settings), iter(left), dict[Future[Ledger], int]()
    try:
        while True:  # never more than are at work: nothing is queued that would have to be called back
            for chunk in itertools.islice(waiting, jobs - len(running)):
                seed, cycles = campaign.seed + chunk, campaign.cycles_of(chunk)
                running[pool.submit(soaked, *what, seed, cycles)] = chunk
            if not running:
                break
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                state.add(running.pop(future), future.result())
                progress(state.ledger)
    except BrokenExecutor as error:
        raise ZeroGError("soak: one of its processes was killed: go on from the state file") from error
    finally:
        pool.shutdown(wait=False, cancel_futures=True)  # what is cut off is run again from its seed
    return state.ledger
