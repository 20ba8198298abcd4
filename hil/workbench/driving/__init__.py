"""Driving a simulated arm: command sources, limits, inverse kinematics, missions, records and reports."""
