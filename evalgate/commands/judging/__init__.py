"""Judged runs: questions asked under a cap, many at once, and every answer kept."""
