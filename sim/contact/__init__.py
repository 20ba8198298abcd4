"""Contact of pins and holes: their shapes, the contacts between them, and the interfaces that they form."""
