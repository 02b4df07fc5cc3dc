"""The commands to a room: each one returns events that have not happened yet, or raises a refusal.

No event is applied here. A table only prepares its moves, and they happen once they are stored.
"""

import re
import time
from collections.abc import Collection
from dataclasses import replace
from typing import Any

from shutbox import __version__
from shutbox.engine.cups import HandCup, NumberedCup, SealedCup
from shutbox.engine.errors import IllegalRoll, NotYourTurn, OutOfDate
from shutbox.engine.game import Game, Throw
from shutbox.engine.names import are_alike, default_name
from shutbox.engine.play import Chosen, Prepared
from shutbox.engine.sealed_dice import OpenEnvelope, fit_word
from shutbox.engine.seats import Seat, check_seats, read_name
from shutbox.record import Source
from shutbox.record.lines import event_of, event_text_of
from shutbox.table.setup import Sitting, game_of_seats
from shutbox.table.today import Day
from shutbox.web.errors import FASTER, NameNeeded, NoFreeSeat, NotAllowed
from shutbox.web.rooms import events, requests
from shutbox.web.rooms.access import Viewer, absent_seats, check_open, is_alone
from shutbox.web.rooms.changes import Events, RoomChange
from shutbox.web.rooms.room import INVITATION, WATCHERS, Room
from shutbox.web.rooms.sealing import new_envelope


def act(room: Room, request: requests.Act, day: Day | None = None) -> Events:
    """Return the events of a throw, a choice (or several in a row), a take-back or a correction.

    A throw puts typed dice, or those of `day`, into the table's cup; a box of the day cannot be
    thrown without `day`. A first throw seals the dice. Raises OutOfDate for another game or
    version; NotAllowed if no game has begun, it was ended, a try is over or the player has left;
    NotYourTurn, IllegalRoll and the rules' errors.
    """
    table, do, seat = room.playing(), request.do, request.seat
    if (request.game, request.version) != (room.game_number, table.version):
        raise OutOfDate(FASTER)
    if room.given_up:
        raise NotAllowed("the game was ended")
    if room.is_of_day and room.phase == "over":
        raise NotAllowed("this try is over and cannot be changed")
    state = room.seats[seat]
    by_hand = room.opened.dice == "hand"
    if state.left and not state.computer:
        raise NotAllowed("{name} has left the table and must come back first", name=state.name)
    if seat in table.bots and not (by_hand and do in ("throw", "correct")):
        raise NotYourTurn("{name} is away, and a computer player has taken over", name=state.name)
    # The table of a box of the day has a HandCup, too, so it would allow a correction.
    brings_dice = request.roll if do == "throw" else room.is_of_day and do == "correct"
    if brings_dice and not by_hand:
        raise IllegalRoll("the server throws the dice here; you cannot type them")
    match do:
        case "choose":
            line = table.prepare_line(request.choice, seat=seat, rolls=by_hand)
            return _move_events(room, *line)
        case "take-back":
            return _move_events(room, table.prepare_take_back(seat=seat))
        case "correct":
            return _move_events(room, table.prepare_correction(request.roll, seat=seat))
        case "throw":
            if room.is_of_day:
                table.cup = HandCup() if day is None else NumberedCup(day.seed, table.throws)
            cup, due = table.cup, table.awaits
            if isinstance(cup, HandCup) and isinstance(due, Throw) and due.seat == seat:
                cup.show(due.dice.read(request.roll))
            return (*seal(room), *_move_events(room, table.prepare_throw(seat=seat)))


def computer_acts(room: Room, text: str | None = None) -> Events:
    """Return the move of the computer player due: its own throw or choice, or the choice `text`.

    A first throw seals the dice. Raises NotAllowed before the first game, and what
    `Table.prepare_bot` or the game's `parse_choice` raises.
    """
    table = room.playing()
    if text is None:
        sealing = seal(room) if isinstance(table.awaits, Throw) else ()
        return (*sealing, *_move_events(room, table.prepare_bot()))
    choice = table.game.parse_choice(table.position, text)
    return _move_events(room, table.prepare(Chosen(choice)))


