"""Known forces on the resting arm: what was measured of them, and the verdict on sign, frame and size."""
