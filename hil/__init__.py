"""The loop and its daemon: vocabulary shared by all packages, and the programs that join them."""

import sys
from pathlib import Path

from hil.common.arm_files import ArmFile, add_maker
from hil.common.errors import ConfigurationError
from hil.common.kernel_cache import use_kernel_cache
from hil.common.private_folder import keep_own_rights

keep_own_rights()

# before the first kernel is defined: every module with one imports this package first
try:
    use_kernel_cache()
except ConfigurationError as error:  # nothing can be said yet by any command
    print(f"zerog: {error}", file=sys.stderr)
    raise SystemExit(2) from None


def _assembled(path: Path) -> ArmFile:
    from sim.exports.assembled_arm import assembled_arm  # most programs never need it

    return assembled_arm(path)


add_maker(".toml", _assembled)
