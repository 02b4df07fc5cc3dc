// The postcard of a result, drawn on the device: the box as it ended on a table in lamp light, seen
// from 24 degrees, a brass plate with the result, and for a try at Today's box a square for each
// throw. It has no name. All lengths are pixels of the card, and the flat box is bent row by row.

import { rotationShowing, combine, rotationBy } from "../model/turning.js";
import { Paint, drawDie, drawShadow } from "./dice.js";

const WIDTH = 1200;
const HEIGHT = 630;
const FINE = 2; // the flat box is drawn at twice its size
const MIDDLE = 600; // where the eye looks, and the box stays in place: at this x and the horizon
const HORIZON = 343;
const FAR = 1560; // from the eye
const TILT = 0.4189; // of the box away from the eye, in radians, and its turn on the table
const TWIST = -0.0192;
const BOX = { x: 132, y: 38, wide: 936, rail: 55, rack: 174, rod: 9, baize: 240, lip: 31 };
const HIGH = BOX.rail + BOX.rack + BOX.rod + BOX.baize + BOX.lip;
const INSIDE = BOX.x + 23; // the left end of the inside of the box, and its width
const ACROSS = BOX.wide - 46;
const WOOD = ["#b07a45", "#8b5a2c", "#5a3515"];
const BRASS = ["#fdf0c0", "#e5bc62", "#b3812f"];
const BURNT = "#2b1903";
const SERIF = '"Shutbox Serif", serif';
const MARKS = {
  best: { paper: "#1c5a40", path: "m6 12.5 4 4L18 8" },
  close: { paper: "#8f6412", path: "M5.5 13.5c2-4 4.5-4 6.5-1.5s4.500 2.500 6.500-1.500" },
  mistake: { paper: "#a12d1c", path: "m7 7 10 10M17 7 7 17" },
};


/** Adds colours to a gradient, evenly apart, and returns it. */
function ramp(gradient, colours) {
  colours.forEach((colour, i) => gradient.addColorStop(i / (colours.length - 1), colour));
  return gradient;
}

const downwards = (context, y, high, colours) =>
  ramp(context.createLinearGradient(0, y, 0, y + high), colours);
const glow = (context, x, y, radius, colours) =>
  ramp(context.createRadialGradient(x, y, 0, x, y, radius), colours);
const sansSerif = () => getComputedStyle(document.body).fontFamily;

/**
 * Fills a rectangle with a gradient, a colour, or a list of colours from its top to its bottom.
 * `round` is the radius of its corners, and `shadow` its length downwards and its blur.
 */
function plane(context, [x, y, wide, high], fill, { round = 0, shadow = null } = {}) {
  context.save();
  if (shadow) {
    const [shadowOffsetY, shadowBlur] = shadow;
    Object.assign(context, { shadowColor: "rgb(10 4 0 / 65%)", shadowOffsetY, shadowBlur });
  }
  context.beginPath();
  context.roundRect(x, y, wide, high, round);
  context.fillStyle = Array.isArray(fill) ? downwards(context, y, high, fill) : fill;
  context.fill();
  context.restore();
}

/** Writes words around the height `y`, in at most `most` pixels. */
function write(context, words, x, y, font, { colour = BURNT, align = "center", most = 900 } = {}) {
  Object.assign(context, { font, fillStyle: colour, textAlign: align, textBaseline: "middle" });
  context.fillText(words, x, y, most);
}

/** Blends the texture of an element of the page, if it has one, with what a rectangle shows. */
async function drawGrain(context, selector, [x, y, wide, high], scale, round = 0) {
  const part = document.querySelector(selector);
  const [, src] = /url\("(.*?)"\)/.exec(part ? getComputedStyle(part).backgroundImage : "") ?? [];
  if (!src) return;
  const image = Object.assign(new Image(), { src });
  await image.decode().catch(() => {});
  if (!image.naturalWidth) return;
  const pattern = context.createPattern(image, "repeat");
  pattern.setTransform(new DOMMatrix().scale(...scale));
  context.save();
  context.beginPath();
  context.roundRect(x, y, wide, high, round);
  context.clip(); // where nothing is drawn yet, the texture itself would be seen
  context.globalCompositeOperation = "overlay";
  context.fillStyle = pattern;
  context.fillRect(x, y, wide, high);
  context.restore();
}

