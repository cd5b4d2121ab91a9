"""What each model stage asks, how the answers become its table, and the arguments that its two commands share."""
