// The postcard of a result, drawn on the device: the box as it ended on a table in lamp light, seen
// from 24 degrees, a brass plate with the result, and for a try at Today's box a square for each
// throw. It has no name. All lengths are pixels of the card, and the flat box is bent row by row.

import { facing, times, turn } from "../model/turning.js";
import { Paint, drawDie, drawShadow } from "./dice.js";

const [WIDTH, HEIGHT, FINE] = [1200, 630, 2]; // the flat box is drawn at twice its size
const [MIDDLE, HORIZON, FAR, TILT, TWIST] = [600, 343, 1560, 0.4189, -0.0192];
const BOX = { x: 132, y: 38, wide: 936, rail: 55, rack: 174, rod: 9, baize: 240, lip: 31 };
const HIGH = BOX.rail + BOX.rack + BOX.rod + BOX.baize + BOX.lip;
const WOOD = ["#b07a45", "#8b5a2c", "#5a3515"];
const BRASS = ["#fdf0c0", "#e5bc62", "#b3812f"];
const [BURNT, SERIF] = ["#2b1903", '"Shutbox Serif", serif'];
const MARKS = {
  best: { paper: "#1c5a40", path: "m6 12.5 4 4L18 8" },
  close: { paper: "#8f6412", path: "M5.5 13.5c2-4 4.5-4 6.5-1.5s4.500 2.500 6.500-1.500" },
  mistake: { paper: "#a12d1c", path: "m7 7 10 10M17 7 7 17" },
};

const ramp = (gradient, colours) => {
  colours.forEach((colour, place) => gradient.addColorStop(place / (colours.length - 1), colour));
  return gradient;
};
const down = (context, y, high, colours) => ramp(context.createLinearGradient(0, y, 0, y + high), colours);
const lamp = (context, x, y, radius, colours) => ramp(context.createRadialGradient(x, y, 0, x, y, radius), colours);

/** Fills a rectangle with round corners. `shadow` is its length downwards and its blur. */
function plane(context, x, y, wide, high, { fill, round = 0, shadow = null }) {
  context.save();
  if (shadow) Object.assign(context, { shadowColor: "rgb(10 4 0 / 65%)", shadowOffsetY: shadow[0], shadowBlur: shadow[1] });
  context.beginPath();
  context.roundRect(x, y, wide, high, round);
  context.fillStyle = fill;
  context.fill();
  context.restore();
}

function write(context, words, x, y, font, { colour = BURNT, align = "center", most = 900 } = {}) {
  Object.assign(context, { font, fillStyle: colour, textAlign: align, textBaseline: "middle" });
  context.fillText(words, x, y, most);
}

