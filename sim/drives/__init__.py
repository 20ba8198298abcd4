"""Motors, gears, friction, brakes, heat and joint controllers, and arms that have them.

May import: hil/common, sim/chain, sim/assembly.
May be imported by: sim/exports, sim/insertion, hil/workbench.
"""
