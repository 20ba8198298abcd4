"""What the tip meets, in the world: a surface, a satellite that tumbles."""
