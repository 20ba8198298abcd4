"""KUKA's Fast Robot Interface: layout of the datagrams, codec, session, client.

May import: hil/common, hil/configuration.
May be imported by: drivers/sensor, drivers/emulation, hil/loop, hil/recording, hil/processes, hil/analysis,
hil/trials, hil/commands.
"""
