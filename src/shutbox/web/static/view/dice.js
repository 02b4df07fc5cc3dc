// Draws dice in three dimensions on a canvas. A rounded cube seen from afar is drawn exactly: its
// outline is a hexagon with a round pen around it, each edge is one gradient, and each corner is
// part of one lit ball that is drawn beforehand. Dice that are no cubes are flat gems.

import { CORE, ROUND, support } from "../model/throw.js";
import { FLAT, QUARTER, UP, clamp, dot, unit } from "../model/turning.js";
import { byId } from "./dom.js";

const VIEW = [0, UP, FLAT];
const LIGHT = unit([-0.5, -0.34, 0.8]);
const GLINT = unit(LIGHT.map((part, i) => part + VIEW[i]));
const FACES = [[3, 4], [2, 5], [1, 6]]; // on the positive and negative x, y and z of a die
const SPOTS = { 1: "e", 2: "ai", 3: "aei", 4: "acgi", 5: "acegi", 6: "adgcfi" }; // a to i, by rows

const mix = (a, b, part) => a.map((value, i) => value + (b[i] - value) * part);

/** The colours of a die by the light that falls on it, from the tokens of the page. */
export class Paint {
  constructor(element) {
    const style = getComputedStyle(element);
    const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const token = (name) => {
      probe.fillStyle = style.getPropertyValue(name).trim() || "#888";
      probe.fillRect(0, 0, 1, 1);
      return [...probe.getImageData(0, 0, 1, 1).data].slice(0, 3);
    };
    const [one, two, side] = ["--die-1", "--die-2", "--die-side"].map(token);
    this.pip = token("--die-pip");
    this.ramp = [[0, mix(side, [40, 22, 6], 0.42)], [0.3, side], [0.62, mix(two, side, 0.18)], [0.86, one], [1.2, one]];
    this.ball = this.sphere();
  }

  /** Returns the colour seen on a surface with this normal. */
  shade(normal) {
    const lit = clamp(0.5 + 0.5 * dot(normal, LIGHT), 0, 1);
    const i = this.ramp.findIndex(([until]) => until > lit);
    const [[from, low], [until, high]] = [this.ramp[i - 1], this.ramp[i]];
    const gloss = 0.75 * Math.max(0, dot(normal, GLINT)) ** 38;
    return mix(mix(low, high, (lit - from) / (until - from)), [255, 255, 255], gloss);
  }

  css(normal, darker = 0) {
    return `rgb(${mix(this.shade(normal), [60, 36, 10], darker).map(Math.round).join(" ")})`;
  }

  /** Draws the lit ball of which every rounded corner is a part, and returns its canvas. */
  sphere() {
    const size = 48;
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = size;
    const image = new ImageData(size, size);
    for (let i = 0; i < size * size; i += 1) {
      const [x, y] = [((i % size) + 0.5) / size * 2 - 1, (Math.floor(i / size) + 0.5) / size * 2 - 1];
      const far = Math.hypot(x, y);
      const out = Math.sqrt(Math.max(0, 1 - far * far));
      const normal = [x, y * FLAT + out * UP, -y * UP + out * FLAT];
      image.data.set([...this.shade(normal).map(Math.round), clamp((1 - far) * size / 2, 0, 1) * 255], i * 4);
    }
    canvas.getContext("2d").putImageData(image, 0, 0);
    return canvas;
  }
}

const line = (context, points) => {
  context.beginPath();
  points.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
};

/** Draws the shadow of a die on the felt. `scale` is the side of a die in pixels. */
export function drawShadow(context, { x, y, z, r }, scale) {
  const corners = [];
  for (let i = 0; i < 8; i += 1) {
    const sign = [i & 1, i & 2, i & 4].map((bit) => (bit ? CORE : -CORE));
    const at = [0, 1, 2].map((k) => r[0][k] * sign[0] + r[1][k] * sign[1] + r[2][k] * sign[2]);
    const up = Math.max(0, z + at[2] - ROUND * 0.6) * 0.55;
    corners.push([(x + at[0] - LIGHT[0] * up) * scale, (y + at[1] - LIGHT[1] * up) * scale * FLAT]);
  }
  const around = hull(corners);
  const lift = Math.max(0, z - support(r));
  const [soft, layers] = [0.26 + 0.5 * lift, 12];
  context.fillStyle = `rgb(0 14 6 / ${0.1 / (1 + 1.1 * lift)})`;
  const middle = [0, 1].map((k) => around.reduce((sum, point) => sum + point[k], 0) / around.length);
  for (let i = 0; i < layers; i += 1) { // from the core of the shadow to its soft edge
    const grown = ROUND * 0.6 + soft * ((i + 0.5) / layers - 0.5);
    const part = 1 + Math.min(0, grown) * 1.6;
    rounded(context, around.map((point) => mix(middle, point, Math.max(0.05, part))), Math.max(0.02, grown) * scale);
    context.fill();
  }
}

