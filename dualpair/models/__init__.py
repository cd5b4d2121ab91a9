"""Language models: where their weights come from, how they are loaded, and what identifies them."""
