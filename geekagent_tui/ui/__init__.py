"""The full-screen interface: draws events, sends intents."""
