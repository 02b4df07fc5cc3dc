// Gives every example a button that copies what can be typed: without prompts and without output.

(() => {
  if (!navigator.clipboard) return;
  const PROMPT = /^(?:>>>|\.\.\.|\$) ?/;

  /** Returns the lines to type of an example, or all its text if it has no prompts. */
  function typed(text) {
    const lines = text.trimEnd().split("\n");
    if (!PROMPT.test(lines[0])) return text;
    return `${lines
      .filter((line, at) => PROMPT.test(line) || lines[at - 1]?.endsWith("\\"))
      .map((line) => line.replace(PROMPT, ""))
      .join("\n")}\n`;
  }

  for (const pre of document.querySelectorAll(".highlight pre")) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "copy", textContent: "Copy" });
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(typed(pre.textContent));
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    pre.before(button);
  }
})();
