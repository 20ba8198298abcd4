"""The loop of an arm that a base carries: its planner, the driver's share, and who drives the vehicle."""
