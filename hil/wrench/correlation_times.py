"""The processes of which the noise of a wrench is made up, besides white noise (docs/theory.md, 4 and 18)."""

from hil.common.arrays import frozen_array

CORRELATION_TIMES = frozen_array([0.006, 0.02, 0.08, 0.3])  # [s]