def _move_events(room: Room, *moves: Prepared[Any, Any]) -> Events:
    """Return the events of some moves, which the room holds as they are until these are stored."""
    game, sealed = moves[0].game, room.dice is not None
    room.prepared = []
    for move in moves:
        text = str(event_text_of(game, move.event, move.before if sealed else None))
        room.prepared.append((events.Played(move.seat, text), move))
    if "." in re.split(r"[(\[]", game.name)[0]:  # of a plugin: what fails here must not be stored
        for played, move in room.prepared:
            event_of(game, move.before, played.deed, sealed=sealed)
            game.awaits(move.after)
            game.scene(move.after)
    return tuple(played for played, _ in room.prepared)


def enter(room: Room, opens: int, name: str | None, now: float) -> Events:
    """Return the events that seat a guest at `opens`, or at any free seat for the INVITATION.

    The last guest also begins the game. If the seat `opens` is taken, returns (). A blank `name`
    keeps the name of the seat. Raises NameNeeded for None, BadName, NoFreeSeat and RoomClosed.
    """
    if opens != INVITATION and room.seats[opens].taken:
        return ()
    check_open(room)
    if not room.free:
        raise NoFreeSeat("the last seat has just been taken; ask for the link to watch")
    if name is None:
        raise NameNeeded("type your name to take this seat", opens)
    seat = _choose_seat(room, name) if opens == INVITATION else opens
    clean = _fit_name(room, seat, name) if name.strip() else room.seats[seat].name
    return (events.Entered(seat, clean), *begin(room, now, taking=seat, name=clean))


def _fit_name(room: Room, seat: int, name: str) -> str:
    """Return a name as `read_name` cleans it. Raises BadName if it does not suit the seat."""
    seats = room.seats_with(seat, clean := read_name(name))
    check_seats(seats)
    return clean


def rename(room: Room, request: requests.NameSeat, viewer: Viewer, now: float) -> Events:
    """Return the event that a player takes a name. Raises BadName if it does not suit the seat."""
    return (events.Named(request.seat, _fit_name(room, request.seat, request.name)),)


def clear_name(room: Room, request: requests.AtSeat, viewer: Viewer, now: float) -> Events:
    """Return the event that resets a person's name to `Player N`. Raises NotAllowed without one."""
    state = room.seats[request.seat]
    if state.computer or not state.taken or not state.named:
        raise NotAllowed("there is no name to clear")
    return (_unname(request.seat),)


def _unname(seat: int) -> events.Named:
    return events.Named(seat, default_name(seat))


def say(room: Room, request: requests.Say, viewer: Viewer, now: float) -> Events:
    """Return the event of a player who says a phrase.

    Raises NotAllowed without other players, and for a second phrase of the seat since a throw.
    """
    if not room.others(viewer.seats):
        raise NotAllowed("nobody else is at the table")
    if room.seats[request.seat].phrase:
        raise NotAllowed("one phrase for each throw")
    return (events.Said(request.seat, request.phrase),)


def _choose_seat(room: Room, name: str) -> int:
    """Return the free seat named like this guest, else the lowest unnamed, else the lowest.

    A name that the opener gave reserves a seat for a guest of that name.
    """
    like = (seat for seat in room.free if are_alike(room.seats[seat].name, name))
    return next(like, min(room.free, key=lambda seat: room.seats[seat].named))


def begin(
    room: Room, now: float, *, taking: int | None = None, name: str = "", kind: str = ""
) -> Events:
    """Return the event that begins the first game; () if it has begun or a seat is free.

    `taking` is a free seat that counts as taken, under `name` if given, by a computer player of
    this `kind` if given. Raises the game's errors.
    """
    if room.table is not None or {*room.free} - {taking}:
        return ()
    plan, seats = room.opened, room.seats_with(taking if name else None, name, kind)
    game = game_of_seats(plan.game, seats, plan.format)
    source = Source(plan.dice, day=room.day)
    sitting = Sitting.begin(game, seats, source, **_stamp(now), position=plan.position)
    return (events.Begun(bytes(sitting.header).decode()),)


