"""What there is to see of a second arm: its links, hand and pads, and the bar that it grasps. Pure."""

import numpy as np

from drivers.robot.model import MOCKUP, quat_of
from hil.common.arrays import Array
from hil.configuration import Configuration
from hil.configuration.frames import Frames
from hil.configuration.grasp import rotation_of
from hil.loop.solid import Solid, turned
from hil.loop.solids import ArmPicture
from hil.messaging.grasp_messages import PartnerWords

SECOND = "second_"  # begins the names of its frames
HAND, PADS = f"{SECOND}hand", (f"{SECOND}pad0", f"{SECOND}pad1")
STEEL, RUBBER = np.array([0.4, 0.45, 0.5, 1.0]), np.array([0.15, 0.15, 0.15, 1.0])
BRASS = np.array([0.75, 0.6, 0.2, 1.0])
THICK = 0.008  # [m] of a pad,
PALM = 0.05  # [m] from the tip back to the hand


class SecondPicture:
    """The second arm: its solids, and where their frames are.

    Attributes:
        names: of its frames.
        solids: on them, and the bar on the mock-up's.
    """

    def __init__(self, configuration: Configuration) -> None:
        """Read the robot model; it is the first arm's, where [partner] says."""
        c, grasp, partner = configuration, configuration.grasp, configuration.partner
        assert grasp is not None and partner is not None
        mount = {"mount_position": partner.mount_position, "mount_rotvec": partner.mount_rotvec}
        self._arm = ArmPicture(c.model_copy(update={"robot": c.robot.model_copy(update=mount)}))
        links = [name for name in self._arm.names if name != MOCKUP]
        self._links = [self._arm.names.index(name) for name in links]
        self.names = [*(f"{SECOND}{name}" for name in links), HAND, *PADS]
        self.solids = [s.on(f"{SECOND}{s.frame}") for s in self._arm.solids if s.frame in links]
        upright = np.array([1.0, 0.0, 0.0, 0.0])
        hand = max(partner.tool_length - PALM, 0.01)
        middle = np.array([0.0, 0.0, -PALM - 0.5 * hand])
        self.solids.append(Solid(HAND, "cylinder", np.array([0.08, 0.08, hand]), middle, upright, STEEL))
        h = 2.0 * grasp.pad_half
        for name, side in zip(PADS, (1.0, -1.0), strict=True):
            at = np.array([0.0, 0.5 * side * THICK, -0.5 * PALM])  # its face is its frame's origin
            size = np.array([h, THICK, h + PALM])
            self.solids.append(Solid(name, "box", size, at, upright, RUBBER))
        T = Frames.from_configuration(c).T_tcp_object
        R = T[:3, :3] @ rotation_of(grasp.bar_rotvec)
        place = T[:3, 3] + T[:3, :3] @ grasp.bar_position
        self.solids.append(Solid(MOCKUP, "box", np.array(grasp.bar_size), place, quat_of(R), BRASS))

    def poses(self, words: PartnerWords) -> tuple[Array, Array]:
        """Return position [m] (n, 3) and attitude w x y z (n, 4) in world of the frames `names`."""
        p, quat = (of[self._links] for of in self._arm.poses(words.q))
        tip, turn = np.array(words.p_world_tip), np.array(words.quat_world_tip)
        aside = turned(turn, np.array([0.0, words.opening, 0.0]))
        return np.vstack((p, tip, tip + aside, tip - aside)), np.vstack((quat, turn, turn, turn))
