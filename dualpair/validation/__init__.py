"""Human validation: samples of pairs that native speakers judge, and the sheets that carry them."""
