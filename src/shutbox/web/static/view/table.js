// Draws the page of a table from its state. `page` is the TablePage.

import { gettext } from "../model/messages.js";
import { invitation, isMyTurn, leftToCover, lastPieces, offersFor } from "../model/moves.js";
import { pressableKeys } from "../model/picking.js";
import { hasRows, isForAll } from "../model/rows.js";
import { aimOf, beginWords, turnWords } from "../model/sentences.js";
import { drawMoves, drawResult } from "./controls.js";
import { byId } from "./dom.js";
import { drawAddress } from "./invite.js";
import { drawPencils } from "./lobby.js";
import { drawBubble, thingsOf } from "./phrases.js";
import { drawPlates, drawRail } from "./plates.js";
import { drawQuestions } from "./questions.js";
import { drawSheet } from "./sheet.js";

/** Draws what is there even before the first game: players, links and the lobby. */
export function drawRoom({ view, you, watching, final, kept, seats, lobby, welcome }) {
  const { table } = view;
  for (const id of ["table", "controls", "questions"]) byId(id).hidden = !table;
  seats.draw({ ...view, watching }, you);
  drawAddress(invitation(view, you));
  drawPlates(final?.view ?? view, you, { last: final?.seat, hasPicked: Boolean(kept) });
  welcome.draw();
  drawBubble(view, you);
  drawPencils(you, view.phase, () => lobby.ask());
  lobby.draw(view, you);
  drawSheet(table);
  const names = { turn: turnWords(view, you), title: view.title };
  document.title = gettext("{turn}: {title}, shutbox", names);
}

/** Draws the box, the buttons and what belongs to the game. */
export function drawTable(page) {
  const { view, you, final, selection, commands, guide, realDice, verdict, welcome } = page;
  const { table, settings } = view;
  drawRail(final?.view ?? view, you, !welcome.isOn);
  drawBoard(page);
  drawMoves(page);
  drawQuestions(table, (key) => commands.answer(key));
  byId("typing").hidden = !you.seats.length;
  guide.draw(view, you, selection.keys);
  realDice.draw(table, settings.dice === "hand" && isMyTurn(view, you) && table.does === "throw");
  drawResult(view, you);
  verdict.draw(view, you);
}

/** Draws the box. After a turn has ended, shows its final board until the next turn begins. */
function drawBoard({ board, view, you, final, welcome, selection: { keys: picked } }) {
  const { table, phase } = view;
  const offers = offersFor(view, you);
  const isQuick = hasRows(table) && table.thrown.length && !isMyTurn(view, you); // dice lie till the next throw
  const whose = final || isQuick || welcome.isOn ? "" : beginWords(view, you);
  board.draw(final ? lastPieces(final.view.table) : table.pieces, {
    pickable: pressableKeys(table.pieces, offers, picked),
    picked,
    only: offers.length === 1 && !picked.length ? offers[0].takes : [],
    left: leftToCover(view, you, picked),
    isForAll: isForAll(table),
    pot: table.pot,
    last: whose ? [] : table.thrown,
    thrown: table.thrown_at,
    begins: whose,
    aim: whose && aimOf(view, you),
    rollsLeft: phase === "playing" ? table.rolls_left ?? null : null,
    things: phase === "playing" ? thingsOf(view, you) : [],
  });
}
