"""Contact of pins and holes: their shapes, the contacts between them, and the interfaces that they form.

May import: hil/common, hil/configuration, sim/mating.
May be imported by: sim/docking, sim/world, hil/loop, hil/trials.
"""
