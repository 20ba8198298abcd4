"""Continuous force: what lasting contact does to the loop, and what is done about it.

May import: hil/common.
May be imported by: hil/analysis, hil/commands.
"""
