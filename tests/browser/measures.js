// What is wrong with how a page looks at its present size. Each measure returns its faults.
({
  /** What is cut off, reaches beyond the page, or is too small to be pressed. */
  fits() {
    const faults = [];
    const page = document.documentElement;
    if (page.scrollWidth > page.clientWidth) {
      faults.push(`the page is ${page.scrollWidth} wide, not ${page.clientWidth}`);
    }
    const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    // The status is for the ear alone; a long title and a long name end in an ellipsis, and so do
    // the answers of a new table, whose sentence is complete.
    const isOver = document.querySelector("#stage.over"); // nobody looks at the dice any more
    const scrolls = (one) =>
      (isOver && one.closest(".dice, .dice-canvas")) ||
      (innerWidth > innerHeight && one.closest(".hints")) || // a strip above the box
      one.closest(".sheet, .log, .away, .menu, .skip, svg, .lid") ||
      one.matches("#status, #spoken, .rail h1, .plate .name, .plate bdi, .duel bdi") ||
      one.matches(".steps small, #foot-box");
    for (const one of document.querySelectorAll("main *, header *, footer *")) {
      if (!shown(one) || scrolls(one)) continue;
      const { left, right } = one.getBoundingClientRect();
      if (left < -1 || right > page.clientWidth + 1) {
        faults.push(`${one.tagName} ${one.className} reaches from ${left} to ${right}`);
      }
      const isText = [...one.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
      const hides = getComputedStyle(one).overflowX !== "visible" && one.tagName !== "INPUT";
      if (isText && hides && one.scrollWidth > one.clientWidth + 1) {
        faults.push(`cut off: ${one.textContent.slice(0, 40)}`);
      }
    }
    for (const one of document.querySelectorAll(".plate .sub")) {
      if (shown(one) && one.scrollWidth > one.clientWidth + 1) faults.push(`in a plate: ${one.innerText}`);
    }
    for (const one of document.querySelectorAll("button, a, input, select, summary")) {
      const target = one.closest("label") || one;
      const inText = one.matches("a:not(.button)") && one.closest("p, dd, footer");
      if (!shown(one) || inText || one.closest(".skip")) continue;
      const { width, height } = target.getBoundingClientRect();
      const isPlayed = one.matches("#board button, #rim button, #typing *");
      if (width < (isPlayed ? 43.99 : 24) || height < (isPlayed || one.matches(".tool, summary") ? 43.99 : 24)) {
        faults.push(`${one.tagName} ${one.textContent.slice(0, 30)}: ${width} by ${height}`);
      }
      if (one.matches(".tile, button.die") && (width < 43.99 || height < 43.99)) {
        faults.push(`${one.getAttribute("aria-label")}: ${width} by ${height}`);
      }
    }
    // Analyses and reviews are full of numbers that are pressed.
    const isDense = /^\/p\/|\/review$/.test(location.pathname);
    const pressed = isDense ? "main :is(a, button, select, .leaf, label.face)" : "none";
    for (const one of document.querySelectorAll(pressed)) {
      const { height } = one.getBoundingClientRect();
      if (shown(one) && !one.closest("svg") && height < 43.5) {
        faults.push(`${one.outerHTML.slice(0, 90)}: ${height} high`);
      }
    }
    return faults;
  },

  /** What cannot be pressed by saying what stands there. */
  named() {
    return [...document.querySelectorAll("button, summary, a, select, input")]
      .filter((one) => one.checkVisibility() && one.hasAttribute("aria-label"))
      .filter((one) => !one.matches(".hint")) // its figures are told in whole words
      .filter((one) => {
        const name = one.getAttribute("aria-label").toLowerCase();
        const words = (one.innerText ?? "").toLowerCase().split(/\s+/);
        return words.some((word) => !name.includes(word));
      })
      .map((one) => `${one.getAttribute("aria-label")} is ${one.innerText}`);
  },

  /** What of a table lies over what; those of one kind may touch, two plates may not. */
  covered() {
    const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const podium = document.querySelector(".standings");
    const shut = document.querySelector(".lid.shut") || (podium && shown(podium));
    const bar = document.getElementById("tools");
    if (!bar) return [];
    // The bar of a phone lies over what is below the box, which can be scrolled.
    const isOver = getComputedStyle(bar).position === "fixed";
    // At 200 % zoom the caption is as far down as the figures.
    const below = innerWidth > innerHeight ? /figures|caption/ : /figures/;
    const kinds = {
      die: ".dice:not(.faded) > li > .die",
      tile: "#board .tile",
      action: "#rim :is(button, a), #lobby .rim :is(button, a)",
      plate: "#plates > :not([data-at]), [data-at] > :is(.about, .now, .lane)",
      card: ".score-card",
      turn: ".begins:not(:empty)",
      caption: "#caption > span",
      figures: ".sums",
      drawer: ".tools details[open] > .drawer",
      tool: "#tools .tool",
      tag: "#tag, #left",
      sum: ".sum span:not(:empty)",
      "die's name": ".dice .name:not(:empty)",
      guide: "#guide > div",
      phrase: ".lies",
      winner: ".baize > .standings .wins",
      crown: ".baize > .standings .won .crown",
    };
    const parts = Object.entries(kinds).flatMap(([kind, selector]) =>
      [...document.querySelectorAll(selector)]
        .filter((one) => shown(one) && (kind !== "caption" || one.textContent))
        .filter(() => !isOver || !below.test(kind))
        .filter(() => !(shut && /die|tile/.test(kind))) // what lies over them
        .map((one) => {
          const { left, top, right, bottom } = one.getBoundingClientRect();
          const name = one.getAttribute("aria-label") || one.id || one.textContent.trim();
          return { kind, one, name: `${kind} ${name.slice(0, 20)}`, left, top, right, bottom };
        }),
    );
    const faults = new Set();
    parts.forEach((a, i) => {
      for (const b of parts.slice(i + 1)) {
        if (a.kind === b.kind && a.kind !== "plate") continue;
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (wide > 1 && high > 1) faults.add(`${a.name} and ${b.name}: ${wide} x ${high}`);
      }
      // Whatever else lies over it: the middle, and a quarter from each side.
      if (/caption|card|tag|turn|sum|name|guide|phrase|winner|crown/.test(a.kind)) return; // these are not pressed
      for (const x of [0.25, 0.5, 0.75])
        for (const y of [0.25, 0.5, 0.75]) {
          const at = [a.left + x * (a.right - a.left), a.top + y * (a.bottom - a.top)];
          const found = document.elementFromPoint(...at);
          const isThrown = found?.closest(".faded, [data-state='in hand']"); // these are only seen
          if (found && !isThrown && !a.one.contains(found) && !found.contains(a.one))
            faults.add(`${a.name} lies under ${found.id || found.outerHTML.slice(0, 60)}`);
        }
    });
    return [...faults];
  },

  /** What does not come to light when it gets the focus, and what stays while a page scrolls. */
  async hidden() {
    const shown = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
    const podium = document.querySelector(".standings");
    const every = "a[href], button, summary, input:not([type=hidden]), select, textarea";
    const faults = [];
    for (const one of document.querySelectorAll(every)) {
      // A label stands for its box, and a skip link is seen only while it has the focus.
      const seen = one.matches("input") ? (one.closest("label") ?? one) : one;
      if (!shown(seen) || one.disabled || one.closest("svg, .skip, .away, [inert]")) continue;
      if (podium && one.matches(".tile")) continue; // it lies over the tiles
      one.focus();
      if (document.activeElement !== one) continue;
      await new Promise(requestAnimationFrame);
      const { left, right, top, bottom } = seen.getBoundingClientRect();
      const [x, y] = [(left + right) / 2, (Math.max(top, 0) + Math.min(bottom, innerHeight)) / 2];
      const found = document.elementFromPoint(x, y);
      const name = one.id || one.getAttribute("aria-label") || one.textContent.trim() || one.name;
      if (!found || !(seen.contains(found) || found.contains(seen)))
        faults.push(`${name.slice(0, 30)} under ${found?.id || found?.className || found}`);
    }
    // At 400 % zoom it would cover half of the page.
    const stays = [...document.querySelectorAll("body *")]
      .filter((one) => one.checkVisibility() && !one.closest(".skip, dialog, .drawer"))
      .filter((one) => /fixed|sticky/.test(getComputedStyle(one).position));
    return [...faults, ...stays.map((one) => `${one.id || one.className || one.tagName} stays`)];
  },

  /** Scrolls to a part of the page, and waits for the frame in which all is drawn anew. */
  async scrolled(part) {
    const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
    await frame();
    scrollTo(0, part * (document.documentElement.scrollHeight - innerHeight));
    await frame();
    await frame();
  },

  /** What a player would press next: a tile, the main action, one of two, or nothing any more. */
  next() {
    const open = (selector) =>
      [...document.querySelectorAll(selector)].find(
        (one) => one.getClientRects().length && one.getAttribute("aria-disabled") !== "true",
      );
    if (document.querySelector("#stage.over")) return ["over", ""];
    const main = open("#go");
    const tile = !main && open("#board .tile[data-state=up][aria-pressed=false]");
    const key = tile && tile.closest("li").dataset.key;
    if (tile) return [`[data-key="${key}"] .tile`, tile.textContent.trim()[0]];
    return main ? ["#go", "enter"] : open("#offers .main") ? ["#offers .main", "1"] : null;
  },

  /** All that a press can change. */
  seen() {
    const all = [...document.querySelectorAll("#board button, #go, #caption, #log, #offers")];
    return JSON.stringify(
      all.map(({ textContent, dataset, ariaPressed, ariaDisabled }) => [
        textContent,
        dataset.state,
        ariaPressed,
        ariaDisabled,
      ]),
    );
  },
})