/** Draws a brass plate with its screws. */
function drawBrass(context, [x, y, wide, high], shadow) {
  const metal = context.createLinearGradient(x, y, x + 0.18 * high, y + 1.05 * high);
  plane(context, [x, y, wide, high], ramp(metal, BRASS), { round: 11, shadow });
  const sheen = context.createLinearGradient(x, 0, x + wide, 0.3 * high);
  const dark = ["#fff0", "#fff0", "#fff0", "#fff0"];
  plane(context, [x, y, wide, high], ramp(sheen, [...dark, "#ffffff90", ...dark]), { round: 11 });
  context.lineWidth = 4;
  context.strokeStyle = "rgb(120 76 14 / 45%)";
  context.strokeRect(x + 4, y + 4, wide - 8, high - 8);
  for (const top of [y + 19, y + high - 19]) {
    for (const left of [x + 19, x + wide - 19]) {
      const screw = glow(context, left - 2, top - 3, 10, ["#fff2c4", "#a9772a"]);
      plane(context, [left - 7, top - 7, 14, 14], screw, { round: 7 });
    }
  }
}

/** Draws a tile that stands, or lies behind its number. */
function drawTile(context, { face, isUp }, [x, y, wide, high]) {
  const size = Math.min(58, 0.4 * high, (1.15 * wide) / face.length);
  if (isUp) {
    plane(context, [x, y, wide, high], "#8a6232", { round: 6.5, shadow: [14, 14] });
    const wood = downwards(context, y, high, ["#fffaf0", "#f6e8cb", "#e8d0a0"]);
    plane(context, [x, y - 4, wide, high], wood, { round: 6.5 });
    const font = `700 ${size}px ${SERIF}`;
    write(context, face, x + wide / 2, y + high / 2, font, { colour: "#361a08" });
    return;
  }
  plane(context, [x, y, wide, high], ["rgb(0 0 0 / 76%)", "rgb(0 0 0 / 48%)"], { round: 6 });
  const font = `700 ${0.65 * size}px ${SERIF}`;
  write(context, face, x + wide / 2, y + 0.23 * high, font, { colour: "#c9a878" });
  const [top, bottom] = [y + 0.66 * high, y + high];
  context.beginPath();
  context.lineTo(x + 0.07 * wide, top);
  context.lineTo(x + 0.93 * wide, top);
  context.lineTo(x + wide, bottom);
  context.lineTo(x, bottom);
  context.fillStyle = downwards(context, top, bottom - top, ["#5d4325", "#94713f", "#b08a54"]);
  context.fill();
  plane(context, [x, bottom - 6, wide, 7], "#d8b982", { round: 3 });
}

/** Draws the racks, one row of tiles above the other. */
function drawRacks(context, rows) {
  const y = BOX.y + BOX.rail;
  plane(context, [INSIDE, y, ACROSS, BOX.rack], ["#150b04", "#3a2311", "#2c190c"]);
  const high = (BOX.rack - 25) / rows.length;
  for (const [row, tiles] of rows.entries()) {
    const step = Math.min(110, (ACROSS - 26) / tiles.length);
    const left = INSIDE + (ACROSS - step * tiles.length) / 2;
    const gap = row < rows.length - 1 ? 8 : 0;
    for (const [i, tile] of tiles.entries()) {
      const place = [left + i * step + 3.5, y + 16 + row * high, step - 7, high - gap];
      drawTile(context, tile, place);
    }
  }
}

/** Returns a canvas with the flat box: its frame, and on it the word of its lid, or its inside. */
async function flatBox({ title, detail, rows, shut }) {
  const size = { width: WIDTH * FINE, height: (HEIGHT + 90) * FINE };
  const canvas = Object.assign(document.createElement("canvas"), size);
  const context = canvas.getContext("2d");
  const { x, y, wide } = BOX;
  context.scale(FINE, FINE);
  context.translate(MIDDLE, HORIZON);
  context.rotate(TWIST);
  context.translate(-MIDDLE, -HORIZON);
  plane(context, [x, y + 18, wide, HIGH], "#3d220f", { round: 16, shadow: [90, 120] });
  plane(context, [x, y, wide, HIGH], WOOD, { round: 16 });
  await drawGrain(context, ".box", [x, y, wide, HIGH], [1.6, 1.6], 17);
  context.strokeStyle = "rgb(255 226 178 / 50%)";
  context.strokeRect(x + 8, y + 1, wide - 16, 0.5);
  if (shut) drawLid(context, shut);
  else await drawInside(context, { title, detail, rows });
  return canvas;
}

