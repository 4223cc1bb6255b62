"""Tools the model can call, behind one registry and one gate."""
