"""Arm model, inverse kinematics, branch selection, interpolation, guard and workspace."""
