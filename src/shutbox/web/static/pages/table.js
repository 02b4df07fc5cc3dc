// The page of a table: passes presses, keys and links to the TablePage.

import "../view/language.js";
import { calmly } from "../input/calmly.js";
import { listen } from "../input/shortcuts.js";
import { skipByPress } from "../input/skipping.js";
import { takeTyped } from "../input/typed.js";
import { captionOf } from "../model/caption.js";
import { mayHurry } from "../model/pace.js";
import { sumWords } from "../model/sentences.js";
import { onReach, onUnsaved, untilAnswered } from "../net/api.js";
import { arriveBy } from "../table/arrival.js";
import "../table/push.js";
import { TablePage } from "../table/table_page.js";
import * as caption from "../view/caption.js";
import { byId, onSubmit } from "../view/dom.js";
import { withoutMuted } from "../view/hush.js";
import { onNotice, onSkipped, say } from "../view/live_region.js";
import { listenToPhrases } from "../view/phrases.js";
import { changeSetting, onChange, settings, takeOver } from "../view/settings.js";
import { handOnResult, handOnTry } from "../view/share.js";
import * as sound from "../view/sound.js";

const page = new TablePage(withoutMuted(JSON.parse(byId("boot").textContent)));
const { actions, commands, showing, throwing } = page;

const onClick = (id, does) => byId(id).addEventListener("click", does);

// The box and its buttons

const meaning = () => [showing.isFlying, page.main.do, page.main.choice ?? page.view.table?.throws].join(" ");
onClick("go", calmly(meaning, ({ detail }) => (detail ? commands.go() : commands.enter())));
onClick("undo", () => commands.undo());
onClick("correct", () => commands.correct());
onClick("roll-cancel", () => commands.leaveDice());
onClick("end-scan", () => changeSetting("scan", false));
byId("roll").addEventListener("keydown", ({ key }) => key === "Escape" && commands.clear());
onSubmit(byId("hand"), () => commands.takeHand());
onSubmit(byId("many"), () => actions.choose(byId("many-choice").value));
onSubmit(byId("typing"), () => {
  const typed = byId("typed").value.trim();
  byId("typed").value = "";
  actions.runTyped(() => {
    showing.finish();
    takeTyped(page, typed);
  }, actions.busy || actions.throws);
});
listen(page);

// A press lets dice in the air rest. Tiles that fall are told at once, and the press goes on. What is
// typed counts.
skipByPress({
  moves: ({ type, key, target }) => {
    const isMain = type === "keydown" ? key === "Enter" : target.closest?.("#go");
    if (showing.isFalling) showing.finish();
    if (page.welcome.isOn) return true;
    if (type === "keydown" && (!["Enter", " ", "Escape"].includes(key) || target.value)) return false;
    return showing.isFlying && !(isMain && mayHurry(page.view, page.you, settings));
  },
  skip: () => {
    sound.hush();
    if (page.welcome.finish()) return;
    sound.settle(showing.events.at(-1).view.table.thrown);
    showing.finish();
  },
});

// Dice do not fly while the page is hidden.
document.addEventListener("visibilitychange", () => {
  if (document.hidden) showing.finish();
  throwing.throwByItself();
});

// The tools

// A press opens the drawer when the hint has arrived, and a second press closes it.
onClick("hint", (event) => {
  if (byId("tool-hint").open) return;
  event.preventDefault();
  commands.hint();
});
onClick("share", () => {
  const { view, you, verdict, log: { story } } = page;
  if (verdict.day) handOnTry(verdict.day);
  // The readers of a shared result are other people, so it must not say "you".
  else handOnResult(view, captionOf(view, { ...you, seats: [] }), you, story.throws);
});
listenToPhrases((body) => actions.toRoom("say", body));
onChange(() => page.refresh()); // the digits on buttons appear and disappear
onNotice(caption.notice);
onSkipped((number) => {
  sound.playCues("skipped");
  return sumWords(page.view, page.you, number).join(" ");
});
onUnsaved((sentences) => page.offerRetry(sentences));

// Without a network

const ask = () => untilAnswered(page.sync.ask(), say);
onClick("again", ask);
addEventListener("online", () => page.isLost && ask());
onReach((is) => page.isLost === is && page.connectionChanged(!is, !is));

page.begin();
takeOver();
arriveBy(page);
addEventListener("hashchange", () => page.refresh());
