"""Who asks, and how often: the secrets of browsers and seats, and limits on what comes in."""
