// The stream of a room, from the engine of this device: in the place of `net/socket.js`. It is never
// lost.

import { listen } from "./engine.js";

export class Socket {
  isOpen = true;

  constructor(room, { since, hears }) {
    listen(room, since(), hears);
  }
}
