"""The world: the floating body, its stops, scenes, history and rewind, prediction."""

import hil.common.kernel_cache  # noqa: F401  directs the cache before any kernel is defined
