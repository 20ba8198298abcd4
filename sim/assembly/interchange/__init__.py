"""Components from other programs' files, and into them: Timor's module JSON, URDF."""
