"""Notices to people who are away from the table when it is their turn: web push and webhooks."""
