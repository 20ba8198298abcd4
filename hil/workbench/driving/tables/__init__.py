"""The library of trajectories and test routines: each begins and ends at rest, sized by the arm's reach."""