def _stamp(now: float) -> dict[str, str]:
    """Return `program` and the UTC time `begun` for the header of a record that begins now."""
    begun = time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(now))
    return {"program": f"shutbox {__version__}", "begun": begun}


def give_word(room: Room, request: requests.GiveWord, viewer: Viewer, now: float) -> Events:
    """Return the event of a client's word for the dice; () if the client has given the same word.

    Raises OutOfDate for another game; NotUnderstood for a word that `fit_word` refuses; and
    NotAllowed after the first throw, for another word, or for any but the caller's lowest seat.
    """
    dice, word = room.dice, fit_word(request.word)
    if dice is None or dice.gid != request.gid:
        raise OutOfDate("another game has begun already")
    if request.seat != min(viewer.seats):
        # Translators: a player gives a word of their own, which is mixed into the sealed dice.
        raise NotAllowed("a client gives one word, for the lowest of its seats")
    if dice.word_texts[request.seat] == word:
        return ()
    if dice.seal or dice.given[request.seat]:
        raise NotAllowed("the word of this seat is fixed already")
    return (events.Diced("word", word, request.seat),)


def seal(room: Room) -> Events:
    """Return the event that seals the dice of a first throw; () if they are sealed or not to be."""
    if room.dice is None or room.dice.seal:
        return ()
    return (events.Diced("seal", room.dice.seal_of_words.digest.hex()),)


def unseal(room: Room) -> Events:
    """Return the event that opens a sealed envelope; else (). Raises OutOfDate without the seed."""
    cup = room.table.cup if room.table else None
    if room.dice is None or room.dice.state != "sealed":
        return ()
    if not isinstance(cup, SealedCup):
        raise OutOfDate(FASTER)
    return (events.Diced("open", OpenEnvelope(cup.seed, room.dice.word_texts).text),)


def rematch(room: Room, request: requests.Again, viewer: Viewer, now: float) -> Events | RoomChange:
    """Return the change that begins a rematch, or asks for one if others have not answered yet.

    Raises OutOfDate in a later game; NotAllowed before the end, if refused, or at a box of the day.
    """
    _check_ended(room, request.game)
    if room.is_of_day:
        raise NotAllowed("you can try the box of a day only once")
    others = room.others(viewer.seats)
    if any(room.seats[seat].wants_rematch is False for seat in others):
        raise NotAllowed("another player wants no more games")
    mine = [seat for seat in sorted(viewer.seats) if room.seats[seat].is_present]
    if mine and any(room.seats[seat].wants_rematch is None for seat in others):
        return tuple(events.RematchAnswer(s, True) for s in mine if not room.seats[s].wants_rematch)
    table, sitting = room.playing(), room.sitting
    assert sitting is not None  # it came with the table
    if room.dice:  # the header of the next game gets its seal later
        sitting = replace(sitting, header=replace(sitting.header, dice=Source()))
    begun = events.Begun(bytes(sitting.next_game(table.position, **_stamp(now)).header).decode())
    if room.dice is None:
        return (begun,)
    envelope, seed = new_envelope()
    return RoomChange((*unseal(room), begun, envelope), seed=seed)


def decline(room: Room, request: requests.Decline, viewer: Viewer, now: float) -> Events:
    """Return a "no" to a rematch. Raises OutOfDate in a later game, NotAllowed early or twice."""
    _check_ended(room, request.game)
    if room.seats[request.seat].wants_rematch is False:
        raise NotAllowed("you have declined already")
    return (events.RematchAnswer(request.seat, False),)


