// What a page loads later: for hints, for the end of a game or its dice, and for one switch.

import "../view/language.js";
import { Ring } from "../input/ring.js";
import { checkDice } from "../model/sealed_dice.js";
import { card, drawAccount } from "../view/account.js";
import { hintParts } from "../view/hint_list.js";
import { pictureOf } from "../view/share_picture.js";
import { isBest, warmLine } from "../view/warm_line.js";

export const late = { Ring, card, checkDice, drawAccount, hintParts, isBest, pictureOf, warmLine };
