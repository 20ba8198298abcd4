"""Files as they come, of others and damaged ones: tables of any dialect, MCAP record by record, ROS bags."""
