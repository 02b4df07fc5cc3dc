"""Every action in a room: its name and address, what it takes and gives, and who may do it.

From here come the routes of the API, the forms of the pages, the OpenAPI document and the test of
who may do what. A new action is one row here, one command, its event, and its sentence in the
document.
"""

from shutbox.web.actions import play, seats
from shutbox.web.actions.action import Action, arranged
from shutbox.web.actions.replies import Acted
from shutbox.web.rooms.commands import again, come_back, give_up, leave
from shutbox.web.rooms.permissions import Who
from shutbox.web.rooms.requests import Act, Again, AtSeat, Plain, Renew, StandIn

ACTIONS = (
    Action("act", "/api/rooms/{room}/act", Act, Who.ACTS, play.act, Acted, "/r/{room}/act"),
    Action("leave", "/api/rooms/{room}/leave", AtSeat, Who.SITS, arranged(leave)),
    Action("come-back", "/api/rooms/{room}/come-back", AtSeat, Who.SITS, arranged(come_back)),
    Action("stand-in", "/api/rooms/{room}/stand-in", StandIn, Who.FILLS, seats.stand_in),
    Action("end", "/api/rooms/{room}/end", Plain, Who.AT_TABLE, arranged(give_up)),
    Action("rematch", "/api/rooms/{room}/rematch", Again, Who.AT_TABLE, arranged(again)),
    Action("renew", "/api/rooms/{room}/renew", Renew, Who.HANDS_ON, seats.renew),
)
"""In the order in which the document has them."""

BY_NAME = {action.name: action for action in ACTIONS}
