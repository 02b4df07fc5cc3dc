"""The API: addresses, the shapes that go over the wire, and streams."""