/** Blends the texture of an element of the page with what is drawn in a rectangle. */
async function grain(context, selector, x, y, wide, high, scale, round = 0) {
  const found = document.querySelector(selector);
  const [, source] = /url\("(.*?)"\)/.exec(found ? getComputedStyle(found).backgroundImage : "") ?? [];
  if (!source) return;
  const image = Object.assign(new Image(), { src: source });
  await image.decode().catch(() => {});
  if (!image.naturalWidth) return;
  const pattern = context.createPattern(image, "repeat");
  pattern.setTransform(new DOMMatrix().scale(scale[0], scale[1]));
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
function brass(context, x, y, wide, high, shadow) {
  plane(context, x, y, wide, high, { fill: ramp(context.createLinearGradient(x, y, x + 0.18 * high, y + 1.05 * high), BRASS), round: 11, shadow });
  const sheen = context.createLinearGradient(x, 0, x + wide, 0.3 * high);
  ramp(sheen, ["#fff0", "#fff0", "#fff0", "#fff0", "#ffffff90", "#fff0", "#fff0", "#fff0", "#fff0"]);
  plane(context, x, y, wide, high, { fill: sheen, round: 11 });
  context.lineWidth = 4;
  context.strokeStyle = "rgb(120 76 14 / 45%)";
  context.strokeRect(x + 4, y + 4, wide - 8, high - 8);
  for (const [left, top] of [[x + 19, y + 19], [x + wide - 19, y + 19], [x + 19, y + high - 19], [x + wide - 19, y + high - 19]]) {
    plane(context, left - 7, top - 7, 14, 14, { fill: lamp(context, left - 2, top - 3, 10, ["#fff2c4", "#a9772a"]), round: 7 });
  }
}

/** Draws a tile that stands, or lies behind its number. */
function tile(context, { face, isUp }, x, y, wide, high) {
  const size = Math.min(58, 0.4 * high, (1.15 * wide) / face.length);
  if (isUp) {
    plane(context, x, y, wide, high, { fill: "#8a6232", round: 6.5, shadow: [14, 14] });
    plane(context, x, y - 4, wide, high, { fill: down(context, y, high, ["#fffaf0", "#f6e8cb", "#e8d0a0"]), round: 6.5 });
    write(context, face, x + wide / 2, y + high / 2, `700 ${size}px ${SERIF}`, { colour: "#361a08" });
    return;
  }
  plane(context, x, y, wide, high, { fill: down(context, y, high, ["rgb(0 0 0 / 76%)", "rgb(0 0 0 / 48%)"]), round: 6 });
  write(context, face, x + wide / 2, y + 0.23 * high, `700 ${0.65 * size}px ${SERIF}`, { colour: "#c9a878" });
  context.beginPath();
  const top = y + 0.66 * high;
  for (const [px, py] of [[x + 0.07 * wide, top], [x + 0.93 * wide, top], [x + wide, y + high], [x, y + high]]) context.lineTo(px, py);
  context.fillStyle = down(context, top, y + high - top, ["#5d4325", "#94713f", "#b08a54"]);
  context.fill();
  plane(context, x, y + high - 6, wide, 7, { fill: "#d8b982", round: 3 });
}

/** Draws the racks, one row of tiles above the other. */
function drawRacks(context, rows) {
  const [x, y] = [BOX.x + 23, BOX.y + BOX.rail];
  const wide = BOX.wide - 46;
  plane(context, x, y, wide, BOX.rack, { fill: down(context, y, BOX.rack, ["#150b04", "#3a2311", "#2c190c"]) });
  const high = (BOX.rack - 25) / rows.length;
  for (const [row, tiles] of rows.entries()) {
    const step = Math.min(110, (wide - 26) / tiles.length);
    const left = x + (wide - step * tiles.length) / 2;
    tiles.forEach((each, i) => tile(context, each, left + i * step + 3.5, y + 16 + row * high, step - 7, high - (row < rows.length - 1 ? 8 : 0)));
  }
}

/** Draws the flat box: its frame, the rail, and inside it the tiles and the felt, or else its lid. */
async function flatBox({ title, detail, rows, shut }) {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH * FINE, height: (HEIGHT + 90) * FINE });
  const context = canvas.getContext("2d");
  const { x, y, wide } = BOX;
  context.scale(FINE, FINE);
  context.translate(MIDDLE, HORIZON);
  context.rotate(TWIST);
  context.translate(-MIDDLE, -HORIZON);
  plane(context, x, y + 18, wide, HIGH, { fill: "#3d220f", round: 16, shadow: [90, 120] });
  plane(context, x, y, wide, HIGH, { fill: down(context, y, HIGH, WOOD), round: 16 });
  await grain(context, ".box", x, y, wide, HIGH, [1.6, 1.6], 17);
  context.strokeStyle = "rgb(255 226 178 / 50%)";
  context.strokeRect(x + 8, y + 1, wide - 16, 0.5);
  if (shut) {
    plane(context, x, y, wide, HIGH, { fill: lamp(context, MIDDLE, y + HIGH / 2, 420, ["rgb(255 232 178 / 45%)", "rgb(255 232 178 / 0%)"]), round: 16 });
    Object.assign(context, { lineWidth: 3, strokeStyle: "rgb(50 24 4 / 45%)" });
    context.strokeRect(x + 30, y + 30, wide - 60, HIGH - 60);
    for (const hinge of [x + 160, x + wide - 230]) plane(context, hinge, y - 3, 70, 13, { fill: down(context, y, 12, BRASS), round: 3 });
    brass(context, MIDDLE - 280, y + HIGH / 2 - 85, 560, 155, [7, 14]);
    context.letterSpacing = "14px";
    write(context, shut, MIDDLE + 7, y + HIGH / 2 - 4, `700 112px ${SERIF}`, { most: 500 });
    return canvas;
  }
  const rail = y + BOX.rail / 2 + 2;
  write(context, title, x + 35, rail, `700 33px ${SERIF}`, { align: "left", most: 600 });
  write(context, detail, x + wide - 35, rail, `600 23px ${getComputedStyle(document.body).fontFamily}`, { align: "right", most: 250 });
  if (rows.length) drawRacks(context, rows);
  const [left, across] = [x + 23, wide - 46];
  const felt = y + BOX.rail + (rows.length ? BOX.rack + BOX.rod : 0);
  const high = y + HIGH - BOX.lip - felt;
  plane(context, left, felt, across, high, { fill: down(context, felt, high, ["#2a7a56", "#144a35"]) });
  await grain(context, ".baize", left, felt, across, high, [1, 1]);
  plane(context, left, felt, across, high, { fill: lamp(context, left + 320, felt + 20, 420, ["rgb(255 246 200 / 34%)", "rgb(255 246 200 / 0%)"]) });
  if (rows.length) plane(context, left, felt - BOX.rod, across, BOX.rod, { fill: down(context, felt - BOX.rod, BOX.rod, ["#fdf0be", "#dcae52", "#5c3c0e"]) });
  return canvas;
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
function bend(context, flat) {
  const source = (row) => ((row - HORIZON) * FAR) / (FAR * Math.cos(TILT) + (row - HORIZON) * Math.sin(TILT));
  for (let row = 0; row < HEIGHT; row += 1) {
    const [from, until] = [source(row), source(row + 1)];
    const scale = FAR / (FAR - from * Math.sin(TILT));
    const top = (from + HORIZON) * FINE;
    if (top >= 0 && top < flat.height) context.drawImage(flat, 0, top, flat.width, Math.max(1, (until - from) * FINE), MIDDLE * (1 - scale), row, WIDTH * scale, 1);
  }
}

