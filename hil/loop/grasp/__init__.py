"""What a grasp by a second arm is made of: plan, reach, clearance, states, baseline, energy. Pure."""
