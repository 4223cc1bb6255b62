"""ls, read, glob, search, write, patch: files below the project's root, and nothing outside of it."""
