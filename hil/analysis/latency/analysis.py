"""All that a recording tells of latency, as arrays; tables, pictures and JSON are made of it."""

from dataclasses import dataclass

import numpy as np

from hil.analysis.latency.motion import measured_motion, measured_pushes, true_motion, true_pushes
from hil.analysis.latency.push_response import PushResponses, push_responses
from hil.analysis.latency.recording import LatencyRecording
from hil.analysis.latency.robot_part import RobotPart, robot_part
from hil.analysis.latency.stages import Stages, measured_stages
from hil.common.arrays import Array
from hil.configuration.tables.inside import NO_IDEAL
from hil.loop.judging.real_arm import overrides


@dataclass(frozen=True, eq=False)
class Analysis:
    """What was found.

    Attributes:
        recording: that it was found in.
        stages: durations of the parts of the chain.
        pushes: the arm's responses.
        robot: from command to measured motion; None where the arm hardly moved.
        not_measured: what could not be measured and why, a sentence each.
    """

    recording: LatencyRecording
    stages: Stages
    pushes: PushResponses
    robot: RobotPart | None
    not_measured: tuple[str, ...]

    @property
    def bare_ms(self) -> Array:
        """Latencies of the bare answering loop [ms], shape (n,)."""
        latencies: Array = self.recording.bare_ns.astype(np.float64) * 1e-6
        return latencies


def analysed(recording: LatencyRecording) -> Analysis:
    """Return what a recording tells."""
    stages = measured_stages(recording)
    if recording.truth is not None:
        motion = true_motion(recording)
        times = true_pushes(motion)
    else:
        motion = measured_motion(recording)
        times = measured_pushes(recording, motion)
    if recording.configuration.object.inside is not None:
        times = []  # each is beside an ideal rigid body
    pushes = push_responses(recording, motion, times)
    robot = robot_part(recording)
    reasons = [*recording.doubts, *stages.not_measured, *_of_pushes(recording, pushes)]
    reasons += _of_robot(recording, robot)
    if not len(recording.bare_ns):
        reasons.append("The bare answering loop: it needs an emulated arm of its own, and did not run.")
    reasons += overrides(recording.configuration)
    return Analysis(recording, stages, pushes, robot, tuple(reasons))


def _of_pushes(recording: LatencyRecording, pushes: PushResponses) -> list[str]:
    reasons = []
    if recording.truth is None:
        reasons.append(
            "The onset of the true force: only the measured wrench is known, so the lag of the controller's "
            "own estimate of it is not in the push-to-motion times."
        )
    if recording.configuration.object.inside is not None:
        reasons.append(f"Push to motion: {NO_IDEAL}.")
    elif not len(pushes.to_50):
        reasons.append("Push to motion: there was no undisturbed push.")
    elif not len(recording.pace):
        reasons.append("Whether object time was slowed during a push: the simulation's states are missing.")
    return reasons


def _of_robot(recording: LatencyRecording, robot: RobotPart | None) -> list[str]:
    emulator = recording.configuration.emulator
    if robot is None:
        return ["Command to measured motion: the arm did not move enough, or did not follow its commands."]
    if recording.truth is None:
        return [
            "The interface delay apart from the drives' lag: a real arm tells only both together "
            "(and one cycle, which is taken off)."
        ]
    if emulator.control != "position" or emulator.elastic:
        return [
            "The interface delay apart from the compliant arm's own lag: `emulator.lag_ms` is not all of it."
        ]
    return []