function drawDice(context, faces, paint) {
  const between = Math.min(165, 700 / faces.length);
  faces.forEach((face, i) => {
    const [x, y, scale] = seen(MIDDLE - 70 + (i - (faces.length - 1) / 2) * between, BOX.y + 330 + 40 * (i % 2));
    const side = Math.min(84, 0.55 * between) * scale;
    const pose = { x: 0, y: 0, z: 0.5, sides: 6, r: times(turn(2, i % 2 ? 0.33 : -0.24), facing(face, i % 4)) };
    context.save();
    context.translate(x, y);
    drawShadow(context, pose, side);
    drawDie(context, pose, side, paint);
    context.restore();
  });
}

/** Draws the brass plate with the result, at the lower right. The first part is large. */
function drawPlate(context, [figure, words = ""]) {
  const small = `600 38px ${getComputedStyle(document.body).fontFamily}`;
  const big = `700 84px ${SERIF}`;
  context.font = big;
  const first = context.measureText(figure).width;
  context.font = small;
  const rest = words && context.measureText(words).width + 12;
  const wide = Math.min(0.6 * WIDTH, first + Number(rest) + 108);
  context.save();
  context.translate(1134 - wide / 2, 532);
  context.rotate(-0.035);
  brass(context, -wide / 2, -50, wide, 100, [12, 24]);
  write(context, figure, 54 - wide / 2, 3, big, { align: "left", most: wide - 108 });
  if (words) write(context, words, wide / 2 - 54, 8, small, { align: "right", most: wide - first - 108 });
  context.restore();
}

