// Makes the examples of the documentation interactive: "Try it" loads Python and shutbox once, runs
// the page's examples up to that one, and opens a prompt below it.

(() => {
  if (location.protocol === "file:") return; // browsers start no workers from local files
  const beside = new URL("./", document.currentScript.src);
  let worker = null;
  let ran = 0; // the number of examples that were run
  const answers = [];

  function started() {
    if (worker) return;
    worker = new Worker(new URL("prompt_worker.js", beside), { type: "module" });
    worker.addEventListener("message", ({ data }) => answers.shift()(data));
    worker.addEventListener("error", () => {
      document.querySelector("button.try:disabled").textContent = "Python could not be fetched";
    });
  }

  /** Sends a line to Python. Returns its output, and whether the statement continues. */
  function pushed(line) {
    started();
    worker.postMessage(line);
    return new Promise((done) => {
      answers.push(done);
    });
  }

  const made = (tag, props, ...children) => {
    const element = Object.assign(document.createElement(tag), props);
    element.append(...children);
    return element;
  };
  const blocks = [...document.querySelectorAll(".highlight pre")].filter((pre) =>
    pre.textContent.startsWith(">>> "),
  );

  /** Returns the input lines of an example. An empty line ends a block. */
  function typed(pre) {
    const lines = [];
    for (const line of pre.textContent.split("\n")) {
      const goesOn = lines.at(-1)?.startsWith("... ");
      if (goesOn && !line.startsWith("...")) lines.push("");
      if (/^(>>>|\.\.\.)( |$)/.test(line)) lines.push(line);
    }
    return lines;
  }

  async function run(lines, log) {
    for (const line of lines) {
      const { says } = await pushed(line.slice(4));
      log?.append(`${line && `${line}\n`}${says}`);
    }
  }

  async function open(number, button) {
    button.disabled = true;
    button.textContent = "Fetching Python, 7 MB…";
    for (; ran < number; ran += 1) await run(typed(blocks[ran]));
    const log = made("pre", { className: "said", tabIndex: 0 });
    log.setAttribute("role", "log");
    await run(typed(blocks[number]), log);
    ran = Math.max(ran, number + 1);
    const field = made("input", { autocomplete: "off", spellcheck: false });
    field.setAttribute("autocapitalize", "off");
    field.setAttribute("aria-label", "Python");
    const mark = made("span", { textContent: ">>> " });
    mark.setAttribute("aria-hidden", "true");
    const form = made("form", {}, mark, field);
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const line = field.value;
      field.value = "";
      const shown = `${mark.textContent}${line}\n`;
      const { says, more } = await pushed(line);
      log.append(`${shown}${says}`);
      log.scrollTop = log.scrollHeight;
      mark.textContent = more ? "... " : ">>> ";
    });
    button.replaceWith(made("div", { className: "prompt" }, log, form));
    field.focus();
  }

  blocks.forEach((pre, number) => {
    const button = made("button", { type: "button", className: "try", textContent: "Try it" });
    button.addEventListener("click", () => open(number, button));
    (pre.closest("div[class*='highlight-']") ?? pre).after(button);
  });
})();
