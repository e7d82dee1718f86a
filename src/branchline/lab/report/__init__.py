"""Results for people: tables in the terminal and pages in HTML.

`terminal` prints tables. `arena_page` and `study_page` make the pages from the parts in `page`, the
charts in `charts`, the map in `board_drawing` and the templates in `templates`.
"""
