"""The rules that a form for a new table has come to, once a box or a match was chosen in it.

The form says what was chosen when its page was drawn, in `game_was` and `preset_was`, so that a new
choice is known without script, too. A choice that changes rules set by hand waits for `take`.
"""

from dataclasses import dataclass

from shutbox.errors import ShutboxError
from shutbox.games.catalogue import find
from shutbox.match import presets
from shutbox.web.http.requests import Form
from shutbox.web.pages.own_box import OwnBox, own_box
from shutbox.web.rooms.evenings import FIRST, Choice, Rules, choose


@dataclass(frozen=True, slots=True)
class RulesQuestion:
    """A choice that the host has to agree to first."""

    title: str
    choice: Choice


@dataclass(frozen=True, slots=True)
class FormRules:
    """What stands in a form."""

    own: OwnBox
    rules: Rules
    before: str
    """The box that comes back once no preset is chosen any more."""
    choice: Choice | None = None
    """What was chosen and has changed the rules."""
    question: RulesQuestion | None = None


def form_rules(form: Form) -> FormRules:
    """Return the rules that a form has come to."""
    preset, is_new = presets().get(form.one("preset")), not form.all("preset_was")
    game = form.one("game") or (preset.game if preset else FIRST)
    game_was = form.one("game_was") or game
    was = form.one("preset" if is_new else "preset_was")
    own = own_box(game_was, form.changed("game", game_was))
    now = Rules(f"{own.game}({own.code})" if own.code else own.game, was, form.one("format"))
    before = form.one("game_before") or (
        FIRST if is_new and preset and not form.one("game") else ""
    )
    wanted, chosen = form.one("preset"), before
    if game != game_was:
        chosen = ""
    elif wanted != was:
        game = preset.game if preset else before or game_was
        chosen = (before or own.game) if preset else ""
    if (game, wanted) == (game_was, was) or form.one("take") == "no":
        return FormRules(own, now, before)
    try:
        choice = choose(now, game, wanted)
    except ShutboxError:  # what is wrong with one of them is told of that box
        return FormRules(own_box(game, form), Rules(game, wanted, now.format), chosen)
    if choice.asks and form.one("take") != "yes":
        chosen_preset = presets().get(wanted) if wanted != was else None
        title = chosen_preset.title if chosen_preset else find(game).card().title
        return FormRules(own, now, before, question=RulesQuestion(title, choice))
    return FormRules(own_box(choice.rules.game, Form([])), choice.rules, chosen, choice)
