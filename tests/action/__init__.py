"""Tests of the action's own files."""
