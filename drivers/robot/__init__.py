"""Models of arms: links and inertia from a URDF, the motion of the flange, an arm under impedance control.

May import: hil/common, hil/configuration.
May be imported by: drivers/emulation, hil/loop, hil/analysis, hil/trials, hil/dashboard, hil/commands.
"""
