"""How the schema came to be. `versions` has one script for each step; none is ever changed."""
