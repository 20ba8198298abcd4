"""Models of manipulators for other programs: one module a format, all from one `Manipulator` and its `Chain`.

May import: hil/common, sim/chain, sim/assembly, sim/drives.
May be imported by: hil/workbench, hil/commands.
"""
