"""Models of manipulators for other programs: one module a format, all from one `Manipulator` and its `Chain`.

May import: hil/common, sim/chain, sim/assembly.
May be imported by: no room.
"""
