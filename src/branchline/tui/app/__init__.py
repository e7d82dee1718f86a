"""The game as a full-screen app (Textual): a map, panes, keys and the mouse.

Imported only when the app is started, so that the command needs Textual for nothing else.
"""
