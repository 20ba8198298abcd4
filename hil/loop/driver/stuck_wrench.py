"""Does the robot's estimate of the wrench still live? In contact a force that stays would drive the object.

An estimate trembles, so the same six numbers over many packets are none, as long as the arm moves.
"""

from drivers.fri.session import FriSample
from hil.configuration import Configuration

LONGEST = 0.05  # [s] of the same six numbers while the arm moves


class StuckWrench:
    """Counts packets whose wrench is that of the one before, to the bit."""

    def __init__(self, c: Configuration) -> None:
        """Watch the robot of a configuration."""
        noise = c.emulator.wrench
        # an emulated estimate without noise may well stay where it is
        self._judges = c.robot.kind == "fri" or noise.noise_force > 0.0 or noise.noise_torque > 0.0
        self._most = max(2, round(LONGEST / c.fri.sample_time))
        self._before = self._joints = b""
        self._same = 0

    def judge(self, sample: FriSample) -> str:
        """Return that the wrench does not change although the arm moves; empty if it does."""
        wrench, joints = sample.wrench.tobytes(), sample.q_measured.tobytes()
        if wrench != self._before:
            self._same = 0
        elif joints != self._joints:
            self._same += 1
        self._before, self._joints = wrench, joints
        if not self._judges or self._same < self._most:
            return ""
        return (
            f"the wrench has been the very same six numbers in {self._same} packets while the arm moved: the "
            "robot's estimate is stuck"
        )
