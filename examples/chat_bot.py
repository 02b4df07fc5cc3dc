"""A bot for a chat: `Chat.reply(name, message)` returns what it says to the room.

`new pub Ann, Bob` begins a match, tiles such as `1 7` are a choice, and `hint` and `table` do what
they say. Any chat service can call `reply`. `python examples/chat_bot.py Ann` is a chat with one
person, in the terminal. docs/hearing.md explains this file.
"""

import sys
from collections.abc import Iterator
from typing import Any

from shutbox import Choose, Over, ShutboxError, Table, advise, find
from shutbox.engine.cups import SecretCup
from shutbox.engine.dice import Cup
from shutbox.engine.narrator import Narrator


class Chat:
    """A chat room with at most one match in progress."""

    def __init__(self, cup: Cup | None = None) -> None:
        self.cup = cup or SecretCup()
        self.table: Table[Any, Any] | None = None

    def reply(self, name: str, message: str) -> str:
        """Return the answer to a message by the person `name`. A refusal says what to write."""
        try:
            return "\n".join(self._answers(name, message.strip())).strip()
        except ShutboxError as refusal:
            return str(refusal)

    def _answers(self, name: str, text: str) -> Iterator[str]:
        table = self.table
        if text.startswith("new "):
            yield from self._begin(name, text.removeprefix("new "))
        elif table is None or isinstance(table.awaits, Over):
            yield "Write such as: new classic Ann, Bob"
        elif text == "hint":
            yield f"Best: {advise(table).best.text}."
        elif text == "table" or name != self.names[table.awaits.seat]:
            yield from (table.scene.board, table.scene.ask)
        else:
            prepared = table.prepare_choice(text, seat=table.awaits.seat)
            yield from self.narrator.after(table.apply(prepared), table.scene)
            yield from self._throw(table)

    def _begin(self, name: str, text: str) -> Iterator[str]:
        """Begin a match: `text` names the game, then the players; without any, the sender plays."""
        game, _, people = text.partition(" ")
        self.names = [one.strip() for one in (people or name).split(",")]
        self.table = Table(find(game, self.names), self.cup)
        self.narrator = Narrator(self.table.game, self.names)
        yield from self.narrator.begin()
        yield from self._throw(self.table)

    def _throw(self, table: Table[Any, Any]) -> Iterator[str]:
        """Throw until a player must choose, or the match is over; then ask."""
        while not isinstance(awaited := table.awaits, Choose | Over):
            prepared = table.prepare_throw(seat=awaited.seat)
            yield from self.narrator.after(table.apply(prepared), table.scene)
        yield table.scene.ask


if __name__ == "__main__":
    chat = Chat()
    print(chat.reply(sys.argv[1], f"new classic {sys.argv[1]}"))
    for line in sys.stdin:
        print(chat.reply(sys.argv[1], line))
