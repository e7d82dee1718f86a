"""The WebSocket of a table: a session that answers messages, and the transports that carry them."""
