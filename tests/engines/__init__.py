"""Engines that need an environment of their own."""
