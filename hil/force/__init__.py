"""Continuous force: what lasting contact does to the loop, and what is done about it.

Pure cores of scheme S: arm observer, gate and bias, identification of the contact along its line of force,
re-integration from the onset, lead over the loop's delay, energy cap. One cycle allocates nothing. The map of
what a contact comes to stands in `hil/force/map`.

May import: hil/common.
May be imported by: hil/wrench, hil/loop, hil/analysis, hil/commands.
"""
