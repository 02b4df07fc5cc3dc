// What a page loads later: for the end of a game or its dice, and for single-switch mode.

import "../view/language.js";
import { Ring } from "../input/ring.js";
import { checkDice } from "../model/sealed_dice.js";
import { card, drawnAccount } from "../view/account.js";
import { pictureOf } from "../view/share_picture.js";
import { isBest, warmLine } from "../view/warm_line.js";

export const late = { Ring, card, checkDice, drawnAccount, isBest, pictureOf, warmLine };
