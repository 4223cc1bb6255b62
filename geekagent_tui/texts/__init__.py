"""The catalogue: every string a user can see, by area.

Each area is a frozen dataclass whose defaults are the Chinese texts; another language is another instance.
Fields are plain strings for ``str.format`` with named fields, so a translation can reorder them.
"""
