"""The loop and its daemon: vocabulary shared by all packages, and the programs that join them."""

from pathlib import Path

from hil.common.arm_files import ArmFile, add_maker
from hil.common.kernel_cache import use_kernel_cache

# before the first kernel is defined: every module with one imports this package first
use_kernel_cache()


def _assembled(path: Path) -> ArmFile:
    from sim.exports.assembled_arm import assembled_arm  # most programs never need it

    return assembled_arm(path)


add_maker(".toml", _assembled)
