"""Analyses of the measures' tables: pure functions on frames."""
