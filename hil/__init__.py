"""The loop and its daemon: vocabulary shared by all packages, and the programs that join them."""

from hil.common.kernel_cache import use_kernel_cache

# before the first kernel is defined: every module with one imports this package first
use_kernel_cache()
