"""x"""
def figures(quick): return []
