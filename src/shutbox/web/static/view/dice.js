// Draws dice in three dimensions on a canvas. A rounded cube seen from afar is drawn exactly: its
// outline is a hexagon with a round pen around it, each edge is one gradient, and each corner is
// part of one lit ball that is drawn beforehand. Dice that are no cubes are flat gems.
//
// A pose is `{ x, y, z, rotation, sides }`: the centre of a die from the upper left corner of the
// felt, and z above the felt, both in sides of a die; its rotation; and how many faces it has. A
// point of a cube has three parts from its middle, one along the normal of each face that is seen:
// (1, 1, 1) is the corner towards the eye, and -1 is at a hidden face.

import { CORE, ROUND, restHeight } from "../model/throw.js";
import { FLAT, QUARTER, UP, clamp, dot, rotated, unitVector } from "../model/turning.js";
import { byId } from "./dom.js";

const EYE = [0, UP, FLAT]; // the directions towards the eye, the lamp, and half way between
const LAMP = unitVector([-0.5, -0.34, 0.8]);
const GLINT = unitVector(LAMP.map((part, i) => part + EYE[i]));
const WHITE = [255, 255, 255];
const FACES_BY_AXIS = [[3, 4], [2, 5], [1, 6]]; // at the positive and negative ends of x, y and z
const CORNERS = [-1, 1].flatMap((z) => [-1, 1].flatMap((y) => [-1, 1].map((x) => [x, y, z])));
const OUTLINE = [[1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]];
// The edges that are seen: from shown face i to shown face j (1), or to the one opposite it (-1).
const EDGES = [
  [0, 1, -1], [0, 1, 1], [0, 2, -1], [0, 2, 1],
  [1, 0, -1], [1, 2, -1], [1, 2, 1], [2, 0, -1], [2, 1, -1],
];
const CELLS = { // of the pips of each face, 0 to 8 by rows
  1: [4], 2: [0, 8], 3: [0, 4, 8], 4: [0, 2, 6, 8], 5: [0, 2, 4, 6, 8], 6: [0, 3, 6, 2, 5, 8],
};
const PIPS_APART = 0.225; // between the middles of two cells
const [PIP, ACE] = [0.096, 0.12]; // the radius of a pip, and of the only one
const STEEPEST = 0.06; // the least depth of a face whose pips can be seen
const GROWTH = 0.07; // for each side of a die in height: what is higher is nearer to the eye
const SHADOW_ROUND = ROUND * 0.6;
const LAYERS = 12; // of a shadow
const GEM_DRAWING = 60; // the side of the view box of a gem in _board.html

/** Returns what lies `part` of the way from `a` to `b`, both colours or both points. */
const mix = (a, b, part) => a.map((value, i) => value + (b[i] - value) * part);
/** Returns a point of the screen, shifted `times` the vector. */
const shifted = ([x, y], [dx, dy], times) => [x + dx * times, y + dy * times];
/** Returns a colour as CSS. */
const cssColour = (colour) => `rgb(${colour.map(Math.round).join(" ")})`;

/** Returns where a point or a direction in space is seen on the screen, in pixels. */
const project = ([x, y, z], scale) => [x * scale, (y * FLAT - z * UP) * scale];
const sizeAt = (z, scale) => scale * (1 + GROWTH * Math.max(0, z - 0.5));

