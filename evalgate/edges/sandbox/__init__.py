"""Recorded calls run again where they can do no harm: a copy of the case, an empty environment, no network."""
