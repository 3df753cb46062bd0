"""Tests of the action as its users run it: a container engine, a runner, and nothing of it made up."""
