"""What an approach never passes, whatever is asked for."""

import math

JOINT_SPEED = math.radians(10.0)  # [rad/s] of any joint, at most,
CORNER_SPEED = 0.050  # [m/s] and of any corner of the mock-up
DEFAULT_SPEED_DEG_S = 3.0
PLANNED = 0.98  # of the caps, by which the way is timed: what lies between its samples stays below the caps
HAND_TIMEOUT_NS = 300_000_000  # the operator's hand counts for so long; then the arm brakes
