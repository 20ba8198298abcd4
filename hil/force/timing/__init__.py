"""When things happen: the drives' dead time, lag and damping, and by how much the wrench is late.

Found from commands, measured joints and wrench of one motion, or of bounces off a spring, and watched in
flight.
"""
