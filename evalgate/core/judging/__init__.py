"""Judged runs: what is run, what is asked, what an answer is worth, and the results they make."""
