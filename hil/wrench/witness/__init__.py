"""What the joint torques say of a wrench."""
