"""Figures, tables and the HTML report of a run."""
