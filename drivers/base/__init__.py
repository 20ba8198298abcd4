"""A base that carries the arm: what its vehicle is told, and one that is emulated.

May import: hil/common, hil/configuration.
May be imported by: hil/loop.
"""
