"""One module per analysis: its frames to a :class:`dualpair.report.section.Section`."""
