"""The host's tools: what is kept, looked at and changed beside the servers that run."""
