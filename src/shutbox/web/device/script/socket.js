// The stream of a room, from the engine of this device: in the place of `net/socket.js`. It is never
// lost. Why a computer player cannot act is said: nobody has asked for it.

import { say } from "../view/live_region.js";
import { listen } from "./engine.js";

export class Socket {
  isOpen = true;

  constructor(room, { since, hears }) {
    listen(room, since(), { hears, refused: (why) => say(why.split("\n")) });
  }
}
