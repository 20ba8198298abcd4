"""Docking in orbit: a servicer's pins meet the plate of a free-floating module.

May import: hil/common, hil/configuration, sim/mating, sim/contact, sim/orbit.
May be imported by: sim/world, hil/loop, hil/trials.
"""
