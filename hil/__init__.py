"""The loop and its daemon: vocabulary shared by all packages, and the programs that join them."""
