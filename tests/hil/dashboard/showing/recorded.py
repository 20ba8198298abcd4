"""A short recording in which everything happens that a page marks: a push, a hold, a fault, a new start."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from bench.fidelity import changed
from drivers.emulation.disturbances import CALM
from hil.configuration.loading import accept
from hil.loop.judging.judge import Judge
from hil.loop.judging.state_machine import State
from hil.loop.lockstep import START_NS, LockStep
from hil.messaging.messages import Push
from hil.recording.mcap_file import McapFile
from hil.recording.recorder import Recorder, head_of

ROOT = Path(__file__).resolve().parents[4]
CUBE = ROOT / "configs" / "cube.toml"
SETTINGS = ["operator.random.count=0"]
PUSH_S, HOLD_S, ON_S, FAULT_S, AGAIN_S, END_S = 1.5, 2.5, 3.0, 4.0, 5.0, 6.5  # from the beginning of time
CHUNK_S = 0.5  # chunks are small, as those of a live recording


def ns(t: float) -> int:
    """Return an instant [ns] of the run's time [s]."""
    return START_NS + round(1e9 * t)


class Story:
    """An operator with a plan."""

    def __init__(self) -> None:
        self.loop: LockStep | None = None
        self._due = [
            (0.0, "float"),
            (PUSH_S, "push"),
            (HOLD_S, "hold"),
            (ON_S, "float"),
            (FAULT_S, "disturb"),
            (AGAIN_S, "reset"),
            (AGAIN_S + 0.2, "float"),  # the driver has forgotten its fault by then
        ]

    def __call__(self, t_ns: int, judge: Judge) -> None:
        """Do what is due, as soon as the state allows it."""
        assert self.loop is not None
        while self._due and t_ns >= ns(self._due[0][0]):
            verb = self._due[0][1]
            if verb == "float" and judge.machine.state not in (State.READY, State.HOLDING):
                return
            self._due.pop(0)
            if verb == "push":
                self.loop.ask(Push(t_ns, np.array([40.0, 0.0, 0.0]), 0.1, np.array([0.0, 0.05, 0.0])))
            elif verb == "disturb":
                self.loop.ask(replace(CALM, t_ns=t_ns, duration=0.1, wrench="nan"))
            else:
                judge.order(verb)


def record(path: Path) -> None:
    """Write the recording."""
    accepted = accept(CUBE, SETTINGS)
    c = changed(accepted.configuration, "emulator.wrench", motion_noise=False)
    file = McapFile(path, 0, head_of(accepted.configuration, accepted.text, SETTINGS, 0))
    recorder, story = Recorder(file, c), Story()
    recorder.begin(START_NS)
    story.loop = LockStep(c, None, recorder.take, story)
    flushed = 0
    while story.loop.t_ns < ns(END_S):
        story.loop.turn()
        if story.loop.t_ns > ns(CHUNK_S * (flushed + 1)):
            flushed += 1
            file.turn(file._flushed_ns + 1_000_000_000)
    story.loop.tell_rest()
    recorder.end({})
