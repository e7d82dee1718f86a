"""The table server: people and bots at the same tables, over HTTP and WebSocket."""
