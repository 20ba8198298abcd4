"""A flexible robot that pushes parts into each other.

May import: hil/common, sim/complementarity, sim/mating, sim/chain, sim/assembly, sim/drives.
May be imported by: hil/trials.
"""
