"""What happened to memory: who wrote which entry and when, and a journal of every change, beside memory.json."""
