"""The figures that continuous contact force is accepted by: on a simple plant, and through joints."""
