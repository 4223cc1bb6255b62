"""The seam between the terminal and Textual: what is read from the keyboard, and where the real cursor stands."""
