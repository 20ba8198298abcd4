"""Arm model, inverse kinematics, branch selection, interpolation, guard and workspace."""

import hil  # noqa: F401  the kernel cache is directed before any kernel is defined
