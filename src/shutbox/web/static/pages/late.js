// What a page loads only when it is needed: at the end of a game its verdict, its postcard and the
// check of its dice; in single-switch mode the ring.

import "../view/language.js";
import { Ring } from "../input/ring.js";
import { checkDice } from "../model/sealed_dice.js";
import { card, drawnAccount } from "../view/account.js";
import { pictureOf } from "../view/share_picture.js";
import { isBest, warmLine } from "../view/warm_line.js";

export const late = { Ring, card, checkDice, drawnAccount, isBest, pictureOf, warmLine };
