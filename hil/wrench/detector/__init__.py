"""The impulse detector: a compiled kernel, its state, and the slices that it reports."""
