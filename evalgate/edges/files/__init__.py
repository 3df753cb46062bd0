"""Files in and out: one strict reader, one atomic writer."""
