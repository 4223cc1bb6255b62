"""Memory: text in, hits out. Pure of Textual, of the network and of any global state."""
