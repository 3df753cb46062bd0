"""The outside world: files, clock, bundled data. The only box that is impure."""
