"""Continuous force: a contact as it would have been without the loop's delay.

Pure cores of scheme S: arm observer, gate and bias, identification of the contact along its line of force,
re-integration from the onset, lead over the loop's delay, energy cap. One cycle allocates nothing.

May import: hil/common.
May be imported by: no room.
"""
