"""Side-by-side timings against what others use."""
