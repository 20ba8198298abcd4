"""A base that carries the arm: its path, what is seen from it, what the arm corrects of it.

May import: hil/common, hil/configuration.
May be imported by: hil/loop.
"""
