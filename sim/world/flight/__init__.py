"""The ways to fly: free, among stops and walls, among pins and holes; and the choice between them."""
