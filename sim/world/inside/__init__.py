"""Bodies that move inside the floating object: arms by a script or an order, modes, trees of hinges."""
