"""Model clients: one small protocol, an OpenAI-compatible client and the offline responder."""
