"""Unattended campaigns: pegs of a rack, an emulated tool changer, each peg weighed before it is used."""
