"""Robots and sensors: protocol codecs and clients, the emulated controller and arm, the virtual operator."""

import hil.common.kernel_cache  # noqa: F401  directs the cache before any kernel is defined
