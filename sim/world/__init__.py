"""The floating body: its motion and stops, impulses in the past, prediction.

`flight` are the ways to fly (free, among stops and walls, among pins), `scene` what it flies in.

May import: hil/common, hil/configuration, hil/messaging, sim/contact, sim/docking.
May be imported by: hil/loop, hil/analysis.
"""
