"""Editing a message: what Textual's ``TextArea`` leaves open for Chinese, for graphemes and for long pastes."""
