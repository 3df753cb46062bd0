"""Statistics of a drop: one test, its interval, the family's correction, and what it can detect."""
