"""How near arms that do as they are told come to the following-error fault, in lock-step.

python -m bench.following_error [--seconds S] [--seeds N] [--only WORDS] [--json OUT.json]

Every arm of the emulation floats under pushes: stiff, under impedance control, with elastic joints, behind
250 ms of interface delay, and on links that lose packets. The error is counted anew here, by numpy from the
commands themselves, and given as a share of what is allowed; then, with the first seed, an arm is stuck, or
turned round, in motion, and the time until the fault is taken.
"""

import argparse
import json
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from drivers.emulation.disturbances import CALM
from hil.common.arrays import Array
from hil.configuration import Configuration, load_configuration
from hil.loop.lockstep import LockStep

CONFIGS = Path(__file__).resolve().parents[1] / "configs"
DELAYED = ("emulator.delay_ms=250", 'interpolation.lead="identified"', "interpolation.lead_time_ms=250")
ARMS: dict[str, tuple[str, tuple[str, ...]]] = {
    "stiff": ("cube", ()),
    "impedance": ("cube", ('emulator.control="impedance"',)),
    "elastic": ("cube", ("emulator.elastic=true",)),
    "impedance, elastic": ("cube", ('emulator.control="impedance"', "emulator.elastic=true")),
    "impedance, many pushes": ("pushes", ('emulator.control="impedance"',)),
    "elastic, many pushes": ("pushes", ("emulator.elastic=true",)),
    "paper: 250 ms, no lead": ("paper", ()),
    "250 ms, looked ahead": ("paper", (*DELAYED, "interpolation.short_cut=true")),
    "250 ms, impedance": ("cube", (*DELAYED, 'emulator.control="impedance"')),
    "held over lost answers": ("cube", ('emulator.lost_answers="hold"',)),
}
WRONG_AT = 8.0  # [s] after the beginning of the run: its delay is known by then


@dataclass
class Outcome:
    """What came of one arm: shares of the allowed error, and times from a wrong arm to the fault [s]."""

    arm: str
    seed: int
    seconds: float
    share_before: float  # as long as the delay is not settled
    share: float  # afterwards
    delay: float
    fault: str
    stuck: float | None
    reversed: float | None


class Observed:
    """A loop whose following errors are counted anew."""

    def __init__(self, c: Configuration) -> None:
        self.loop = LockStep(c)
        self.driver = self.loop._driver
        self._watch = self.driver._watch._following
        self._judge = self._watch.judge
        self.shares = [0.0, 0.0]
        self.fault = ""
        self.fault_s: float | None = None
        self._watch.judge = self.judge  # type: ignore[method-assign]

    def judge(self, q: Array, cycles: int, delay) -> str:
        """Judge as ever; keep the largest share."""
        watch = self._watch
        first, last = watch._window(cycles, delay)
        near = watch._ring[watch._head + first : watch._head + last + 1]
        away = np.maximum(near.min(axis=0) - q, q - near.max(axis=0))
        share = float((away / watch._allowed).max())
        self.shares[delay.settled] = max(self.shares[delay.settled], share)
        return self._judge(q, cycles, delay)

    def run(self, seconds: float, wrong: str = "") -> None:
        """Float so long; with `wrong` until the arm is found to be so."""
        controller = self.loop._controller
        plain = controller.advance

        def advance() -> None:
            plain()
            if self.driver.fault and self.fault_s is None:
                self.fault, self.fault_s = self.driver.fault, controller.t
            if wrong and controller.t >= WRONG_AT and not controller.disturbances.current.arm:
                controller.disturbances.begin(replace(CALM, duration=60.0, arm=wrong), controller.t)

        controller.advance = advance  # type: ignore[method-assign]
        self.loop.run(seconds)


def measured(name: str, seconds: float, seed: int) -> Outcome:
    """Return what comes of one arm."""
    file, settings = ARMS[name]
    c = load_configuration(CONFIGS / f"{file}.toml", [*settings, f"run.seed={seed}"])
    sane = Observed(c)
    sane.run(seconds)
    found: dict[str, float | None] = {}
    for kind in ("stuck", "reversed") if seed == 1 else ():
        other = Observed(c)
        other.run(WRONG_AT + 4.0, kind)
        found[kind] = None if other.fault_s is None else other.fault_s - WRONG_AT
    delay = sane.driver._delay.estimate
    times = found.get("stuck"), found.get("reversed")
    return Outcome(name, seed, seconds, *sane.shares, delay, sane.fault, *times)


def row(o: Outcome) -> str:
    """Return an outcome as a line of Markdown."""
    times = ["–" if t is None else f"{1e3 * t:.0f}" for t in (o.stuck, o.reversed)]
    shares = f"{o.share_before:.3f} | {o.share:.3f}"
    delay, fault = f"{1e3 * o.delay:.0f}", o.fault or "none"
    return f"| {o.arm}, seed {o.seed} | {shares} | {delay} | {fault} | {' | '.join(times)} |"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--only", default="", metavar="WORDS", help="arms whose name contains the words")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    print("| arm | share before | share | delay ms | fault | stuck after ms | turned after ms |")
    print("|---|---|---|---|---|---|---|", flush=True)
    outcomes = []
    for name in ARMS:
        for seed in range(1, options.seeds + 1) if options.only in name else ():
            outcomes.append(measured(name, options.seconds, seed))
            print(row(outcomes[-1]), flush=True)
    if options.json is not None:
        options.json.write_text(json.dumps([asdict(o) for o in outcomes], indent=2), encoding="utf-8")


if __name__ == "__main__":
    main()
