"""Every action in a room: its name and address, what it takes and gives, and who may do it.

From here come the routes of the API, the forms of the pages, the OpenAPI document and the test of
who may do what. A new action is one row here, one command, and its event.
"""

from shutbox.messages import gettext_noop
from shutbox.web.actions import play, seats
from shutbox.web.actions.action import Action, arranged
from shutbox.web.actions.replies import Acted
from shutbox.web.rooms import commands
from shutbox.web.rooms.permissions import Who
from shutbox.web.rooms.requests import Act, Again, AtSeat, Plain, Renew, StandIn

ACTIONS = (
    Action(
        name="act",
        address="/api/rooms/{room}/act",
        form="/r/{room}/act",
        summary=gettext_noop("Throw, choose, take back or correct."),
        takes=Act,
        gives=Acted,
        who=Who.ACTS,
        run=play.act,
    ),
    Action(
        name="leave",
        address="/api/rooms/{room}/leave",
        summary=gettext_noop("Leave a seat."),
        takes=AtSeat,
        who=Who.SITS,
        run=arranged(commands.leave),
    ),
    Action(
        name="come-back",
        address="/api/rooms/{room}/come-back",
        summary=gettext_noop("Come back to a seat."),
        takes=AtSeat,
        who=Who.SITS,
        run=arranged(commands.come_back),
    ),
    Action(
        name="stand-in",
        address="/api/rooms/{room}/stand-in",
        summary=gettext_noop("Let a computer player go on for a seat."),
        takes=StandIn,
        who=Who.FILLS,
        run=seats.stand_in,
    ),
    Action(
        name="end",
        address="/api/rooms/{room}/end",
        summary=gettext_noop("End the game by the rule about leavers."),
        takes=Plain,
        who=Who.AT_TABLE,
        run=arranged(commands.give_up),
    ),
    Action(
        name="rematch",
        address="/api/rooms/{room}/rematch",
        summary=gettext_noop("Play another game."),
        takes=Again,
        who=Who.AT_TABLE,
        run=arranged(commands.again),
    ),
    Action(
        name="renew",
        address="/api/rooms/{room}/renew",
        summary=gettext_noop("Make a link anew."),
        takes=Renew,
        who=Who.HANDS_ON,
        run=seats.renew,
    ),
)
"""In the order in which the document has them."""

BY_NAME = {action.name: action for action in ACTIONS}