/** Traces a convex polygon, larger by `radius` all around. */
function rounded(context, points, radius) {
  context.beginPath();
  points.forEach((point, i) => {
    const [before, after] = [points.at(i - 1), points[(i + 1) % points.length]];
    const out = (from, to) => Math.atan2(from[0] - to[0], to[1] - from[1]);
    context.arc(...point, radius, out(before, point), out(point, after));
  });
  context.closePath();
}

function hull(points) {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const half = (list) => {
    const chain = [];
    for (const p of list) {
      while (chain.length > 1) {
        const [a, b] = chain.slice(-2);
        if ((b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]) > 0) break;
        chain.pop();
      }
      chain.push(p);
    }
    return chain.slice(0, -1);
  };
  return [...half(sorted), ...half(sorted.reverse())];
}

/** Draws a die that is no cube: its outline, without a number. */
function drawGem(context, { x, y, z, r, sides }, scale, paint) {
  const size = scale * (1 + 0.07 * Math.max(0, z - 0.5));
  const [cx, cy] = [x * scale, (y * FLAT - z * UP) * scale];
  const [c, s] = r[0];
  const corners = gemOf(sides).map(([a, b]) => [cx + (a * c - b * s) * size, cy + (a * s + b * c) * size]);
  line(context, corners);
  context.lineJoin = "round";
  context.lineWidth = size / 30;
  context.fillStyle = paint.css([0, 0, 1]);
  context.strokeStyle = `rgb(${paint.pip.join(" ")})`;
  context.fill();
  context.stroke();
}

/** Returns the corners `[x, y]` of the gem that the server drew, from its middle, in sides of a die. */
function gemOf(sides) {
  const drawing = byId(`draw-gem-${sides}`) ?? byId("draw-gem-0");
  const points = drawing.content.querySelector("polygon").getAttribute("points");
  return points.split(" ").map((point) => point.split(",").map((at) => at / 60 - 0.5));
}

