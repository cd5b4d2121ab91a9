"""One module per analysis: its frames to drawings."""
