"""Robots and sensors: protocol codecs and clients, the emulated controller and arm, the virtual operator."""

import hil  # noqa: F401  the kernel cache is directed before any kernel is defined
