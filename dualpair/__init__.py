"""dualpair: measures stereotypes in language models from log-probabilities of dual minimal pairs."""

__version__ = "0.1.0"
