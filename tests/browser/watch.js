// Runs in every page before its own scripts. It records what the server sends, what the page says,
// and violations of the security policy. It also plays, by clicking on the page.

(() => {
  const test = { view: null, you: null, said: [], told: [], replies: 0, requests: [] };
  test.underWay = 0; // open requests
  window.table = test;

  test.handed = 0; // how often the turn has passed to another seat
  let due; // the last current seat
  const note = (body) => {
    const seat = body?.view?.table?.seat ?? due;
    test.handed += Number(seat !== due);
    due = seat;
    if (body?.view && (!test.view || body.view.number >= test.view.number)) test.view = body.view;
    if (body?.you) test.you = body.you;
  };

  // Lines are spoken no faster than people can listen. While a game is played through, the waiting
  // times are shortened.
  test.hurries = false;
  const later = window.setTimeout;
  // The greeting of a guest is skipped. Where it `greets` for a test, it lasts until `opens()`.
  const GREETS_MS = 2240;
  window.setTimeout = (does, wait, ...more) => {
    if (test.greets && wait === GREETS_MS) test.opens = does;
    const isShort = test.hurries && wait > 200 && wait < 2000;
    return later(does, test.opens === does ? 1e9 : isShort ? wait / 10 : wait, ...more);
  };

  const fetched = window.fetch;
  const noteAnswer = (body) => {
    note(body);
    if (body.said) test.said = isOnly(test.actor) ? (body.own?.says ?? body.said) : body.said;
  };
  window.fetch = async (...sent) => {
    // The page gives its words for sealed dice by itself.
    const isPost = sent[1]?.method === "POST" && !sent[0].endsWith("/word");
    if (isPost) test.requests.push(sent);
    const answered = () => setTimeout(() => (test.underWay -= isPost ? 1 : 0));
    test.underWay += isPost ? 1 : 0;
    const reply = await fetched(...sent).catch((error) => {
      answered();
      throw error;
    });
    // An answer counts as received when the page has read and processed it.
    reply.json = async () => {
      const body = await Response.prototype.json.call(reply).finally(answered);
      noteAnswer(body);
      if (isPost && reply.ok) setTimeout(() => (test.replies += 1));
      return body;
    };
    return reply;
  };

  const skip = () => {
    if (test.greets || !document.querySelector(".stage.opening")) return;
    window.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift" }));
  };
  new MutationObserver(skip).observe(document, { subtree: true, attributeFilter: ["class"] });

  window.WebSocket = class extends WebSocket {
    constructor(...address) {
      super(...address);
      test.socket = this;
      this.addEventListener("message", ({ data }) => {
        const message = JSON.parse(data);
        note(message);
        test.heard = message.number ?? message.view?.number ?? test.heard;
        test.watching = message.watching ?? message.view.watching;
      });
    }
  };

  /** Lets the page hear a message as from the server. */
  test.hear = (message) => {
    const data = JSON.stringify(message);
    test.socket.dispatchEvent(new MessageEvent("message", { data }));
  };

  /** Lets the page hear an event as from the server, and what it changes in the view. */
  test.happens = (happened, changes = {}) => {
    const number = (test.sent = (test.sent ?? test.view.number) + 1);
    const view = { ...test.view, number, ...changes };
    test.hear({ type: "event", number, happened, view });
  };

  // Without a server, a worker answers, and its messages count the same.
  window.SharedWorker = class extends SharedWorker {
    constructor(...about) {
      super(...about);
      const { port } = this;
      const post = port.postMessage.bind(port);
      port.addEventListener("message", ({ data: { id, status, body, message } }) => {
        if (message) {
          note(message);
          test.watching = message.watching ?? message.view.watching;
        } else if (id && test.posts.delete(id)) {
          noteAnswer(body);
          setTimeout(() => {
            test.underWay -= 1;
            if (status === 200) test.replies += 1;
          });
        } else if (id) note(body);
      });
      port.postMessage = (sent) => {
        if (sent.method === "POST") {
          test.posts.add(sent.id);
          test.underWay += 1;
        }
        post(sent);
      };
    }
  };
  test.posts = new Set(); // requests that the worker has not answered yet

  document.addEventListener("securitypolicyviolation", (event) => {
    console.error(`against the policy: ${event.violatedDirective} ${event.blockedURI}`);
  });

  document.addEventListener("DOMContentLoaded", () => {
    const boot = document.getElementById("boot");
    if (boot?.textContent) note(JSON.parse(boot.textContent));
    test.watching = test.view?.watching;
    const status = document.getElementById("status");
    const spoken = document.getElementById("spoken");
    if (!status) return;
    const looks = new MutationObserver((changes) => {
      for (const { target, addedNodes } of changes) {
        const isLine = target.parentElement === spoken && addedNodes.length;
        if (isLine) test.told.push(target.textContent.trim());
      }
      const isAnswer = changes.some(({ target }) => status.contains(target));
      if (isAnswer && status.textContent) test.told.push(status.textContent.trim());
    });
    const all = { childList: true, characterData: true, subtree: true };
    for (const place of [status, spoken]) if (place) looks.observe(place, all);
  });

  /** Whether these words have been said, later than the words of the last call. */
  let sought = 0;
  test.hears = (words) => {
    const texts = test.told.slice(sought);
    const at = texts.join(" ").indexOf(words);
    if (at < 0) return false;
    let end = -1;
    sought += texts.findIndex((text) => at <= (end += text.length + 1));
    return true;
  };

  const byId = (id) => document.getElementById(id);

  const messages = () => JSON.parse(byId("messages")?.textContent ?? "{}");
  const filled = (template, facts) => template.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

  /** Returns a sentence of the script in the page's language. A short one needs its context. */
  const said = (template, facts = {}, context = "") => {
    const key = context ? `${context}\u0004${template}` : template;
    const all = messages()[key] ?? template;
    return filled(Array.isArray(all) ? all[all.at(-1)[facts.number]] : all, facts);
  };
  const named = (template, context) => said(template, {}, context);
  const saidOf = (one, many, number, facts) => {
    const forms = messages()[one];
    return filled(forms?.[forms.at(-1)[number]] ?? (number === 1 ? one : many), { number, ...facts });
  };
  /** Returns the name of a seat as the page shows it: one that was not given is translated. */
  const nameOf = (seat) => {
    const { name, named: isNamed, computer } = test.view.seats[seat];
    if (isNamed || computer || !name) return name;
    return name === "Player" ? named(name, "seat") : said("Player {number}", { number: seat + 1 });
  };
  /** Returns the accessible name of a piece and its state. */
  const called = ({ kind, label, face, state }) => {
    const piece = kind === "die" && face ? said("{label} {face}", { label, face }) : label;
    const isUsual = state === (kind === "die" ? "lying" : "up");
    return isUsual ? piece : said(`{piece}, ${state}`, { piece });
  };
  const isShown = (element) => Boolean(element && element.getClientRects().length);
  const rest = () => new Promise((done) => setTimeout(done, 3));
  const PATIENCE_MS = 60_000;

  test.until = async (holds, about) => {
    const end = performance.now() + PATIENCE_MS;
    for (;;) {
      const found = holds();
      if (found) return found;
      if (performance.now() > end) {
        throw new Error(`waited in vain: ${typeof about === "function" ? about() : about}`);
      }
      await rest();
    }
  };

  const pieceOf = (key) =>
    [...document.querySelectorAll("#board [data-key]")].find(
      (item) => item.dataset.key === key || item.dataset.key.startsWith(`${key} `),
    )?.firstElementChild;

  const throwsFor = (table) =>
    table.does === "throw" && test.you.may.throw_for.includes(table.seat);
  const isMine = () => {
    const { view, you } = test;
    const table = view.table;
    if (!table || view.phase !== "playing" || table.does === "over") return false;
    const { state, computer } = view.seats[table.seat];
    const lies = table.does === "throw" && view.settings.dice === "hand" && !you.may.types_dice;
    const plays = state === "taken" && !computer && !lies;
    return (plays && you.seats.includes(table.seat)) || throwsFor(table);
  };
  test.isMine = isMine;
  const offers = () => (isMine() && test.view.table.does === "choose" ? test.view.table.offers : []);

  /** Returns the pieces that can be picked in addition, by the server's offers. */
  const open = (picked) =>
    new Set(
      offers()
        .filter(({ takes }) => picked.every((key) => takes.includes(key)))
        .flatMap(({ takes }) => takes)
        .filter((key) => !picked.includes(key)),
    );

  /** Whether a piece or an equal die can be picked. */
  const mayStandFor = (piece, may) =>
    test.view.table.pieces.some(
      ({ key, kind, label, face, state }) =>
        may.has(key) &&
        (key === piece.key ||
          (kind === "die" && piece.label === label && piece.face === face && piece.state === state)),
    );

  /** Returns what the page shows wrongly. Empty if all is right. */
  test.faults = (picked = []) => {
    const { view } = test;
    const { table } = view;
    const faults = [];
    const differs = (what, shown, due) => {
      if (shown !== due) faults.push(`${what}: ${shown} instead of ${due}`);
    };
    const seats = [...byId("seats").children];
    differs("seats", seats.length, view.seats.length);
    seats.forEach((seat, i) => {
      const { due, named: isNamed, state } = view.seats[i];
      const name = nameOf(i);
      const isChair = view.phase === "waiting" && state === "free" && !isNamed;
      differs(`seat ${i}`, seat.querySelector(".who").textContent, name || said("Seat {number}", { number: i + 1 }));
      const plate = byId("plates").children[i];
      const figure = view.table?.plates[i];
      differs(`plate ${i}`, plate.querySelector("bdi").textContent, isChair ? said("A free chair") : name || said("Seat {number}", { number: i + 1 }));
      differs(`figure ${i}`, plate.querySelector(".now .n").textContent, figure && figure.state !== "to-come" ? String(figure.points ?? "–") : "");
      const isDue = due && view.phase === "playing" ? "true" : null;
      differs(`plate ${i} due`, plate.getAttribute("aria-current"), isDue);
      differs(`seat ${i} due`, seat.getAttribute("aria-current"), isDue);
    });
    const watching = test.watching
      ? said("{number} watching.", { number: test.watching })
      : "";
    differs("watching", byId("watching").textContent, watching);
    if (!table) return faults;
    if (document.querySelector(".box.waiting")) faults.push("dice are still in the air");
    const beat = table.answers.find(({ key }) => key === "n")?.says ?? "";
    differs("to beat", byId("beat").textContent, view.phase === "playing" ? beat : "");
    differs("score", byId("score").textContent, table.score);
    const behind = table.pieces.filter(({ row }) => row === 1);
    const order = [...behind, ...table.pieces.filter(({ row }) => row !== 1)];
    const shown = [...document.querySelectorAll("#board ul > [data-key]")];
    differs("pieces", shown.length, order.length);
    const may = open(picked);
    order.map(inOwnRow).forEach((piece, i) => {
      const item = shown[i]?.firstElementChild;
      if (!item) return;
      const what = `${piece.key} (${item.getAttribute("aria-label")})`;
      differs(`${what} state`, item.dataset.state, piece.state);
      if (piece.kind === "tile") {
        const [slot, flap] = item.children;
        for (const shown of [slot.dataset.face, flap?.textContent]) differs(`${what} face`, shown, piece.face);
      } else {
        differs(`${what} face`, item.dataset.face, piece.face);
      }
      differs(`${what} label`, item.getAttribute("aria-label"), called(piece));
      if (item.tagName !== "BUTTON") {
        if (may.has(piece.key)) faults.push(`${what} is no button`);
        return;
      }
      const isPicked = picked.includes(piece.key);
      differs(`${what} pressed`, item.getAttribute("aria-pressed"), String(isPicked));
      const isOpen = isPicked || mayStandFor(piece, may);
      differs(`${what} disabled`, item.getAttribute("aria-disabled"), isOpen ? null : "true");
    });
    const faces = new Map(table.pieces.map(({ key, face }) => [key, Number(face)]));
    const sum = picked.reduce((all, key) => all + faces.get(key), 0);
    const isForAll = table.plates.some(({ offers, last }) => offers.length || last.length);
    const sums = isMine() && table.does === "choose" && table.target;
    differs("sum", byId("sum").textContent, sums ? `${table.target - sum}${named(isForAll ? "for all" : "to cover", "board")}` : "");
    const isOver = view.phase === "over" || view.phase === "ended";
    differs("result", isShown(byId("result")), isOver);
    const { sheet } = table;
    if (sheet) {
      const text = byId("sheet").textContent;
      for (const word of [...sheet.columns, ...sheet.totals, ...(sheet.chips || [])]) {
        if (!text.includes(word)) faults.push(`the sheet lacks ${word}`);
      }
      differs("rounds", byId("sheet").tBodies[0]?.querySelectorAll("tr:has(th)").length, sheet.rows.length);
    }
    const go = byId("go");
    const main = mainWords(picked);
    if (main) differs("main button", go.firstElementChild.textContent, main);
    return faults;
  };

  /** Returns a piece as the box of a player with a row of their own has it. */
  function inOwnRow(piece) {
    const { view, you } = test;
    const row = you.seats.length === 1 ? view.table.plates[you.seats[0]].row : null;
    return row && piece.kind === "tile" ? { ...piece, state: row.includes(piece.key) ? "up" : "down" } : piece;
  }

  function mainWords(picked) {
    const { view, you } = test;
    const { table } = view;
    if (view.phase === "over" || view.phase === "ended") {
      if (view.settings.dice === "day") return named("All days", "button");
      if (you.may.rematch) return named("Play again", "button");
      const answers = view.seats.map(({ again }) => again);
      if (answers.some((again, n) => again === false && !you.seats.includes(n))) return named("New table", "button");
      const waits = you.seats.some((n) => answers[n]);
      const others = view.seats.filter(({ again, computer }, n) => again === null && !computer && !you.seats.includes(n));
      if (waits && others.length === 1) return said("{name} to answer", others[0]);
      return said(waits ? "Waiting for an answer" : "The game is over");
    }
    if (!isMine()) {
      const isBack = you.may.come_back.includes(table.seat);
      const name = nameOf(table.seat);
      if (isBack) return named("Come back", "button");
      return table.does === "throw"
        ? said("{name} to throw", { name })
        : said("{name} to choose", { name });
    }
    if (table.does === "throw") {
      const name = nameOf(table.seat);
      if (view.settings.dice !== "hand") return throwWords(table);
      return throwsFor(table)
        ? said("{name}: take these dice", { name })
        : said("Take these dice");
    }
    const chosen = exact(picked)[0];
    return chosen && table.pieces.find(({ key }) => key === picked[0]).kind === "tile"
      ? said("Cover {tiles}", { tiles: tilesOf(chosen) })
      : null;
  }

  function throwWords({ throws_number: number, throws_word: count }) {
    return number
      ? saidOf("Throw one die", "Throw {count} dice", number, { count })
      : said("Throw {count}", { count });
  }

  /** Returns the tiles of a cover as its button shows them: in words if they are in two rows. */
  function tilesOf({ takes, says }) {
    const { pieces } = test.view.table;
    const taken = pieces.filter(({ key }) => takes.includes(key));
    const isPlain = pieces.every(({ row }) => !row) && taken.every(({ kind }) => kind === "tile");
    return isPlain ? taken.map(({ face }) => face).join(" + ") : says;
  }

  const exact = (picked) =>
    picked.length
      ? offers().filter(
          ({ takes }) => takes.length === picked.length && picked.every((key) => takes.includes(key)),
        )
      : [];

  /** Whether this seat is the only one at this screen, whose player the page calls "you". */
  const isOnly = (seat) => test.you.seats.join() === String(seat);

  /** Waits until the page shows the server's latest state. */
  test.shown = (picked = []) =>
    test.until(
      () => test.faults(picked).length === 0,
      () => `${test.faults(picked).join("; ")}; told: ${test.told.at(-1)}`,
    );

  /** Waits until there are more replies and no open request: one press can send two requests. */
  test.answered = (replies, about) =>
    test.until(() => test.replies > replies && test.underWay === 0, about);

  /** Clicks, and waits until the server has answered and the page shows the result. */
  async function act(element) {
    const replies = test.replies;
    const told = test.told.length;
    test.actor = test.view.table.seat;
    element.click();
    await test.answered(replies, `a reply to ${element.textContent}`);
    await test.shown();
    return { told };
  }

  /** Checks that the server's sentences have been spoken exactly once. */
  async function heard({ told }) {
    const due = test.said.join(" ").replace(/[\u2066-\u2069]/g, "");
    const { ask_alone: alone, ask: named } = test.view.table;
    const ask = isMine() && test.view.table.does === "choose" ? (isOnly(test.view.table.seat) ? alone : named) : "";
    const texts = () => test.told.slice(told);
    const question = ending(withoutName(ask));
    await test.until(
      () => [due, question].every((words) => texts().join(" ").includes(words)),
      () => `${JSON.stringify(due)} and ${JSON.stringify(ask)} in ${JSON.stringify(texts())}`,
    );
    const times = texts().join(" ").split(due).length - 1;
    if (due && times !== 1) throw new Error(`said ${times} times: ${due}: ${texts().join(" | ")}`);
  }

  /** Removes the player's name, which is not repeated if it was just said. */
  function withoutName(ask) {
    const { seat } = test.view.table;
    const name = `${test.view.seats[seat] && nameOf(seat)}: `;
    if (!ask.startsWith(name) || !test.said.some((words) => words.startsWith(name))) return ask;
    return ask.slice(name.length, name.length + 1).toUpperCase() + ask.slice(name.length + 1);
  }

  const ending = (ask) => {
    const { enter } = test.view.table;
    return ask && enter ? `${enter}.` : ask;
  };

  function piece(key) {
    const found = pieceOf(key);
    if (!found) throw new Error(`there is no piece ${key}`);
    return found;
  }

  /** Presses a piece that cannot be picked, which must do nothing. */
  let triesShut = true;
  async function pressWhatIsShut(picked) {
    if (!triesShut) return;
    const may = open(picked);
    for (const { key, kind } of test.view.table.pieces) {
      if (kind === "tile" && !may.has(key) && !picked.includes(key)) {
        piece(key).click();
        const faults = test.faults(picked);
        if (faults.length) throw new Error(`after ${key}: ${faults.join("; ")}`);
      }
    }
  }

  /** Picks pieces until the main button accepts them. `random` returns numbers from 0 to 1. */
  async function pick(random) {
    const picked = [];
    const table = test.view.table;
    while (!exact(picked).length || (open(picked).size && random() < 0.3)) {
      const may = table.pieces.map(({ key }) => key).filter((key) => open(picked).has(key));
      const key = may[Math.floor(random() * may.length)];
      piece(key).click();
      picked.push(key);
      await test.shown(picked);
      if (random() < 0.2) await pressWhatIsShut(picked);
      if (random() < 0.15) {
        piece(key).click();
        await test.shown(picked.slice(0, -1));
        piece(key).click();
        await test.shown(picked);
      }
    }
    return picked;
  }

  async function choose(random) {
    await pressWhatIsShut([]);
    const buttons = [...byId("offers").children].filter(isShown);
    if (isShown(byId("many")) && random() < 0.2) {
      const list = byId("many-choice");
      list.selectedIndex = Math.floor(random() * list.options.length);
      return act(byId("many").querySelector("button"));
    }
    const isReady = byId("go").getAttribute("aria-disabled") === null;
    if (buttons.length && (random() < 0.4 || (!isReady && !open([]).size))) {
      return act(buttons[Math.floor(random() * buttons.length)]);
    }
    if (isReady && random() < 0.5) return act(byId("go"));
    const [only, ...more] = offers();
    if (!more.length && open([]).size) return act(piece(only.takes[0])); // one press makes the move
    if (open([]).size) {
      await pick(random);
      const others = [...byId("offers").children].filter(isShown);
      if (others.length && random() < 0.5) return act(others[0]);
    }
    return act(byId("go"));
  }

  const mayUndo = () => isShown(byId("undo"));

  /** Makes a choice and takes it back. Returns whether that was possible. */
  async function chooseAndUndo(random) {
    const before = JSON.stringify(test.view.table.pieces);
    await choose(random);
    // A computer player may have moved already.
    const isCalm = isMine();
    if (!isCalm || !mayUndo()) return false;
    await act(byId("undo"));
    if (JSON.stringify(test.view.table.pieces) !== before) throw new Error("undo did not undo");
    if (mayUndo() && test.view.table.taker_back === null) {
      throw new Error("there is nothing more to undo, but a button for it");
    }
    return true;
  }

  /** Plays to the end, or for a number of turns. Returns what was seen. */
  test.play = async ({ seed = 1, most = Infinity, hears = false, undoes = true, ends = false, tries = true } = {}) => {
    let state = seed;
    const random = () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return ((state >>> 8) % 65_536) / 65_536;
    };
    triesShut = tries;
    test.hurries = hears;
    const seen = { throws: 0, choices: 0, undone: 0, over: false };
    await test.shown();
    for (let turn = 0; turn < most; turn += 1) {
      await test.until(
        () => isMine() || ["over", "ended"].includes(test.view.phase),
        "for one's turn",
      );
      await test.shown();
      if (!isMine()) {
        seen.over = true;
        break;
      }
      const { handed } = test;
      let done;
      if (test.view.table.does === "throw") {
        if (!seen.throws) await pressWhatIsShut([]);
        done = await act(byId("go"));
        seen.throws += 1;
      } else {
        if (undoes && !seen.undone) {
          seen.undone = Number(await chooseAndUndo(random));
        } else {
          done = await choose(random);
          seen.choices += 1;
        }
      }
      if (hears && done) await heard(done);
      if (ends && test.handed !== handed) break; // the turn is over, and maybe the next one, too
    }
    test.hurries = false;
    return seen;
  };
})();
