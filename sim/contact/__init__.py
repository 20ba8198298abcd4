"""Contact of pins and holes: geometry, manifold, solver, and the forces that act beside it."""
