"""The API: endpoints, the types that are sent over the wire, and streams."""
