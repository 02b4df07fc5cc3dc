// The event stream of a room. It reconnects by itself and sends the number of the last event
// received, so that no event is missed or repeated.

// Firefox connects one socket to an address at a time. It makes one that fails again and again wait, up
// to a minute, and all others meanwhile. So a page that nobody sees tries ever more seldom.
const [FIRST_MS, LAST_MS, LEFT_MS] = [250, 2000, 90_000];
const REFUSED = 4403;
const SILENT_MS = 40_000; // the server sends something every 15 seconds

export class Socket {
  /**
   * `sync.heard` is the number of the last event received, and `sync.receive(message)` gets every
   * message. `sync.page.connectionChanged(isAway)` is called when the connection has been lost for two
   * seconds, and when it is back. If the viewer may no longer see this room, `sync.ask()` finds out.
   */
  constructor(room, sync) {
    Object.assign(this, { room, sync, attempts: 0, lost: null, isAway: false });
    this.open();
    addEventListener("online", () => this.reconnect(0));
    addEventListener("visibilitychange", () => {
      if (!document.hidden) this.reconnect(0);
      else if (this.isAway) this.socket.close(); // it may be one that waits
    });
  }

  /** Whether events arrive. */
  get isOpen() {
    return this.socket.readyState === WebSocket.OPEN;
  }

  /** Connects. Events after the last one received come first. */
  open() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const path = `/api/rooms/${this.room}/live?since=${this.sync.heard}`;
    const socket = new WebSocket(`${scheme}//${location.host}${path}`);
    this.socket = socket;
    this.listen();
    socket.addEventListener("open", () => this.opened());
    socket.addEventListener("message", ({ data }) => {
      if (socket !== this.socket) return;
      this.listen();
      this.sync.receive(JSON.parse(data));
    });
    socket.addEventListener("close", ({ code }) => {
      if (socket !== this.socket) return;
      clearTimeout(this.silent);
      if (code === REFUSED) this.sync.ask();
      else this.closed();
    });
  }

  /** Starts to wait for silence. A dead network closes no socket, so a silent one is closed. */
  listen() {
    clearTimeout(this.silent);
    this.silent = setTimeout(() => {
      this.socket.close();
      this.closed();
    }, SILENT_MS);
  }

  /** Notes that the connection works, and says so if it was lost. */
  opened() {
    this.attempts = 0;
    clearTimeout(this.lost);
    this.lost = null;
    if (this.isAway) this.sync.page.connectionChanged(false);
    this.isAway = false;
  }

  /** Connects again soon, ever later while that fails. After two seconds, says that it is lost. */
  closed() {
    this.lost ??= setTimeout(() => {
      this.isAway = true;
      this.sync.page.connectionChanged(true);
    }, 2000);
    const pause = Math.min(FIRST_MS * 2 ** this.attempts, document.hidden ? LEFT_MS : LAST_MS);
    this.attempts += 1;
    this.reconnect(pause * (0.75 + Math.random() / 2));
  }

  /** Connects after `pause` ms, unless the connection works by then. */
  reconnect(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (this.socket.readyState >= WebSocket.CLOSING) this.open();
    }, pause);
  }
}
