"""What campaigns of many runs share: workers on this machine or a cluster, and the folder of the results."""
