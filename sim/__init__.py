"""The world: the floating body, its stops, scenes, history and rewind, prediction."""
