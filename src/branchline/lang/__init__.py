"""The words that people read: one folder of message files for each language, and the rule list."""
