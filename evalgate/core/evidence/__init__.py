"""What a job on GitHub is about, where its evidence is looked for, and which results are good enough to decide by."""
