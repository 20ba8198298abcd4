"""Parametric surfaces, and the point where two of them touch; compiled.

May import: hil/common.
May be imported by: no room.
"""
