"""The second arm in the loop: what is supervised between the arms, and its turn in lock-step."""
