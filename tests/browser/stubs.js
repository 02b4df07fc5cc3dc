// What tests put in the place of parts of the browser, and what they watch, hold or measure on a
// page. It runs in every page before its own scripts. Python calls it by `Visitor.run`, and
// `Visitor.stub` runs a part of it in each page that opens.

window.stubs = {
  // Notifications and push

  /** Notifications: `notes` has those that were shown, `asked` how often leave was asked for. */
  notifications(answer) {
    globalThis.notes = [];
    globalThis.asked = 0;
    globalThis.Notification = class {
      static permission = "default";
      static async requestPermission() {
        asked += 1;
        return (this.permission = answer);
      }
      constructor(title, { body, tag }) {
        this.note = { title, body, tag, open: true };
        notes.push(this.note);
      }
      close() {
        this.note.open = false;
      }
    };
  },

  notes: () => notes.map(({ title, body, tag, data, open }) => ({ title, body, tag, data, open })),

  away(isHidden) {
    Object.defineProperty(document, "hidden", { get: () => isHidden, configurable: true });
    document.dispatchEvent(new Event("visibilitychange"));
  },

  /** A browser without a window has a worker, shows no notes, and subscribes to no push service. */
  notesOfWorker() {
    const it = ServiceWorkerRegistration.prototype;
    Object.defineProperty(it, "pushManager", { get: () => undefined });
    it.showNotification = async function (title, { body, tag, data }) {
      const note = { title, body, tag, data, open: true, close: () => (note.open = false) };
      notes.push(note);
    };
    it.getNotifications = async ({ tag }) => notes.filter((one) => one.open && one.tag === tag);
  },

  push() {
    const key = new Uint8Array(65).fill(4);
    globalThis.pushed = [];
    const made = {
      endpoint: "https://fcm.googleapis.com/send/abc",
      getKey: (name) => (name === "auth" ? key.slice(0, 16) : key).buffer,
      unsubscribe: async () => {
        pushed.push("ends");
        current = null;
      },
    };
    let current = null;
    const pushManager = {
      getSubscription: async () => current,
      subscribe: async ({ applicationServerKey }) => {
        pushed.push(applicationServerKey);
        current = made;
        return made;
      },
    };
    navigator.serviceWorker.getRegistration = async () => ({
      pushManager,
      showNotification: async () => {},
      getNotifications: async () => [],
    });
  },

  // Sharing, and what else a browser offers

  /** A share menu and a clipboard that work, are not there, are left, or are broken. */
  async sharing(shares, copies) {
    const { handOn } = await import("/static/view/share.js");
    const done = [];
    const refusing = (name) => async () => {
      throw new DOMException("no", name);
    };
    const put = (name, value) =>
      Object.defineProperty(navigator, name, { value, configurable: true });
    const menus = {
      yes: async ({ url }) => done.push(`shared ${url}`),
      left: refusing("AbortError"),
      broken: refusing("NotAllowedError"),
    };
    const clipboards = {
      yes: { writeText: async (text) => done.push(`copied ${text}`) },
      broken: { writeText: refusing("NotAllowedError") },
    };
    put("share", menus[shares]);
    put("canShare", undefined);
    put("clipboard", clipboards[copies]);
    return [await handOn({ text: "Shut.", url: "https://box.example" }), ...done];
  },

  /** A share menu that keeps what it gets as `shared`. */
  shares() {
    navigator.canShare = () => true;
    navigator.share = async (what) => {
      globalThis.shared = what;
    };
  },

  async sharedPicture() {
    const [file] = shared.files;
    const { width, height } = await createImageBitmap(file);
    return [file.type, file.size < 200_000, width, height];
  },

  /** Offers to install the page. Returns whether the page keeps the offer for later. */
  install() {
    const event = new Event("beforeinstallprompt", { cancelable: true });
    event.prompt = () => (window.prompted = true);
    dispatchEvent(event);
    return event.defaultPrevented;
  },

  /** What the service worker keeps: the paths in each of its caches. */
  async kept() {
    const found = {};
    for (const name of await caches.keys()) {
      const kept = await (await caches.open(name)).keys();
      found[name] = kept.map(({ url }) => url.replace(location.origin, ""));
    }
    return found;
  },

  /** No connection succeeds, and somebody looks at the page unless it `isLeft`. */
  withoutConnection() {
    window.tries = 0;
    Object.defineProperty(document, "hidden", { get: () => window.isLeft ?? false });
    window.WebSocket = class extends EventTarget {
      static OPEN = 1;
      static CLOSING = 2;
      readyState = 0;
      constructor() {
        super();
        window.tries += 1;
        setTimeout(() => {
          this.readyState = 3;
          this.dispatchEvent(new CloseEvent("close", { code: 1006 }));
        });
      }
      close() {}
    };
  },

  // Voice and sounds

  /** The browser's own voice says nothing aloud: `voiced` has what it was given, "" for a cut. */
  voice(languages) {
    window.voiced = [];
    const voices = languages.map((lang) => ({ lang, name: lang, voiceURI: lang }));
    const speech = Object.assign(new EventTarget(), {
      speaking: [],
      speak(spoken) {
        voiced.push(spoken.text);
        speech.rate = spoken.rate;
        speech.speaking.push(spoken);
      },
      end() {
        for (const spoken of speech.speaking.splice(0)) spoken.onend();
      },
      cancel() {
        voiced.push("");
        speech.end();
      },
      getVoices: () => voices,
    });
    Object.defineProperty(window, "speechSynthesis", { value: speech });
    window.SpeechSynthesisUtterance = class {
      constructor(text) {
        this.text = text;
      }
    };
  },

  /** What the page plays and says goes into one list, `heard`. `takes` names sounds by their start. */
  sounds(takes) {
    window.heard = [];
    const recorded = (kind, about) =>
      class extends kind {
        constructor(context, options) {
          super(context, options);
          about(options, this);
        }
        start(at, from, length) {
          const sound = heard.at(-1);
          sound.at = Math.round(1000 * at);
          if (from !== undefined) Object.assign(sound, { name: takes[from], length });
          super.start(at, from, length);
        }
      };
    const push = (pitch) => heard.push({ pitch });
    window.OscillatorNode = recorded(OscillatorNode, ({ frequency }) => push(frequency));
    window.AudioBufferSourceNode = recorded(AudioBufferSourceNode, ({ playbackRate }) =>
      push(playbackRate),
    );
    window.StereoPannerNode = recorded(StereoPannerNode, ({ pan }) => (heard.at(-1).pan = pan));
    const decode = AudioContext.prototype.decodeAudioData;
    AudioContext.prototype.decodeAudioData = async function (bytes) {
      const samples = await decode.call(this, bytes);
      setTimeout(() => (window.isDecoded = true));
      return samples;
    };
    table.told.push = (...words) => {
      heard.push({ words: words.join(" ") });
      return Array.prototype.push.apply(table.told, words);
    };
  },

  /** The sounds before a line with these words, or the next ones that a line follows; or null. */
  soundsUntil(words) {
    const start = words ? 0 : heard.findIndex((one) => !one.words);
    const isLine = (one, n) => start >= 0 && n >= start && one.words?.includes(words);
    const end = heard.findIndex(isLine);
    return end < 0 ? null : heard.splice(0, end + 1).filter((one) => !one.words);
  },

  /** A sound that is due after the samples have loaded, and others that are cut off. */
  async skippedSounds() {
    const { fetch } = window;
    const [stopped, buzzes] = [[], []];
    const { stop } = AudioScheduledSourceNode.prototype;
    const pause = (ms) => new Promise((done) => setTimeout(done, ms));
    AudioScheduledSourceNode.prototype.stop = function (...at) {
      if (!at.length) stopped.push(this);
      stop.apply(this, at);
    };
    navigator.vibrate = (pattern) => buzzes.push(pattern);
    let load;
    window.fetch = (...asked) => new Promise((done) => (load = () => done(fetch(...asked))));
    const sound = await import("/static/view/sound.js");
    window.isDecoded = false;
    dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
    sound.play("win", { seconds: 0.4, delay: 1500 });
    load();
    while (!isDecoded) await pause(20);
    await pause(1600);
    sound.slam();
    sound.playCues("called");
    sound.hush();
    await pause(600);
    return [heard.find(({ length }) => length).length, stopped.length, buzzes];
  },

  // What moves

  /** `table.order` has the animations of tiles and lid as they begin. */
  watchLid() {
    table.order = [];
    document.addEventListener("animationstart", ({ animationName }) => {
      if (["fall", "slam", "caught"].includes(animationName)) table.order.push(animationName);
    });
    // Notes when the tiles begin to fall and when the lid does. An observer hears each change of
    // the page at once, however late a busy machine draws it.
    table.falls = {};
    const looks = new MutationObserver((changes) => {
      for (const { target } of changes) {
        if (target.dataset.state === "falling") table.falls.tiles ??= performance.now();
        if (target.matches(".lid.shut")) table.falls.lid ??= performance.now();
      }
    });
    const kinds = { attributeFilter: ["class", "data-state"], subtree: true };
    looks.observe(document.getElementById("stage"), kinds);
  },

  watchCaptions() {
    table.captions = new Set();
    const line = document.getElementById("caption");
    const all = { childList: true, characterData: true, subtree: true };
    new MutationObserver(() => table.captions.add(line.textContent)).observe(line, all);
  },

  /** Dice that are thrown from now on stay in the air until a key lets them lie. */
  holdDice() {
    window.requestAnimationFrame = () => 0;
  },

  /** The same until `table.land()`; `table.texts` has what is told meanwhile. */
  holdFrames() {
    table.texts = [];
    const frames = [];
    window.requestAnimationFrame = (frame) => frames.push(frame);
    table.falling = () => [...document.querySelectorAll(".box.aloft")];
    table.land = () => frames.splice(0).forEach((frame) => frame(performance.now() + 9999));
    const ids = ["caption", "rim", "guide", "plates", "score"];
    const places = ["title", ...ids.map((id) => `#${id}`)].join();
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        const isTold = (target.parentElement ?? target).closest?.(places);
        if (isTold && table.falling().length) table.texts.push(target.textContent);
      }
    }).observe(document, { characterData: true, childList: true, subtree: true });
  },

  /** Throws, until the server has answered and the dice are in the air. */
  async throwHeld() {
    const { replies } = table;
    table.texts = [];
    document.getElementById("go").click();
    await table.answered(replies, "the throw");
    await table.until(() => table.heard === table.view.number, "the throw on the stream, too");
    await table.until(() => table.falling().length, "dice in the air");
  },

  /** All texts of a table that could tell of a throw; the title and the caption first. */
  texts() {
    const ids = ["caption", "go", "offers", "guide", "plates", "score", "beat", "tag", "left"];
    ids.push("sum", "outcome", "log", "status");
    return [document.title, ...ids.map((id) => document.getElementById(id).textContent.trim())];
  },

  /** Holds what the computer in the second seat does until the page has received all of it. */
  holdComputer() {
    table.hurried = 0; // how often it could be skipped
    const go = document.getElementById("go");
    const note = () => (table.hurried += Number(go.hasAttribute("data-hurry")));
    new MutationObserver(note).observe(go, { attributes: true });
    const held = [];
    table.isHeld = () => held.some(({ view }) => view.table.seat !== 1);
    const hold = (event) => {
      const message = JSON.parse(event.data);
      if (message.happened?.seat !== 1) return;
      event.stopImmediatePropagation();
      held.push(message);
    };
    table.socket.addEventListener("message", hold, { capture: true });
    table.release = () => {
      table.socket.removeEventListener("message", hold, { capture: true });
      held.forEach(table.hear);
      return held.length;
    };
  },

  /**
   * Lets the page have all of it, and presses the main button before or after.
   * Nothing of this takes any time: what is not shown at once is not shown at the end of it.
   */
  releaseComputer(presses) {
    const go = document.getElementById("go");
    const lines = () => document.querySelectorAll("#log .says").length;
    const before = lines();
    const counts = {};
    if (presses === "before") go.click();
    counts.came = table.release();
    counts.shown = lines() - before;
    if (presses === "after") go.click();
    counts.end = lines() - before;
    counts.hurries = go.hasAttribute("data-hurry");
    return counts;
  },

  /** Plans throws as the page does: the least distance on the way and at rest, and faults. */
  async plans(count, wide, high, throws) {
    const { planThrow, seedOf, usualStrength } = await import("/static/model/throw.js");
    const { sideOf } = await import("/static/model/resting.js");
    const side = sideOf(count, wide, high);
    const [width, depth] = [wide / side, high / side / Math.sin((65 * Math.PI) / 180)];
    const up = { 1: [2, 1], 6: [2, -1], 2: [1, 1], 5: [1, -1], 3: [0, 1], 4: [0, -1] };
    const found = { wrong: 0, outside: 0, way: 9, rest: 9, spots: new Set() };
    for (let n = 1; n <= throws; n += 1) {
      const faces = Array.from({ length: count }, (_, i) => String(1 + ((n * 5 + i * n) % 6)));
      const dice = faces.map((face) => ({ sides: 6, face }));
      const seed = seedOf(n, dice);
      const strength = usualStrength(seed);
      const { flights, length, room } = planThrow({ dice, seed, width, depth, strength });
      found.way = Math.min(found.way, room);
      const rest = flights.map(({ pose }) => pose(length + 100));
      found.spots.add(rest.map(({ x, y }) => [Math.round(x), Math.round(y)]).join());
      rest.forEach(({ x, y, z, rotation }, i) => {
        const [axis, sign] = up[dice[i].face];
        found.wrong += Number(sign * rotation[axis][2] < 0.999 || Math.abs(z - 0.5) > 0.001);
        found.outside += Number(Math.min(x, y, width - x, depth - y) < 0.6);
        for (const other of rest.slice(0, i)) {
          found.rest = Math.min(found.rest, Math.hypot(other.x - x, other.y - y));
        }
      });
    }
    return { ...found, spots: found.spots.size };
  },

  // The ring of one switch

  /** The ring moves on when the test calls `step`, and not with time. */
  drivenRing(ms) {
    localStorage.setItem("shutbox", JSON.stringify({ scan: true, ring: String(ms) }));
    const usual = window.setTimeout;
    window.setTimeout = (does, wait, ...more) => {
      if (Number(wait) !== ms) return usual(does, wait, ...more);
      window.step = does;
      return 0;
    };
  },

  /** The id, the key of the piece or the text of what the ring stands on. */
  ring() {
    const at = document.activeElement;
    const words = at.parentElement.dataset.key?.split(" ") ?? [at.textContent.trim()];
    return at.id || (at.matches(".die") ? words.slice(0, -3) : words).join(" ");
  },

  // What a page looks like

  picked() {
    const pieces = document.querySelectorAll("#board [aria-pressed=true]");
    return [...pieces].map((piece) => piece.parentElement.dataset.key);
  },

  /** Why the main button is not in sight with the box, or "". */
  outOfSight() {
    const { top, bottom } = document.getElementById("go").getBoundingClientRect();
    const bar = document.getElementById("tools"); // on a phone it lies over the page
    const isOver = getComputedStyle(bar).position === "fixed";
    const end = isOver ? bar.getBoundingClientRect().top : innerHeight;
    return top >= 0 && bottom <= end ? "" : `from ${top} to ${bottom} of ${end}`;
  },

  /** How many elements among these selectors touch another one. */
  touches(parts) {
    const boxes = [...document.querySelectorAll(parts)].map((one) => one.getBoundingClientRect());
    const meet = (a, b, from, to) => a[from] < b[to] && b[from] < a[to];
    const touch = (a, b) => meet(a, b, "left", "right") && meet(a, b, "top", "bottom");
    return boxes.filter((a) => boxes.some((b) => a !== b && touch(a, b))).length;
  },

  /** Puts an element out of sight. Returns its place and its colour. */
  uncover(selector) {
    const one = document.querySelector(selector);
    const { color } = getComputedStyle(one);
    one.style.visibility = "hidden";
    const { x, y, width, height } = one.getBoundingClientRect();
    const colour = color.match(/[0-9.]+/g).slice(0, 3).map(Number);
    return { clip: { x, y, width, height }, colour };
  },

  textures() {
    const parts = [".box", ".rack", ".baize", ".rim"].map((one) => document.querySelector(one));
    const styles = parts.flatMap((one) => [null, "::before"].map((at) => getComputedStyle(one, at)));
    return styles.filter(({ backgroundImage }) => backgroundImage.includes("url(")).length;
  },

  // The page of a new table

  /** `heard` has the sentence about the table each time it changes. */
  watchSentence() {
    window.heard = [];
    const says = document.getElementById("says");
    const all = { subtree: true, childList: true, characterData: true };
    new MutationObserver(() => heard.push(says.innerText)).observe(says, all);
  },

  /** Presses tiles of an own box, sooner than the server can answer. */
  pressTiles(tiles) {
    for (const tile of document.querySelectorAll("[name=own_tile]")) {
      if (tiles.includes(tile.value)) tile.click();
    }
  },

  // The site without a server

  /** The languages besides English that the service worker has stored. */
  async languages() {
    const [name] = (await caches.keys()).filter((each) => each !== "memory");
    const paths = (await (await caches.open(name)).keys()).map(({ url }) => new URL(url).pathname);
    const isWhole = (each) =>
      paths.includes(`/${each}/today.html`) && paths.includes(`/engine/${each}.po.packed`);
    return document.documentElement.dataset.languages.split(" ").filter(isWhole);
  },

  /** Waits until a newer release has come. */
  async newerRelease() {
    const registration = await navigator.serviceWorker.getRegistration();
    for (let tries = 0; !registration.waiting; tries += 1) {
      if (tries === 1000) throw new Error("no newer release comes");
      await new Promise((done) => setTimeout(done, 50));
    }
  },

  /** Spoils the memory of an earlier engine that the browser keeps. Returns how many there are. */
  async spoilMemory() {
    const cache = await caches.open("memory");
    const kept = await cache.keys();
    for (const one of kept) await cache.put(one, new Response("spoilt"));
    return kept.length;
  },

  /** A browser that lets a site keep nothing. */
  noStorage() {
    Object.defineProperty(window, "localStorage", {
      get() {
        throw new DOMException("access is denied", "SecurityError");
      },
    });
  },

  /** Presses all that a spectator can press, which must do nothing. */
  pressAll() {
    for (const button of document.querySelectorAll("#board button, #rim button, #undo")) {
      button.click();
    }
    for (const key of ["Enter", "u", "1", "5", "h", "c"]) {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
    }
  },
};
