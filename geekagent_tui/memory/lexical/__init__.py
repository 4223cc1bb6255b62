"""The profile ``lexical``: whole words, parts of identifiers and character pairs, in an index of arrays."""