function drawSquares(context, skills) {
  const side = Math.min(50, 520 / skills.length - 8);
  context.save();
  context.translate(72, 484);
  context.rotate(0.024);
  plane(context, 0, 0, 24 + skills.length * (side + 8), side + 26, { fill: down(context, 0, 76, ["#fffdf6", "#f3e8cf"]), round: 10, shadow: [12, 24] });
  skills.forEach((skill, place) => {
    context.save();
    context.translate(16 + place * (side + 8), 13);
    context.scale(side / 24, side / 24);
    plane(context, 0, 0, 24, 24, { fill: MARKS[skill].paper, round: 5 });
    Object.assign(context, { strokeStyle: "#fff", lineWidth: 2.6, lineCap: "round", lineJoin: "round" });
    context.stroke(new Path2D(MARKS[skill].path));
    context.restore();
  });
  context.restore();
}

/** Returns the rows of tiles and the dice of the box on this page; without dice, if others stand `up`. */
function shown(up) {
  const board = document.querySelector("#board, .still .well");
  const all = (part, selector) => [...(part?.querySelectorAll(selector) ?? [])];
  const racks = all(board, ".rack").map((rack) => all(rack, ".tile").map((part) => {
    const [face, stands] = [part.querySelector(".slot")?.dataset.face ?? "", part.dataset.state === "up"];
    return { face, isUp: up ? up.includes(face) : stands, stands };
  }));
  const rows = racks.flatMap((tiles) => {
    const most = Math.ceil(tiles.length / Math.ceil(tiles.length / 12));
    return tiles.flatMap((_, i) => (i % most ? [] : [tiles.slice(i, i + most)]));
  });
  const [lying, last] = [".dice:not(.faded) .die:not(.gem)", ".faded .die:not(.gem)"].map((selector) =>
    all(board, selector).map((die) => all(die, ".pip").length).filter(Boolean));
  const isOther = rows.flat().some(({ isUp, stands }) => isUp !== stands);
  return { rows, faces: isOther ? [] : lying.length ? lying : last };
}

/**
 * Returns the postcard as a JPEG file, or null if the browser cannot draw it. `title` and `detail`
 * stand on the rail, `lines` on the plate, the first the largest; `skills` name squares. `up` are the
 * faces of the tiles that stand, if not those of this page, and `shut` is the word on a closed lid.
 */
export async function pictureOf({ title, detail = "", lines, skills = [], up = null, shut = "" }) {
  const canvas = Object.assign(document.createElement("canvas"), { width: WIDTH, height: HEIGHT });
  const context = canvas.getContext("2d");
  if (!context?.roundRect) return null;
  await document.fonts.load(`700 40px ${SERIF}`);
  plane(context, 0, 0, WIDTH, HEIGHT, { fill: down(context, 0, HEIGHT, ["#6d4323", "#3b210f"]) });
  await grain(context, ".box", 0, 0, WIDTH, HEIGHT, [3, 2]);
  for (const y of [155, 313, 470]) plane(context, 0, y, WIDTH, 2.5, { fill: down(context, y, 4, ["rgb(15 6 0 / 60%)", "rgb(255 220 160 / 12%)"]) });
  plane(context, 0, 0, WIDTH, HEIGHT, { fill: lamp(context, 408, 100, 800, ["rgb(255 214 140 / 50%)", "rgb(255 214 140 / 0%)"]) });
  plane(context, 0, 0, WIDTH, HEIGHT, { fill: down(context, 0, HEIGHT, ["rgb(10 4 0 / 0%)", "rgb(10 4 0 / 15%)", "rgb(10 4 0 / 70%)"]) });
  const { rows, faces } = shown(up);
  bend(context, await flatBox({ title, detail, rows, shut }));
  if (!shut) drawDice(context, faces, new Paint(document.body));
  plane(context, 0, 0, WIDTH, HEIGHT, { fill: lamp(context, 552, 252, 800, ["rgb(10 4 0 / 0%)", "rgb(10 4 0 / 0%)", "rgb(10 4 0 / 55%)"]) });
  drawPlate(context, lines);
  if (skills.length) drawSquares(context, skills);
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", 0.86));
  return blob && new File([blob], "shutbox.jpg", { type: "image/jpeg" });
}
