"""A candidate is judged: cheap bounds first, then the inverse kinematics, figures for what is left."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from hil.common.arrays import Array
from hil.workbench.design.grammar import chain_of
from hil.workbench.design.judgement import GOOD, Judgement
from hil.workbench.design.loaded_chain import loaded
from hil.workbench.design.lot import Candidate
from hil.workbench.design.motion import motion_figures
from hil.workbench.design.postures import Postures
from hil.workbench.design.ranking import effort
from hil.workbench.design.reach_bounds import edges, first_out_of_reach
from hil.workbench.design.task_file import Pose, TaskFile
from sim.assembly.chain import Chain, pose_of
from sim.assembly.component_schema import ComponentFile, Joint
from sim.assembly.database import Database
from sim.assembly.figures import continuous_effort, motor_and_gear, of_output
from sim.assembly.manipulator import Manipulator, manipulator_of
from sim.chain.dynamics import bias
from sim.chain.kinematics import jacobian, tip_pose
from sim.chain.serial_chain import SerialChain

TOO_WEAK = "torque of the motion"  # more of it than a joint has
ROWS = {"none": 6, "turn": 5, "all": 3}  # of the Jacobian that a pose asks for


@dataclass(frozen=True)
class Job:
    """What a process needs to judge some candidates.

    Attributes:
        task: what they are to do.
        components: that they are made of, and those that these name.
        candidates: see there.
    """

    task: TaskFile
    components: tuple[ComponentFile, ...]
    candidates: tuple[Candidate, ...]


def judge_all(job: Job) -> list[Judgement]:
    """Return a judgement of each candidate; a function of plain values for other processes."""
    judge = Judge(job.task, Database(job.components))
    return [judge.judged(candidate) for candidate in job.candidates]


class _Subject(NamedTuple):
    """An arm as it is judged: with its payload, what its joints hold for ever, and their losses, (n,)."""

    arm: Manipulator
    chain: SerialChain
    held: Array
    losses: Array


class Judge:
    """Judges arms by a task."""

    def __init__(self, task: TaskFile, database: Database) -> None:
        """Prepare for arms made of the components of a database."""
        self._task, self._database = task, database
        T_base_task = np.linalg.inv(pose_of(task.base.position, task.base.rotvec))
        self._gravity = np.ascontiguousarray(T_base_task[:3, :3] @ task.gravity)
        self._targets = np.array([T_base_task @ pose_of(p.position, p.rotvec) for p in task.poses])
        self._prescribed = np.array([float(p.free == "none") for p in task.poses])
        self._tolerances = np.array([[p.position_tolerance, p.orientation_tolerance] for p in task.poses])

    @property
    def gravity(self) -> Array:
        """In the base's axes [m/s2], shape (3,)."""
        return self._gravity

    def judged(self, candidate: Candidate) -> Judgement:
        """Return what comes of a candidate."""
        subject = self._subject(candidate)
        arm = subject.arm
        figures = {
            "joints": float(len(arm.axes)),
            "mass_kg": arm.mass,
            "stretched_m": float(edges(arm.chain, arm.lower, arm.upper)[1].sum()),
        }
        verdict = self._refused(arm, figures) or self._done(subject, figures)
        return Judgement(candidate.number, verdict, candidate.arm, figures)

    def warm(self, candidate: Candidate) -> None:
        """Compile all kernels, or load them, on any candidate: what they do to it is of no interest."""
        subject = self._subject(candidate)
        arm = subject.arm
        self._refused(arm, {"mass_kg": 0.0, "stretched_m": 0.0})
        self._postures(subject).ways(self._task.poses, self._targets)
        self._figures(subject, np.tile(0.5 * (arm.lower + arm.upper), (len(self._targets), 1)))

    def _subject(self, candidate: Candidate) -> _Subject:
        chain = chain_of("candidate", candidate.arm, self._database, self._gravity)
        arm = manipulator_of(chain)
        return _Subject(
            arm,
            loaded(arm.chain, self._task.payload),
            np.array([continuous_effort(chain, axis.joint) for axis in arm.axes]),
            np.array([loss_of(chain, axis.joint) for axis in arm.axes]),
        )

    def _refused(self, arm: Manipulator, figures: dict[str, float]) -> str:
        """Return why an arm is left without a look at its joints; empty if nothing is against it."""
        limits = self._task.limits
        if limits.mass is not None and figures["mass_kg"] > limits.mass:
            return "too heavy"
        if limits.reach is not None and figures["stretched_m"] > limits.reach:
            return "too long"
        missed = first_out_of_reach(
            arm.chain, arm.lower, arm.upper, self._targets, self._prescribed, self._tolerances
        )
        return "" if missed < 0 else f"{self._name(missed)} out of reach"

    def _done(self, subject: _Subject, figures: dict[str, float]) -> str:
        """Return the verdict of an arm by its ways through the poses, and put down its figures."""
        ways, missed = self._postures(subject).ways(self._task.poses, self._targets)
        if missed is not None:
            return f"{self._name(missed.pose)} not {'held' if missed.reached else 'reached'}"
        told = [self._figures(subject, way) for way in ways]
        too_weak, _, best = min(
            (f["motion_margin"] < 0.0, effort(figures | f, self._task.weights), k) for k, f in enumerate(told)
        )
        figures |= told[best]
        return TOO_WEAK if too_weak else GOOD

    def _postures(self, subject: _Subject) -> Postures:
        arm, least = subject.arm, self._task.limits.torque_margin

        def held(q: Array) -> bool:
            return self._margin(subject, q) >= least

        return Postures(arm.chain, arm.lower, arm.upper, arm.speeds, self._task.length, held)

    def _margin(self, subject: _Subject, q: Array) -> float:
        """Return the share of what the joints hold for ever that is left at rest, of the worst joint."""
        static = bias(subject.chain, q, np.zeros(len(q)), self._gravity)
        return float(1.0 - (np.abs(static) / subject.held).max())

    def _figures(self, subject: _Subject, way: Array) -> dict[str, float]:
        """Return the figures of an arm on a way through the poses."""
        arm, chain = subject.arm, subject.chain
        peaks, power, force, moment = motion_figures(
            chain, way, arm.speeds, subject.losses, self._gravity, self._task.motion.leg
        )
        return {
            "torque_margin": min(self._margin(subject, q) for q in way),
            "motion_margin": float(1.0 - (peaks / arm.efforts).max()),
            "manipulability": self._dexterity(chain, way),
            "power_w": power,
            "base_force_n": force,
            "base_moment_n_m": moment,
        }

    def _dexterity(self, chain: SerialChain, way: Array) -> float:
        return min(
            manipulability(chain, q, pose.free, self._task.length)
            for q, pose in zip(way, self._task.poses, strict=True)
        )

    def _name(self, number: int) -> str:
        return pose_name(self._task.poses, number)


