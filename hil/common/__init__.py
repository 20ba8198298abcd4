"""The vocabulary that all share: arrays, errors, geometry, clocks, kernel cache, the table of rooms.

May import: no room.
May be imported by: every room.
"""
