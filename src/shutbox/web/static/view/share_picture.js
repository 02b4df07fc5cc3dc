// A picture of a result to share, drawn on the device: the box, the score and the names, and for a
// try at Today's box a square for each throw. It has no dice and no tiles.

const [WIDTH, HEIGHT, FRAME, RAIL] = [1200, 630, 44, 130];
const WOOD = ["#b07a45", "#8b5a2c", "#5a3515"];
const FELT = ["#2a7a56", "#17513a"];
const MARKS = {
  best: { paper: "#2c7a51", ink: "#fff", path: "M5 12.5 9.5 17 19 7.5" },
  close: { paper: "#e0b458", ink: "#2b1903", path: "M4 14c2-5 5-5 8-2s6 3 8-2" },
  mistake: { paper: "#a12d1c", ink: "#fff", path: "m6 6 12 12M18 6 6 18" },
};

function shade(context, colours, height) {
  const gradient = context.createLinearGradient(0, 0, 0, height);
  colours.forEach((colour, place) => gradient.addColorStop(place / (colours.length - 1), colour));
  return gradient;
}

/**
 * Returns the picture as a PNG file, or null if the browser cannot draw it. `lines` are texts, the
 * first the most important, and `skills` names of squares.
 */
export async function pictureOf({ title, lines, skills = [] }) {
  const canvas = document.createElement("canvas");
  Object.assign(canvas, { width: WIDTH, height: HEIGHT });
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.fillStyle = shade(context, WOOD, HEIGHT);
  context.fillRect(0, 0, WIDTH, HEIGHT);
  context.fillStyle = shade(context, FELT, HEIGHT);
  context.fillRect(FRAME, RAIL, WIDTH - 2 * FRAME, HEIGHT - RAIL - FRAME);
  context.textBaseline = "middle";
  const write = (text, y, size, colour) => {
    context.fillStyle = colour;
    context.font = `700 ${size}px "Shutbox Serif", serif`;
    context.fillText(text, 2 * FRAME, y, WIDTH - 4 * FRAME);
  };
  write(title, RAIL / 2, 64, "#1f0e03");
  const room = HEIGHT - RAIL - FRAME - (skills.length ? 130 : 0);
  const step = room / lines.length;
  const size = Math.min(150, 0.8 * step);
  lines.forEach((line, place) => write(line, RAIL + step * (place + 0.5), size, "#f4f8ef"));
  const side = Math.min(84, (WIDTH - 4 * FRAME) / skills.length - 12);
  skills.forEach((skill, place) => {
    const { paper, ink, path } = MARKS[skill];
    context.save();
    context.translate(2 * FRAME + place * (side + 12), HEIGHT - FRAME - 120);
    context.scale(side / 24, side / 24);
    context.fillStyle = paper;
    context.fillRect(0, 0, 24, 24);
    Object.assign(context, { strokeStyle: ink, lineWidth: 3, lineCap: "round" });
    context.stroke(new Path2D(path));
    context.restore();
  });
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  return blob && new File([blob], "shutbox.png", { type: "image/png" });
}
