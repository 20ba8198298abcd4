"""The world: the floating body, its stops, scenes, history and rewind, prediction."""

import hil  # noqa: F401  the kernel cache is directed before any kernel is defined
