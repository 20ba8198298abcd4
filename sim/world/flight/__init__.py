"""The ways to fly: free, with bodies inside, among stops and walls, among pins and holes; and the choice."""
