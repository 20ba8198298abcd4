"""Known forces on the arm of the running daemon: a weight that a technician hangs, or emulated pushes."""

import json
import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from hil.common.arrays import Array
from hil.common.errors import LinkError, OperatorError
from hil.common.run_clock import RunClock
from hil.configuration import Configuration, load_configuration
from hil.configuration.sensor import has_own_sensor
from hil.configuration.wrench_stamp import wrench_stamp
from hil.loop.judging.real_arm import CHECKED
from hil.messaging.bus import Bus
from hil.messaging.messages import CycleBlock, Request, RobotState
from hil.processes.shared_clock import clock_beside
from hil.processes.supervisor.children import ACCEPTED
from hil.wrench.known.measured import KnownForce, Measured, measured
from hil.wrench.known.own_sensor import of_own_sensor
from hil.wrench.known.verdict import Finding, Probe, findings
from planner.kinematics.arm_model import load_arm_model

BEFORE_S = 0.25  # the untouched arm before a push
PUSH_S = 0.3
AFTER_S = 0.2
ATTEMPTS = 5
BLOCKS_COME_NS = 250_000_000  # until the last cycles have been told
POLL_S = 0.005  # only the newest state is kept
WEIGHT_S = 2.0  # with and without the weight
DEFAULT_PUSH_N = 20.0
LEVER_M = 0.1  # of the pushes beside the centre


