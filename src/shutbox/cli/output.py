"""What the commands print for programs."""


def print_json(value: object) -> None:
    """A value as JSON."""
    import json  # only commands with --json need it

    print(json.dumps(value, indent=2))
