"""How sharp the gate itself is: what it can see, and how often it stops a system that did not change."""
