"""The page about a recorded drive: what was driven, what it came to, pictures."""
