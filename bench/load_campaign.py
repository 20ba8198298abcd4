"""One calibration of the load on virtual time, and the same motion with a wrench drawn anew.

The emulated arm, its controller and the driver run as in the loop; the hand's orders are played. What the arm
does does not depend on the wrench that it estimates: so the estimate of any seed, and of any load that is
missed, can be drawn over one recorded motion, by the emulator's own code.
"""

from dataclasses import dataclass

import numpy as np

from bench.fidelity import changed
from drivers.emulation.arm.wrench_estimate import WrenchEstimate
from drivers.emulation.controller.controller import EmulatedController
from drivers.fri.session import FriSession
from drivers.robot.flange_motion import FlangeMotion
from drivers.sensor.rdt import decode_record
from hil.common.arrays import Array
from hil.common.clock import nanoseconds
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.loop.approach.permit import Permit
from hil.loop.calibration.poses import WHOLE
from hil.loop.calibration.shown_motion import load_shown
from hil.loop.driver.core import DriverCore
from hil.loop.driver.cycle_log import CycleLog
from hil.loop.judging.state_machine import Machine, State
from hil.loop.lockstep import START_NS
from hil.messaging.messages import CycleBlock
from hil.wrench.held_body import object_wrench
from hil.wrench.load.identification import FoundLoad
from hil.wrench.load.left_over import LeftOver
from planner.kinematics.arm_model import load_arm_model

STANDS = 2.0  # [s] before the hand holds: a sensor is tared
LEAVES = 0.3  # [s] after the motion


@dataclass
class _Arm:
    """What a wrench estimate wants of an arm: how it moves now."""

    motion: FlangeMotion
    frames: Frames

    @property
    def T_base_tcp(self) -> Array:
        pose: Array = self.motion.T_base_flange @ self.frames.T_flange_tcp
        return pose


class Campaign:
    """A calibration.

    Attributes:
        blocks: the driver's cycles.
    """

    def __init__(self, c: Configuration, truth: Configuration | None = None) -> None:
        """Run it.

        Args:
            c: what the operator believes.
            truth: what the emulated arm really holds; None: the same.

        Raises:
            RuntimeError: the driver did not let the motion come to its end.
        """
        self._c, self._motions = c, list[FlangeMotion]()
        self.blocks = list[CycleBlock]()
        emulated = changed(truth or c, "operator", random=None, push=())  # nobody pushes
        period_ns, self._model = nanoseconds(c.fri.sample_time), load_arm_model(c.robot.model)
        controller, session = EmulatedController(emulated), FriSession(c.fri)
        driver, log, begin = DriverCore(c, self._model), CycleLog(c.fri.sample_time), None
        for k in range(round((STANDS + WHOLE + LEAVES) / c.fri.sample_time)):
            t_ns = START_NS + k * period_ns
            records = [decode_record(data, START_NS + nanoseconds(t)) for t, data in controller.sense()]
            sample = session.receive(controller.send(), c.fri.controller_address, t_ns)
            assert sample is not None
            self._motions.append(_copied(controller.arm.motion))
            driver.sense(records)
            driver.observe(sample)
            if k * c.fri.sample_time < STANDS:
                mode = Machine(State.READY, 1).mode(t_ns)
            else:
                begin = begin or tuple(driver.q_command.tolist())
                permit = Permit(1, k, t_ns, begin, 0.0, "calibrate")
                mode = Machine(State.CALIBRATING, 1, permit=permit).mode(t_ns)
            cycle = driver.cycle(sample, mode)
            driver.conclude(sample, driver.slices_of(cycle), None)
            block = log.add(sample, (t_ns,) * 4, driver.q_command, driver.wrench_object, driver.following)
            self.blocks += [] if block is None else [_kept(block)]
            if not cycle.withheld:
                controller.receive(session.answer(sample, cycle.q_command))
            controller.advance()
        if driver.fault or driver.moving or controller.monitor.violations:
            raise RuntimeError(f"{driver.fault}, {controller.monitor.violations} violations")

    def found(self) -> tuple[FoundLoad, LeftOver]:
        """Return what it finds."""
        return load_shown(self.blocks, self._c)

    def redrawn(self, case: Configuration) -> tuple[FoundLoad, LeftOver]:
        """Return what the same motion finds with the estimate of this configuration's seed and load."""
        return load_shown(self.drawn(case), self._c)

    def drawn(self, case: Configuration) -> list[CycleBlock]:
        """Return the cycles with the controller's estimate drawn anew; only of a run without a sensor."""
        frames, step = Frames.from_configuration(case), case.fri.sample_time
        arm = _Arm(self._motions[0], frames)
        estimate = WrenchEstimate(case, arm, case.run.seed)  # type: ignore[arg-type]
        found, k, nothing = [], 0, np.zeros(6)
        for block in self.blocks:
            wrench = np.empty_like(block.wrench_object)
            for row, q in enumerate(block.q_measured):
                arm.motion = self._motions[k]
                told = estimate.sample(k * step, nothing).astype(np.float32).astype(float)  # as on the wire
                wrench[row] = object_wrench(
                    self._model.geometry, q, frames.T_flange_tcp, frames.T_flange_object, told, False
                )
                k += 1
            parts = block.stamps, block.counts, block.q_command, block.q_measured
            found.append(CycleBlock(block.t_ns, *parts, wrench))
        return found


def _copied(m: FlangeMotion) -> FlangeMotion:
    return FlangeMotion(m.T_base_flange.copy(), m.omega.copy(), m.v.copy(), m.alpha.copy(), m.a.copy())


def _kept(block: CycleBlock) -> CycleBlock:
    """Return a copy: the log writes over its rows."""
    parts = block.stamps, block.counts, block.q_command, block.q_measured, block.wrench_object
    return CycleBlock(block.t_ns, *(part.copy() for part in parts))