/** The colours `[red, green, blue]` of a die by the light on it, from the tokens of the page. */
export class Paint {
  constructor(element) {
    const style = getComputedStyle(element);
    const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    // A pixel is painted and read, so that the browser resolves every form of a colour.
    const token = (name) => {
      probe.fillStyle = style.getPropertyValue(name).trim() || "#888";
      probe.fillRect(0, 0, 1, 1);
      return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const [light, middle, side] = ["--die-1", "--die-2", "--die-side"].map(token);
    this.pip = token("--die-pip");
    this.ramp = [ // by light, 0 to 1; the last stop is beyond 1, so that one above is always found
      [0, mix(side, [40, 22, 6], 0.42)],
      [0.3, side],
      [0.62, mix(middle, side, 0.18)],
      [0.86, light],
      [1.2, light],
    ];
    this.ball = this.drawBall();
  }

  /** Returns the colour seen on a surface with this normal. */
  shade(normal) {
    const light = lightOn(normal);
    const i = this.ramp.findIndex(([until]) => until > light);
    const [[from, low], [until, high]] = [this.ramp[i - 1], this.ramp[i]];
    const gloss = 0.75 * Math.max(0, dot(normal, GLINT)) ** 38; // a small spot
    return mix(mix(low, high, (light - from) / (until - from)), WHITE, gloss);
  }

  /** Returns `shade` as CSS, with the part `darker` of a brown mixed in. */
  css(normal, darker = 0) {
    return cssColour(mix(this.shade(normal), [60, 36, 10], darker));
  }

  /** Returns a canvas with the lit ball of which every rounded corner is a part. */
  drawBall() {
    const size = 48;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const image = new ImageData(size, size);
    for (let i = 0; i < size * size; i += 1) {
      const [x, y] = [i % size, Math.floor(i / size)].map((at) => ((at + 0.5) / size) * 2 - 1);
      const radius = Math.hypot(x, y);
      const height = Math.sqrt(Math.max(0, 1 - radius * radius));
      const normal = [x, y * FLAT + height * UP, -y * UP + height * FLAT];
      const alpha = clamp(((1 - radius) * size) / 2, 0, 1) * 255; // a smooth rim
      image.data.set([...this.shade(normal).map(Math.round), alpha], i * 4);
    }
    canvas.getContext("2d").putImageData(image, 0, 0);
    return canvas;
  }
}

/** Returns how much light falls on a surface with this normal, from 0 to 1. */
const lightOn = (normal) => clamp(0.5 + 0.5 * dot(normal, LAMP), 0, 1);

/** Traces the polygon with these corners. */
function tracePolygon(context, points) {
  context.beginPath();
  for (const point of points) context.lineTo(...point);
  context.closePath();
}

/** Traces a convex polygon, larger by `radius` all around. */
function traceRounded(context, points, radius) {
  const angleOf = (from, to) => Math.atan2(from[0] - to[0], to[1] - from[1]); // off an edge
  context.beginPath();
  points.forEach((point, i) => {
    const [before, after] = [points.at(i - 1), points[(i + 1) % points.length]];
    context.arc(...point, radius, angleOf(before, point), angleOf(point, after));
  });
  context.closePath();
}

/** Returns the corners of the convex hull of points, in order: its two halves, from end to end. */
function hull(points) {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turnsOut = ([ax, ay], [bx, by], [x, y]) => (bx - ax) * (y - ay) > (by - ay) * (x - ax);
  const half = (list) => {
    const chain = [];
    for (const point of list) {
      while (chain.length > 1 && !turnsOut(...chain.slice(-2), point)) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}

/** Draws the shadow of a die on the felt. `scale` is the side of a die in pixels. */
export function drawShadow(context, { x, y, z, rotation }, scale) {
  const corners = CORNERS.map((signs) => {
    const [dx, dy, dz] = rotated(rotation, signs.map((sign) => sign * CORE));
    const away = Math.max(0, z + dz - SHADOW_ROUND) * -0.55; // from the lamp
    return project([x + dx + LAMP[0] * away, y + dy + LAMP[1] * away, 0], scale);
  });
  const outline = hull(corners);
  const middle = outline.reduce((sum, point) => shifted(sum, point, 1 / outline.length), [0, 0]);
  const lift = Math.max(0, z - restHeight(rotation));
  const softness = 0.26 + 0.5 * lift;
  context.fillStyle = `rgb(0 14 6 / ${0.1 / (1 + 1.1 * lift)})`;
  // Translucent layers, each larger than the one before, add up to a soft edge.
  for (let i = 0; i < LAYERS; i += 1) {
    const radius = SHADOW_ROUND + softness * ((i + 0.5) / LAYERS - 0.5);
    const part = Math.max(0.05, 1 + Math.min(0, radius) * 1.6); // a negative radius shrinks it
    const points = outline.map((point) => mix(middle, point, part));
    traceRounded(context, points, Math.max(0.02, radius) * scale);
    context.fill();
  }
}

/** Draws the die with this pose. `scale` is the side of a die on the felt, in pixels. */
export function drawDie(context, pose, scale, paint) {
  context.lineJoin = "round";
  if (pose.sides !== 6) {
    drawGem(context, pose, scale, paint);
    return;
  }
  const cube = cubeOf(pose, scale);
  drawOutline(context, cube, paint);
  drawCorners(context, cube, paint);
  context.lineWidth = 0.7;
  for (const edge of EDGES) drawEdge(context, cube, edge, paint);
  for (const i of cube.shown.keys()) drawFace(context, cube, i, paint);
}

/** Draws a die that is no cube: its outline, without a number. */
function drawGem(context, { x, y, z, rotation, sides }, scale, paint) {
  const size = sizeAt(z, scale);
  const middle = project([x, y, z], scale);
  const turned = ([a, b]) => rotated(rotation, [a, b, 0]); // around the upright axis only
  tracePolygon(context, cornersOfGem(sides).map((corner) => shifted(middle, turned(corner), size)));
  context.lineWidth = size / 30;
  context.fillStyle = paint.css([0, 0, 1]);
  context.strokeStyle = cssColour(paint.pip);
  context.fill();
  context.stroke();
}

const gems = new Map();

/** Returns the corners `[x, y]` of the gem in the page, from its middle, in sides of a die. */
function cornersOfGem(sides) {
  if (!gems.has(sides)) {
    const drawing = byId(gemTemplate(sides)).content.querySelector("polygon");
    const points = drawing.getAttribute("points").split(" ");
    const fromMiddle = (part) => part / GEM_DRAWING - 0.5;
    gems.set(sides, points.map((point) => point.split(",").map(fromMiddle)));
  }
  return gems.get(sides);
}

/** Returns the id of the template with the gem of a die: its own, or that of all other dice. */
export const gemTemplate = (sides) =>
  byId(`draw-gem-${sides}`) ? `draw-gem-${sides}` : "draw-gem-0";

/**
 * Returns a cube as it is seen, in pixels: its `middle`, the `size` of its side, and the faces
 * `shown`, one for each axis of the die. Each face has its `normal`; its `depth`, 1 if it faces the
 * eye and 0 if it is seen from its edge; `along`, the way of one side of the die along the normal; and
 * `isNegative`, true at the negative end of the axis.
 */
function cubeOf({ x, y, z, rotation }, scale) {
  const size = sizeAt(z, scale);
  const shown = rotation.map((axis) => {
    const isNegative = dot(axis, EYE) < 0;
    const normal = axis.map((part) => (isNegative ? -part : part));
    return { normal, depth: dot(normal, EYE), along: project(normal, size), isNegative };
  });
  return { size, middle: project([x, y, z], scale), shown };
}

/** Returns where a point of a cube is seen, given from its middle along the normals of `shown`. */
const onCube = ({ middle, shown }, parts) =>
  shown.reduce((point, { along }, k) => shifted(point, along, parts[k]), middle);

/** Returns where the centre of a rounded corner is seen. `signs` are 1 at the shown faces. */
const cornerOf = (cube, signs) => onCube(cube, signs.map((sign) => sign * CORE));

/** Fills a hexagon with a round pen around it, thin enough that corners and edges cover it. */
function drawOutline(context, cube, paint) {
  tracePolygon(context, OUTLINE.map((signs) => cornerOf(cube, signs)));
  context.lineWidth = 2 * ROUND * cube.size - 0.6;
  context.fillStyle = context.strokeStyle = paint.css([0.3, 0.75, -0.2]);
  context.fill();
  context.stroke();
}

/** Draws a ball at each corner but the first, which is turned away. */
function drawCorners(context, cube, paint) {
  const radius = ROUND * cube.size;
  for (const signs of CORNERS.slice(1)) {
    const [x, y] = cornerOf(cube, signs);
    context.drawImage(paint.ball, x - radius, y - radius, 2 * radius, 2 * radius);
  }
}

/**
 * Draws one of the `EDGES`, a quarter of a cylinder: the part of its arc that is seen, from one end
 * to the other, with a gradient across it. What is too thin to be seen is not drawn.
 */
function drawEdge(context, cube, [i, j, towards], paint) {
  const k = 3 - i - j;
  const [a, b, c] = [i, j, k].map((axis) => cube.shown[axis]);
  const length = Math.hypot(...c.along);
  if (length < 1) return;
  const across = [-c.along[1] / length, c.along[0] / length];
  // Angles begin at face i, and go to face j or as far as the eye sees.
  const until = towards > 0 ? QUARTER : Math.atan2(a.depth, b.depth);
  const partsAt = (angle) => [Math.cos(angle), towards * Math.sin(angle)];
  const wayAt = (angle) => {
    const [partOfA, partOfB] = partsAt(angle);
    return shifted(shifted([0, 0], a.along, ROUND * partOfA), b.along, ROUND * partOfB);
  };
  const offsetAt = (angle) => wayAt(angle)[0] * across[0] + wayAt(angle)[1] * across[1];
  const [near, far] = [offsetAt(0), offsetAt(until)];
  if (Math.abs(far - near) < 0.3) return;
  const [start, end] = [-1, 1].map((sign) =>
    cornerOf(cube, Object.assign([], { [i]: 1, [j]: towards, [k]: sign })));
  const rims = [near, far].flatMap((offset) => shifted(start, across, offset));
  const fade = context.createLinearGradient(...rims);
  for (let step = 0; step <= 5; step += 1) {
    const angle = (until * step) / 5;
    const [partOfA, partOfB] = partsAt(angle);
    const normal = a.normal.map((value, n) => partOfA * value + partOfB * b.normal[n]);
    fade.addColorStop(clamp((offsetAt(angle) - near) / (far - near), 0, 1), paint.css(normal));
  }
  const arc = Array.from({ length: 7 }, (_, step) => wayAt((until * step) / 6));
  tracePolygon(context, [
    ...arc.map((way) => shifted(start, way, 1)),
    ...arc.toReversed().map((way) => shifted(end, way, 1)),
  ]);
  context.fillStyle = context.strokeStyle = fade;
  context.fill();
  if (towards > 0) context.stroke(); // no hairline between neighbours
}

/** Returns where a point of a shown face is seen, `u` and `v` sides of a die from its middle. */
const onFace = (cube, i, u, v) =>
  onCube(cube, Object.assign([], { [i]: 0.5, [(i + 1) % 3]: u, [(i + 2) % 3]: v }));

/** Draws the flat part of a shown face, and its pips. */
function drawFace(context, cube, i, paint) {
  const { normal, depth } = cube.shown[i];
  const edge = CORE + 0.004; // no hairline beside the rounded edges
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
  tracePolygon(context, corners.map(([u, v]) => onFace(cube, i, u * edge, v * edge)));
  const [centre, span] = [onFace(cube, i, 0, 0), cube.size * 0.35];
  const ends = [-span, span].flatMap((way) => shifted(centre, [1, 1], way));
  const sheen = context.createLinearGradient(...ends);
  sheen.addColorStop(0.3, paint.css(normal));
  sheen.addColorStop(1, paint.css(normal, 0.015 + 0.13 * (1 - lightOn(normal))));
  context.fillStyle = sheen;
  context.fill();
  if (depth >= STEEPEST) drawPips(context, cube, i, paint);
}

/**
 * Draws the pips of a shown face as holes: the far rim catches the light, and the near wall lies in
 * the dark. Each layer is one path, with a circle for every pip.
 */
function drawPips(context, cube, i, paint) {
  const { normal, depth, isNegative } = cube.shown[i];
  const number = FACES_BY_AXIS[i][Number(isNegative)];
  const radius = number === 1 ? ACE : PIP;
  const { pip } = paint;
  const face = paint.shade(normal);
  const light = Math.max(0.25, lightOn(normal));
  const layers = [ // the part of the radius; how far to the right and down; the colour
    [1, 0.012, 0.016, mix(face, WHITE, 0.7 * light ** 2)],
    [1, -0.004, -0.005, mix(face, pip, 0.45)],
    [0.95, 0, 0, pip],
    [0.66, 0.017, 0.02, mix(pip, face, 0.11 * light)],
    [0.36, 0.024, 0.029, mix(pip, face, 0.2 * light)],
  ];
  const [u, v] = [1, 2].map((step) => cube.shown[(i + step) % 3].along);
  for (const [part, right, down, colour] of layers) {
    context.beginPath();
    for (const cell of CELLS[number]) {
      const at = [cell % 3, Math.floor(cell / 3)].map((place) => (place - 1) * PIPS_APART);
      context.save();
      const middle = shifted(onFace(cube, i, ...at), [right, down], cube.size * depth);
      context.transform(...u, ...v, ...middle); // the circle becomes the ellipse that is seen
      context.moveTo(part * radius, 0);
      context.arc(0, 0, part * radius, 0, 2 * Math.PI);
      context.restore();
    }
    context.fillStyle = cssColour(colour);
    context.fill();
  }
}
