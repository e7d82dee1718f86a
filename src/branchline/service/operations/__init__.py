"""What the host of a server works with: settings, logs, metrics, addresses to listen on."""
