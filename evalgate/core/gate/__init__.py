"""From the runs of two sides to findings and a verdict, group by group."""
