// The event stream of a room, from the engine of this device. Replaces `net/socket.js`. It never
// loses its connection. If a computer player cannot act, the reason is spoken here, since it
// answers no request.

import { say } from "../view/live_region.js";
import { listen } from "./engine.js";

export class Socket {
  isOpen = true;

  constructor(room, sync) {
    const hears = (message) => sync.receive(message);
    listen(room, sync.heard, { hears, refused: (why) => say(why.split("\n")) });
  }
}
