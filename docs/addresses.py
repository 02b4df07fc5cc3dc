"""A page with every address of the API, generated from its OpenAPI document for the site."""

from collections.abc import Iterator
from json import dumps
from typing import Any

from shutbox.web.actions.registry import ACTIONS
from shutbox.web.api.openapi import document

HEAD = """# Every address of the API

The requests and answers of each address, generated from the document that a server offers at
`/api/openapi.json`. [Playing over HTTP](../api.md) explains them with a program.
"""


def page() -> str:
    """Return the page as Markdown: a section for each address, then one for each shape."""
    told = document(ACTIONS)
    parts = [HEAD]
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            parts += _address(f"{method.upper()} {path}", operation)
    parts.append("## The shapes\n\nA field with a question mark can be left out.\n")
    answers = told["components"]["examples"]
    for name, shape in sorted(told["components"]["schemas"].items()):
        parts += [f"### {name}\n", *_about(shape), *_fields(shape)]
        if name in answers:
            parts.append(_json(answers[name]["value"]))
    return "\n".join(parts)


def _address(title: str, operation: dict[str, Any]) -> Iterator[str]:
    """Yield the section of an address: what it takes, what it gives, and how it refuses."""
    yield f"## `{title}`\n\n{operation['summary']}\n"
    for one in operation["parameters"]:
        about = one.get("description", "part of the address")
        yield f"- `{one['name']}`, in the {one['in']}: {about}."
    [(media, body)] = operation.get("requestBody", {"content": {"": None}})["content"].items()
    if body is not None:
        yield f"- Takes {_type(body['schema'])} as `{media}`."
    refusals = []
    for status, answer in operation["responses"].items():
        [(media, given)] = answer["content"].items()
        if status < "400":
            yield f"- Answers {status} with {_type(given['schema'])} as `{media}`."
        else:
            refusals.append(status)
    yield f"- Refuses with {', '.join(refusals)}.\n"
    if body is not None and "example" in body:
        yield _json(body["example"])


def _json(value: Any) -> str:
    return f"```json\n{dumps(value, indent=2, ensure_ascii=False)}\n```\n"


def _about(shape: dict[str, Any]) -> Iterator[str]:
    if shape.get("description"):
        yield f"{shape['description']}\n"
    if "enum" in shape:
        yield f"One of {_words(shape['enum'])}.\n"
    if "anyOf" in shape:
        yield f"{_type(shape)}.\n"


def _fields(shape: dict[str, Any]) -> Iterator[str]:
    """Yield a table of the fields of a shape."""
    properties = shape.get("properties", {})
    if properties:
        yield "| field | type | meaning |\n|---|---|---|"
    for name, field in properties.items():
        mark = "" if name in shape.get("required", ()) else "?"
        about = field.get("description", "").replace("|", "or")
        yield f"| `{name}{mark}` | {_type(field)} | {about} |"
    if properties:
        yield ""


def _type(schema: dict[str, Any]) -> str:
    """Return the type of a value in words, with a link to the shape it names."""
    match schema:
        case {"$ref": str(place)}:
            name = place.rpartition("/")[2]
            return f"[{name}](#{name.lower()})"
        case {"allOf": [one]}:
            return _type(one)
        case {"enum": words}:
            return _words(words)
        case {"const": word}:
            return _words([word])
        case {"anyOf": kinds}:
            return " or ".join(map(_type, kinds))
        case {"type": "array", "items": items}:
            return f"list of {_type(items)}"
    return str(schema.get("type", "any value"))


def _words(words: list[Any]) -> str:
    return " or ".join(f"`{dumps(word)}`" for word in words)
