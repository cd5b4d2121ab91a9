"""Filters: models that judge candidates (similarity, natural language inference) and the selection by thresholds."""
