// The stream of a room, from the engine of this device: in the place of `net/socket.js`. It is never
// lost. Beside what happens it brings why a computer player could not act, which is said.

import { say } from "../view/live_region.js";
import { listen } from "./engine.js";

export class Socket {
  isOpen = true;

  constructor(room, { since, hears }) {
    listen(room, since(), (message) => {
      if (message.refusal) say(message.refusal.split("\n"));
      else hears(message);
    });
  }
}
