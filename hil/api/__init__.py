"""The emulator from Python. What is public is imported as `zerog`, which `public` holds and nothing else.

May import: hil/common, hil/configuration, hil/messaging, hil/loop, hil/recording, hil/processes,
hil/analysis.
May be imported by: no room.
"""
