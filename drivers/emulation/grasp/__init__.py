"""A second arm in the emulated cell: its tip under impedance control, its gripper, and what it grips."""
