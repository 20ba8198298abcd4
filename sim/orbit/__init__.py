"""Relative motion about a circular orbit.

May import: hil/common.
May be imported by: sim/docking.
"""