/** Draws one die: a ball at each corner, a rounded strip along each edge, then the flat faces. */
export function drawDie(context, pose, scale, paint) {
  if (pose.sides !== 6) {
    drawGem(context, pose, scale, paint);
    return;
  }
  const { x, y, z, r } = pose;
  const size = scale * (1 + 0.07 * Math.max(0, z - 0.5));
  const [cx, cy] = [x * scale, (y * FLAT - z * UP) * scale];
  const sides = r.map((column) => {
    const sign = dot(column, VIEW) >= 0 ? 1 : -1;
    const normal = column.map((part) => part * sign);
    return {
      sign, normal, depth: dot(normal, VIEW),
      p: [normal[0] * size, (normal[1] * FLAT - normal[2] * UP) * size],
    };
  });
  const spot = (a, b, c) =>
    [0, 1].map((k) => (k ? cy : cx) + sides[0].p[k] * a + sides[1].p[k] * b + sides[2].p[k] * c);
  const corner = (signs) => spot(...signs.map((sign) => sign * CORE));
  // The outline: a rounded cube seen from afar is a hexagon with a round pen around it.
  line(context, [[1, -1, -1], [1, 1, -1], [-1, 1, -1], [-1, 1, 1], [-1, -1, 1], [1, -1, 1]].map(corner));
  context.lineJoin = "round";
  context.lineWidth = 2 * ROUND * size - 0.6;
  context.fillStyle = context.strokeStyle = paint.css([0.3, 0.75, -0.2]);
  context.fill();
  context.stroke();
  for (let i = 1; i < 8; i += 1) {
    const [px, py] = corner([i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1]);
    const reach = ROUND * size;
    context.drawImage(paint.ball, px - reach, py - reach, 2 * reach, 2 * reach);
  }
  context.lineWidth = 0.7;
  for (let i = 0; i < 3; i += 1) {
    for (let j = 0; j < 3; j += 1) if (i !== j) {
      strip(i, j, -1); // towards a face that is turned away
      if (i < j) strip(i, j, 1);
    }
  }
  sides.forEach(face);

  function strip(i, j, towards) {
    const k = 3 - i - j;
    const [a, b] = [sides[i], sides[j]];
    const until = towards > 0 ? QUARTER : Math.atan2(a.depth, b.depth);
    const length = Math.hypot(...sides[k].p);
    if (length < 1) return;
    const across = [-sides[k].p[1] / length, sides[k].p[0] / length];
    const off = (angle) => [0, 1].map((c) =>
      ROUND * (Math.cos(angle) * a.p[c] + Math.sin(angle) * towards * b.p[c]));
    const reach = (angle) => off(angle)[0] * across[0] + off(angle)[1] * across[1];
    const signs = [0, 0, 0];
    [signs[i], signs[j]] = [1, towards];
    const [from, to] = [-1, 1].map((sign) => corner(Object.assign([...signs], { [k]: sign })));
    const [near, far] = [reach(0), reach(until)];
    if (Math.abs(far - near) < 0.3) return;
    const fade = context.createLinearGradient(from[0] + across[0] * near, from[1] + across[1] * near,
      from[0] + across[0] * far, from[1] + across[1] * far);
    for (let step = 0; step <= 5; step += 1) {
      const angle = (until * step) / 5;
      const normal = a.normal.map((part, c) => Math.cos(angle) * part + Math.sin(angle) * towards * b.normal[c]);
      fade.addColorStop(clamp((reach(angle) - near) / (far - near), 0, 1), paint.css(normal));
    }
    const bend = Array.from({ length: 7 }, (_, step) => off((until * step) / 6));
    line(context, [...bend.map((o) => [from[0] + o[0], from[1] + o[1]]),
      ...bend.reverse().map((o) => [to[0] + o[0], to[1] + o[1]])]);
    context.fillStyle = context.strokeStyle = fade;
    context.fill();
    if (towards > 0) context.stroke(); // no hairline between neighbours
  }

  function face(side, i) {
    const [a, b] = [sides[(i + 1) % 3], sides[(i + 2) % 3]];
    const middle = [cx + side.p[0] / 2, cy + side.p[1] / 2];
    const at = (u, v) => [0, 1].map((c) => middle[c] + u * a.p[c] + v * b.p[c]);
    const edge = CORE + 0.004;
    line(context, [at(-edge, -edge), at(edge, -edge), at(edge, edge), at(-edge, edge)]);
    const sheen = context.createLinearGradient(middle[0] - size * 0.35, middle[1] - size * 0.35, middle[0] + size * 0.35, middle[1] + size * 0.35);
    sheen.addColorStop(0.3, paint.css(side.normal));
    sheen.addColorStop(1, paint.css(side.normal, 0.015 + 0.13 * (0.5 - 0.5 * dot(side.normal, LIGHT))));
    context.fillStyle = sheen;
    context.fill();
    if (side.depth < 0.06) return;
    const shown = FACES[i][side.sign > 0 ? 0 : 1];
    const dim = clamp(dot(side.normal, LIGHT) * 0.5 + 0.5, 0.25, 1);
    const [pip, light] = [paint.pip, paint.shade(side.normal)];
    const big = shown === 1 ? 0.12 : 0.096;
    const fill = (radius, dx, dy, colour) => {
      context.beginPath();
      for (const letter of SPOTS[shown]) {
        const place = letter.charCodeAt(0) - 97;
        const [px, py] = at(((place % 3) - 1) * 0.225, (Math.floor(place / 3) - 1) * 0.225);
        context.save();
        context.transform(a.p[0], a.p[1], b.p[0], b.p[1], px + dx * size * side.depth, py + dy * size * side.depth);
        context.moveTo(radius, 0);
        context.arc(0, 0, radius, 0, 2 * Math.PI);
        context.restore();
      }
      context.fillStyle = `rgb(${colour.map(Math.round).join(" ")})`;
      context.fill();
    };
    // Sunk: the far rim catches the light, the near wall of the hole lies in the dark.
    fill(big, 0.012, 0.016, mix(light, [255, 255, 255], 0.7 * dim ** 2));
    fill(big, -0.004, -0.005, mix(light, pip, 0.45));
    fill(big * 0.95, 0, 0, pip);
    fill(big * 0.66, 0.017, 0.02, mix(pip, light, 0.11 * dim));
    fill(big * 0.36, 0.024, 0.029, mix(pip, light, 0.2 * dim));
  }
}
