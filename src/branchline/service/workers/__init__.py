"""Worker processes: for bots, and for what strangers send. Queues that are fair to all who wait."""
