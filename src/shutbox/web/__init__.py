"""The browser table: shutbox over HTTP, for people in browsers and for programs."""
