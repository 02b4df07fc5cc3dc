// What a page loads only once a game has ended: the check of its dice, the line below it, its postcard.

import "../view/language.js";
import { checkDice } from "../model/sealed_dice.js";
import { pictureOf } from "../view/share_picture.js";
import { warmLine } from "../view/warm_line.js";

export const late = { checkDice, pictureOf, warmLine };
