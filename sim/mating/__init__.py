"""Parts that mate and their laws: O-rings, snap fasteners, pegs.

May import: hil/common, hil/configuration, sim/complementarity, sim/surfaces.
May be imported by: sim/contact, sim/insertion, hil/trials.
"""
