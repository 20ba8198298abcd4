"""The driver's cycle: its core, the short cut, the interface's delay."""
