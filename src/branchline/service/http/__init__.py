"""The HTTP interface: routes, middleware, answers and the files of the page."""