class WrenchTrial:
    """A trial with the daemon that runs in a run-time directory."""

    def __init__(self, directory: Path) -> None:
        self._bus, self._directory = Bus(directory), directory
        self._clock = RunClock()
        self._states = self._bus.subscriber("robot_state", RobotState)
        self._cycles = self._bus.subscriber("cycles", CycleBlock)
        self._seen: list[RobotState] = []
        self._blocks: list[CycleBlock] = []

    def close(self) -> None:
        """Close the sockets."""
        self._bus.close()

    def findings(self, weight: float | None, lever_mm: Sequence[float], push: float | None) -> list[Finding]:
        """Apply known forces and return the verdict.

        Args:
            weight: mass to be hung at a real arm [kg].
            lever_mm: where, from the tcp, tcp axes [mm].
            push: peak of the pushes on an emulated arm [N].

        Raises:
            OperatorError: the state or the kind of robot does not allow it, or nothing was measured.
        """
        status = self._status()
        accepted = self._directory / ACCEPTED  # what the run goes by, whatever its file says now
        configuration = load_configuration(Path(status["configuration"]), status["settings"], accepted)
        self._clock = clock_beside(status, self._directory)
        emulated = configuration.robot.kind == "emulated"
        if emulated and weight is not None:
            raise OperatorError("--weight-kg is for a real arm; the emulated one is pushed: give --push-n")
        if not emulated and weight is None:
            raise OperatorError(
                "a real arm needs --weight-kg M: a known weight, 1 to 2 kg, to be hung at the tcp"
            )
        force = KnownForce(configuration, load_arm_model(configuration.robot.model))
        if weight is None:
            probes = self._pushed(force, push or DEFAULT_PUSH_N)
        else:
            probes = [hung(self._over, input, force, weight, 1e-3 * np.array(lever_mm))]
            print("Take the weight off again.")
        self._status()  # the arm must have stood all the time
        fri = configuration.fri
        found = findings(probes, fri.wrench_sign, fri.wrench_frame, fri.torque_sign)
        if has_own_sensor(configuration):
            found = of_own_sensor(found, configuration.sensor.sign)
        if not emulated:
            self._reported(configuration, found)
        return found

    def _reported(self, configuration: Configuration, found: Sequence[Finding]) -> None:
        """Tell the daemon, which keeps what has passed, and print what it makes of it."""
        if all(finding.right for finding in found) and any(finding.doubtful for finding in found):
            print("not passed yet: this pose cannot tell all; turn the flange by 90 degrees and repeat")
            return
        verdict = {
            "stamp": wrench_stamp(configuration),
            "passed": all(finding.right for finding in found),
            "findings": [f"{finding.topic}: {finding.text}" for finding in found],
        }
        reply = self._bus.ask(Request(time.monotonic_ns(), CHECKED, json.dumps(verdict)))
        if not reply.accepted:
            raise OperatorError(reply.text)
        print(f"check-wrench: {reply.text}")

    def _pushed(self, force: KnownForce, peak: float) -> list[Probe]:
        """Push the emulated mock-up along x, y and z, at its centre and beside it."""
        points = np.zeros(3), np.array([0.0, LEVER_M, 0.0])
        return [self._one_push(force, peak * axis, point) for point in points for axis in np.eye(3)]

    def _one_push(self, force: KnownForce, peak: Array, point: Array) -> Probe:
        """Push once; again if a busy machine showed too little of it."""
        values = {
            "force_n": peak.tolist(),
            "duration_ms": 1e3 * PUSH_S,
            "at_mm": (1e3 * point).tolist(),
        }
        for attempt in range(ATTEMPTS):
            try:
                before = self._over(BEFORE_S)
                self._ask("test_push", values)
                during = self._over(PUSH_S + AFTER_S)
            except LinkError:
                if attempt == ATTEMPTS - 1:
                    raise
                continue
            break
        return force.push(before, during, 2.0 * PUSH_S / math.pi * peak, point)  # impulse of a half-sine

    def _over(self, seconds: float) -> Measured:
        """Return what the driver measures in the next so many seconds."""
        start_ns = self._clock.now_ns()
        stop_ns = start_ns + round(seconds * 1e9)
        while self._clock.now_ns() < stop_ns + BLOCKS_COME_NS:
            time.sleep(POLL_S)
            self._seen += self._states.drain()
            self._blocks += self._cycles.drain()
        blocks, states = self._blocks, self._seen
        self._blocks, self._seen = [], []
        return measured(blocks, states, start_ns, stop_ns)

    def _status(self) -> dict[str, Any]:
        """Return the daemon's status if its arm stands ready."""
        status = dict(json.loads(self._ask("status", {})))
        if status["state"] != "READY":
            why = f" ({status['reason']})" if status["reason"] else ""
            raise OperatorError(
                f"check-wrench is refused in {status['state']}{why}: the arm must stand and be READY"
            )
        return status

    def _ask(self, verb: str, values: dict[str, Any]) -> str:
        reply = self._bus.ask(Request(time.monotonic_ns(), verb, json.dumps(values)))
        if not reply.accepted:
            raise OperatorError(reply.text)
        return reply.status


def hung(
    measured_over: Callable[[float], Measured],
    ask: Callable[[str], str],
    force: KnownForce,
    mass: float,
    lever: Array,
) -> Probe:
    """Let the technician hang a weight and return what was measured.

    Args:
        measured_over: returns what is measured in the next so many seconds.
        ask: puts a question and waits for Enter.
        force: makes a probe of it.
        mass: of the weight [kg].
        lever: where it hangs, from the tcp, tcp axes [m], shape (3,).
    """
    place = (
        "at the tcp" if not lever.any() else f"{[round(1e3 * x, 1) for x in lever.tolist()]} mm from the tcp"
    )
    try:
        ask("Nobody touches the arm and nothing hangs at it. Press Enter: ")
        before = measured_over(WEIGHT_S)
        ask(f"Hang {mass:g} kg {place} and let go. When it is still, press Enter: ")
    except EOFError:
        raise OperatorError("check-wrench --weight-kg asks questions: run it in a terminal") from None
    return force.weight(before, measured_over(WEIGHT_S), mass, lever)


def told(verdict: Sequence[Finding]) -> int:
    """Print the findings and return the exit status."""
    for finding in verdict:
        print(f"{'ok   ' if finding.right else 'WRONG'} {finding.topic}: {finding.text}")
    return 0 if all(finding.right for finding in verdict) else 1
