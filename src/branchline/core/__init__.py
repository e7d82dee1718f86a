"""What everything else builds on: boards and map files, messages, random streams, graphs."""
