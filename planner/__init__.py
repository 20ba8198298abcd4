"""Arm model, inverse kinematics, branch selection, interpolation, guard and workspace."""

import hil.common.kernel_cache  # noqa: F401  directs the cache before any kernel is defined
