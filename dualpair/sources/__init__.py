"""Input formats: each module reads one format and returns the `stereotypes` table."""
