"""Parts that mate and their laws: O-rings, snap fasteners, pegs.

May import: hil/common, hil/configuration.
May be imported by: sim/contact, sim/docking, sim/insertion, hil/trials.
"""
