"""Design by the task: arms enumerated from the component database, judged at the poses they are to reach."""
