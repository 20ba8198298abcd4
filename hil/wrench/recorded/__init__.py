"""Recorded wrenches: reading files of many dialects, finding the pushes in them, drawing them."""
