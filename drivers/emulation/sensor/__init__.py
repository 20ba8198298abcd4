"""A force-torque sensor between flange and mock-up: what it feels, its own clock, and the wire."""
