"""The lock-step loop paced by the wall clock: for machines that cannot do real time."""
