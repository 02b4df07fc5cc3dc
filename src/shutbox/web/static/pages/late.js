// What a page loads only once a game has ended: its verdict, its postcard and the check of its dice.

import "../view/language.js";
import { checkDice } from "../model/sealed_dice.js";
import { card, drawnAccount } from "../view/account.js";
import { pictureOf } from "../view/share_picture.js";
import { isBest, warmLine } from "../view/warm_line.js";

export const late = { card, checkDice, drawnAccount, isBest, pictureOf, warmLine };
