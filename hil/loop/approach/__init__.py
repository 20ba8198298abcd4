"""Bringing the arm to its start pose by an operator's hand: the way, its clearance, the hand's freshness."""
