"""Paraphrases and alternates: prompts, requests, decoding, answer parsing, hygiene, candidates."""