/** Draws the closed lid over the frame, with its hinges and a plate with the word `shut`. */
function drawLid(context, shut) {
  const { x, y, wide } = BOX;
  const light = ["rgb(255 232 178 / 45%)", "rgb(255 232 178 / 0%)"];
  const shine = glow(context, MIDDLE, y + HIGH / 2, 420, light);
  plane(context, [x, y, wide, HIGH], shine, { round: 16 });
  Object.assign(context, { lineWidth: 3, strokeStyle: "rgb(50 24 4 / 45%)" });
  context.strokeRect(x + 30, y + 30, wide - 60, HIGH - 60);
  const brass = downwards(context, y, 12, BRASS);
  for (const left of [x + 160, x + wide - 230]) {
    plane(context, [left, y - 3, 70, 13], brass, { round: 3 });
  }
  drawBrass(context, [MIDDLE - 280, y + HIGH / 2 - 85, 560, 155], [7, 14]);
  context.letterSpacing = "14px";
  write(context, shut, MIDDLE + 7, y + HIGH / 2 - 4, `700 112px ${SERIF}`, { most: 500 });
}

/** Draws the rail with its texts, and below it the tiles and the felt. */
async function drawInside(context, { title, detail, rows }) {
  const { x, y, wide } = BOX;
  const rail = y + BOX.rail / 2 + 2;
  write(context, title, x + 35, rail, `700 33px ${SERIF}`, { align: "left", most: 600 });
  const atRight = { align: "right", most: 250 };
  write(context, detail, x + wide - 35, rail, `600 23px ${sansSerif()}`, atRight);
  if (rows.length) drawRacks(context, rows);
  const top = y + BOX.rail + (rows.length ? BOX.rack + BOX.rod : 0);
  const felt = [INSIDE, top, ACROSS, y + HIGH - BOX.lip - top];
  plane(context, felt, ["#2a7a56", "#144a35"]);
  await drawGrain(context, ".baize", felt, [1, 1]);
  const light = ["rgb(255 246 200 / 34%)", "rgb(255 246 200 / 0%)"];
  plane(context, felt, glow(context, INSIDE + 320, top + 20, 420, light));
  const rod = [INSIDE, top - BOX.rod, ACROSS, BOX.rod];
  if (rows.length) plane(context, rod, ["#fdf0be", "#dcae52", "#5c3c0e"]);
}

/** Returns where a point of the flat box is on the card, and its scale there. */
function seen(x, y) {
  const [dx, dy] = [x - MIDDLE, y - HORIZON];
  const across = dx * Math.cos(TWIST) - dy * Math.sin(TWIST);
  const along = dx * Math.sin(TWIST) + dy * Math.cos(TWIST);
  const scale = FAR / (FAR - along * Math.sin(TILT));
  return [MIDDLE + across * scale, HORIZON + along * Math.cos(TILT) * scale, scale];
}

/** Draws the flat box as it is seen: each row of the card is one row of it, in another scale. */
function drawBent(context, flat) {
  const [cos, sin] = [Math.cos(TILT), Math.sin(TILT)];
  const along = (row) => ((row - HORIZON) * FAR) / (FAR * cos + (row - HORIZON) * sin);
  for (let row = 0; row < HEIGHT; row += 1) {
    const [from, until] = [along(row), along(row + 1)];
    const scale = FAR / (FAR - from * sin);
    const top = (from + HORIZON) * FINE;
    if (top < 0 || top >= flat.height) continue;
    const source = [0, top, flat.width, Math.max(1, (until - from) * FINE)];
    context.drawImage(flat, ...source, MIDDLE * (1 - scale), row, WIDTH * scale, 1);
  }
}

/** Draws dice with these faces on the felt, side by side, each a little turned. */
function drawDice(context, faces, paint) {
  const apart = Math.min(165, 700 / faces.length);
  for (const [i, face] of faces.entries()) {
    const isOdd = i % 2 === 1;
    const along = (i - (faces.length - 1) / 2) * apart;
    const [x, y, scale] = seen(MIDDLE - 70 + along, BOX.y + (isOdd ? 370 : 330));
    const rotation = combine(rotationBy(2, isOdd ? 0.33 : -0.24), rotationShowing(face, i % 4));
    const pose = { x: 0, y: 0, z: 0.5, sides: 6, rotation };
    const side = Math.min(84, 0.55 * apart) * scale;
    context.save();
    context.translate(x, y);
    drawShadow(context, pose, side);
    drawDie(context, pose, side, paint);
    context.restore();
  }
}

/** Draws the brass plate with the result, at the lower right. The first part is large. */
function drawPlate(context, [figure, words = ""]) {
  const small = `600 38px ${sansSerif()}`;
  const big = `700 84px ${SERIF}`;
  context.font = big;
  const first = context.measureText(figure).width;
  context.font = small;
  const rest = words ? context.measureText(words).width + 12 : 0;
  const wide = Math.min(0.6 * WIDTH, first + rest + 108);
  context.save();
  context.translate(1134 - wide / 2, 532);
  context.rotate(-0.035);
  drawBrass(context, [-wide / 2, -50, wide, 100], [12, 24]);
  write(context, figure, 54 - wide / 2, 3, big, { align: "left", most: wide - 108 });
  const atRight = { align: "right", most: wide - first - 108 };
  if (words) write(context, words, wide / 2 - 54, 8, small, atRight);
  context.restore();
}