def _check_ended(room: Room, game: int) -> None:
    if game != room.game_number:
        raise OutOfDate("another game has begun already")
    if not room.game_number:
        raise NotAllowed("this game has not begun yet")
    if room.phase not in ("over", "ended"):
        raise NotAllowed("this game is not over yet")


def leave(room: Room, request: requests.AtSeat, viewer: Viewer, now: float) -> Events:
    """Return the event that a player leaves. Raises NotAllowed if the player has left already."""
    state = room.seats[request.seat]
    if state.left:
        raise NotAllowed("{name} has left already", name=state.name)
    return (events.Left(request.seat),)


def remove_players(room: Room, mine: Collection[int]) -> Events:
    """Return the events that remove the players at `mine` and their names. Raises RoomClosed."""
    check_open(room)
    gone = [events.Left(seat) for seat in sorted(mine) if not room.seats[seat].left]
    return (*gone, *(_unname(seat) for seat in sorted(mine) if room.seats[seat].named))


def come_back(room: Room, request: requests.AtSeat, viewer: Viewer, now: float) -> Events:
    """Return the event of a return. Raises NotAllowed unless the player left or was replaced."""
    state = room.seats[request.seat]
    if state.is_present:
        raise NotAllowed("{name} is at the table", name=state.name)
    return (events.CameBack(request.seat),)


def stand_in(room: Room, request: requests.StandIn, viewer: Viewer, now: float) -> Events:
    """Return the events by which a computer player takes a free seat or replaces an absent player.

    If no seat is free then, the first game begins. Raises what `seats_with_stand_in` raises; and
    for a taken seat, NotAllowed unless its player is among `absent_seats` and replacing players was
    agreed. The caller checks that the computer player can play here.
    """
    state, plan = room.seats[request.seat], room.opened
    if state.taken and request.seat not in absent_seats(room, now, viewer.seats):
        raise NotAllowed("{name} has not left", name=state.name)
    if state.taken and plan.leaver not in ("computer", "any"):
        raise NotAllowed("no computer player can take over here: that was agreed before the game")
    _, seats = seats_with_stand_in(room, request)
    kind = seats[request.seat].computer
    name = "" if state.taken else room.display_name(request.seat, kind)
    begun = begin(room, now, taking=request.seat, name=name, kind=kind)
    return (events.StoodIn(request.seat, kind), *begun)


def seats_with_stand_in(room: Room, request: requests.StandIn) -> tuple[Game[Any, Any], list[Seat]]:
    """Return the game and its seats after a computer player takes a free seat or replaces a player.

    Raises BadName if names clash, and at a taken seat NotAllowed for a kind other than agreed: the
    players who wait do not choose how well the absent player's seat is played.
    """
    plan, state, kind = room.opened, room.seats[request.seat], request.computer
    if state.taken and kind not in ("", plan.stand_in):
        raise NotAllowed("only the computer player agreed before the game can take over here")
    seats = [Seat(s.name, s.computer) for s in room.seats]
    seats[request.seat] = Seat(state.name, kind or plan.stand_in)
    return game_of_seats(plan.game, seats, plan.format), seats


def give_up(room: Room, request: requests.Plain, viewer: Viewer, now: float) -> Events:
    """Return the event that ends a game without a winner.

    Raises NotAllowed if none is on; unless `is_alone`, also if not agreed before or nobody is away.
    """
    if room.phase != "playing":
        raise NotAllowed("there is no game to end")
    if not is_alone(room, viewer.seats):
        if room.opened.leaver not in ("end", "any"):
            raise NotAllowed("this game cannot be ended early: that was agreed before it began")
        if not absent_seats(room, now, viewer.seats):
            raise NotAllowed("nobody has left")
    return (events.GivenUp(),)


def renew(room: Room, request: requests.Renew) -> Events:
    """Return the event that renews a seat or watch link. Raises NotAllowed for computers' seats."""
    if request.seat != WATCHERS and room.seats[request.seat].plan.computer:
        raise NotAllowed("there is no link for this seat")
    return (events.Renewed(request.seat),)
