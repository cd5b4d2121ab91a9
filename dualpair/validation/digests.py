"""The hash that ids, ranks and names of validation are made of."""

from __future__ import annotations

import hashlib

from dualpair.artifacts import canonical_json


def digest(*parts: object) -> str:
    """SHA-256 of the parts as canonical JSON, 64 hexadecimal digits."""
    return hashlib.sha256(canonical_json(parts).encode()).hexdigest()
