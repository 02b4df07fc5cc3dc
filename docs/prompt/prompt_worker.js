// The prompt of the documentation: Python that runs line after line.

import { begin } from "./engine/python.js";

async function opened() {
  const python = await begin();
  return python.runPython(`
import code, contextlib, io

console = code.InteractiveConsole()

def push(line):
    with contextlib.redirect_stdout(io.StringIO()) as said, contextlib.redirect_stderr(said):
        more = console.push(line)
    return said.getvalue(), more

push
`);
}

const opening = opened();
opening.catch((error) => setTimeout(() => { throw error; })); // reported to the page

addEventListener("message", async ({ data }) => {
  const push = await opening;
  const [says, more] = push(data);
  postMessage({ says, more });
});
