"""Force-torque sensors of their own clock: wire, clock, readings at an instant, what is wrong with them.

Nothing here knows the arm: what hangs at the sensor is taken out where its pose is known.

May import: hil/common, hil/configuration, drivers/fri.
May be imported by: drivers/emulation, hil/loop, hil/recording, hil/processes, hil/trials, hil/commands.
"""
