"""The virtual operator: half-sine pushes, random ones, recorded wrenches."""
