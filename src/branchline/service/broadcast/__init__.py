"""What a reader is told: a table in memory, its connections, and the messages they are sent."""
