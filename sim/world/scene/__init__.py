"""What the body flies in: MuJoCo scenes, their bodies and walls, clearance, bounces."""