def pose_name(poses: Sequence[Pose], number: int) -> str:
    """Return how a pose is called: its name, or its number from 1 on."""
    return poses[number].name or f"pose {number + 1}"


def manipulability(chain: SerialChain, q: Array, free: str, length: float) -> float:
    """Return the volume that a unit ball of joint speeds is mapped to (Yoshikawa), lengths by `length`.

    Rows: the tip's velocity in its own axes over the length, then its angular velocity, as far as a pose asks
    for them. With fewer joints than rows it is the volume within what they can do.
    """
    R, J = tip_pose(chain, q)[:3, :3], jacobian(chain, q)
    rows = np.vstack([R.T @ J[:3] / length, R.T @ J[3:]])[: ROWS[free]]
    return float(np.prod(np.linalg.svd(rows, compute_uv=False)))


def loss_of(chain: Chain, joint: Joint) -> float:
    """Return the heat of a joint's windings by the square of its torque [W/(N m)2, W/N2]; 0 if unknown.

    theory: R i^2 with i = tau / (k_t N eta), N the ratio; of a sliding joint 2 pi / pitch of that.
    """
    motor, gear = motor_and_gear(chain, joint)
    if motor is None or gear is None:
        return 0.0
    by_current = of_output(joint, motor.torque_constant * gear.ratio * gear.efficiency)
    return motor.resistance / by_current**2
