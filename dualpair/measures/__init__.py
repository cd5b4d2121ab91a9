"""Measures on log-probabilities: pure functions on arrays and frames, no models and no files."""
