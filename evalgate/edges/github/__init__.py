"""GitHub's REST API: the only place that speaks HTTP."""
