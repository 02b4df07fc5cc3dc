"""The push subscription of a device, so that its player is told when it is their turn."""

from shutbox.errors import NotUnderstood
from shutbox.web import limits
from shutbox.web.actions.context import Caller
from shutbox.web.actions.replies import PushReply
from shutbox.web.errors import NotAllowed
from shutbox.web.rooms.link_keys import hashed
from shutbox.web.rooms.ports import Subscription
from shutbox.web.rooms.requests import Plain, Subscribe


async def push_key(who: Caller, asked: None) -> PushReply:
    """Return the public key that a browser needs to subscribe; empty if push is off here."""
    return PushReply(who.services.push.key)


async def subscribe(who: Caller, asked: Subscribe) -> PushReply:
    """Store the push subscription of the caller's device, which replaces its earlier one.

    Raises NotUnderstood for an unknown push service, for invalid keys and if push is off here,
    NotAllowed for a caller without a device, TooOften and NotKept.
    """
    await who.count(limits.SUBSCRIPTIONS_OF_ADDRESS, "subscriptions")
    found = Subscription(asked.endpoint, asked.p256dh, asked.auth)
    if not who.services.push.accepts(found):
        raise NotUnderstood("this server does not send messages to that push service")
    if not who.device:
        raise NotAllowed("only a browser can be told, and it is known by its cookie")
    await who.services.subscriptions.store(hashed(who.device), who.services.rooms.now(), found)
    return PushReply(who.services.push.key)


async def unsubscribe(who: Caller, asked: Plain) -> PushReply:
    """Delete the push subscription of the caller's device, if there is one. Raises NotKept."""
    if who.device:
        await who.services.subscriptions.forget(device=hashed(who.device))
    return PushReply(who.services.push.key)
