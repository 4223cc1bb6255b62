"""The original program's way of reading and scoring, reproduced exactly: substrings, counted in characters."""
