"""The loop in lock-step under random faults, over seeds: no command may break a limit."""