/** Draws a strip of paper at the lower left, with a square for each of `skills`. */
function drawSquares(context, skills) {
  const side = Math.min(50, 520 / skills.length - 8);
  context.save();
  context.translate(72, 484);
  context.rotate(0.024);
  const paper = downwards(context, 0, 76, ["#fffdf6", "#f3e8cf"]);
  const strip = [0, 0, 24 + skills.length * (side + 8), side + 26];
  plane(context, strip, paper, { round: 10, shadow: [12, 24] });
  for (const [i, skill] of skills.entries()) {
    context.save();
    context.translate(16 + i * (side + 8), 13);
    context.scale(side / 24, side / 24);
    plane(context, [0, 0, 24, 24], MARKS[skill].paper, { round: 5 });
    Object.assign(context, { strokeStyle: "#fff", lineWidth: 2.6 });
    Object.assign(context, { lineCap: "round", lineJoin: "round" });
    context.stroke(new Path2D(MARKS[skill].path));
    context.restore();
  }
  context.restore();
}

/**
 * Returns the box on this page: its `rows` of tiles, and the `faces` of its dice. If the tiles with
 * the faces `up` are to stand, and others do, there are no dice.
 */
function boxOnPage(up) {
  const board = document.querySelector("#board, .still .well");
  const all = (part, selector) => [...(part?.querySelectorAll(selector) ?? [])];
  const tileOf = (part) => {
    const face = part.querySelector(".slot")?.dataset.face ?? "";
    const stands = part.dataset.state === "up";
    return { face, stands, isUp: up ? up.includes(face) : stands };
  };
  const rows = all(board, ".rack").flatMap((rack) => {
    const tiles = all(rack, ".tile").map(tileOf);
    const most = Math.ceil(tiles.length / Math.ceil(tiles.length / 12));
    return tiles.flatMap((_, i) => (i % most ? [] : [tiles.slice(i, i + most)]));
  });
  if (rows.flat().some(({ isUp, stands }) => isUp !== stands)) return { rows, faces: [] };
  const facesOf = (dice) => dice.map((die) => all(die, ".pip").length).filter(Boolean);
  const lying = facesOf(all(board, ".dice:not(.faded) .die:not(.gem)"));
  return { rows, faces: lying.length ? lying : facesOf(all(board, ".faded .die:not(.gem)")) };
}

/** Draws the table in the light of a lamp. */
async function drawTable(context, card) {
  plane(context, card, ["#6d4323", "#3b210f"]);
  await drawGrain(context, ".box", card, [3, 2]);
  for (const y of [155, 313, 470]) { // between the boards of the table
    const groove = downwards(context, y, 4, ["rgb(15 6 0 / 60%)", "rgb(255 220 160 / 12%)"]);
    plane(context, [0, y, WIDTH, 2.5], groove);
  }
  const light = ["rgb(255 214 140 / 50%)", "rgb(255 214 140 / 0%)"];
  plane(context, card, glow(context, 408, 100, 800, light));
  plane(context, card, ["rgb(10 4 0 / 0%)", "rgb(10 4 0 / 15%)", "rgb(10 4 0 / 70%)"]);
}

/**
 * Returns the postcard as a JPEG file, or null if the browser cannot draw it. `title` and `detail`
 * stand on the rail, and up to two `lines` on the plate, the first larger; `skills` name squares.
 * `up` are the faces of the tiles that stand, if not those of this page, and `shut` is the word on
 * a closed lid.
 */
export async function pictureOf({ title, detail = "", lines, skills = [], up = null, shut = "" }) {
  const size = { width: WIDTH, height: HEIGHT };
  const canvas = Object.assign(document.createElement("canvas"), size);
  const context = canvas.getContext("2d");
  if (!context?.roundRect) return null;
  await document.fonts.load(`700 40px ${SERIF}`);
  const card = [0, 0, WIDTH, HEIGHT];
  await drawTable(context, card);
  const { rows, faces } = boxOnPage(up);
  drawBent(context, await flatBox({ title, detail, rows, shut }));
  if (!shut) drawDice(context, faces, new Paint(document.body));
  const corners = ["rgb(10 4 0 / 0%)", "rgb(10 4 0 / 0%)", "rgb(10 4 0 / 55%)"];
  plane(context, card, glow(context, 552, 252, 800, corners));
  drawPlate(context, lines);
  if (skills.length) drawSquares(context, skills);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.86));
  return blob && new File([blob], "shutbox.jpg", { type: "image/jpeg" });
}
