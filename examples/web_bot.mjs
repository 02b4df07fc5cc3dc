// A bot for the browser table: node web_bot.mjs 'http://HOST/r/ID#KEY' Robo
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

// Return the answer. A retry has the same id, so an action is done only once.
async function send(address, bearer, body) {
  const headers = { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json" };
  const sent = body && { method: "POST", body: JSON.stringify({ action: randomUUID(), ...body }) };
  for (;;) {
    const answer = await fetch(address, { headers, ...sent }).catch(() => null);
    if (answer?.ok || answer?.status === 409) return answer; // 409: the stream has a newer view
    const wait = answer?.headers.get("Retry-After");
    if (answer && !wait && answer.status < 502) throw new Error(await answer.text());
    await sleep(1000 * (wait ?? 1));
  }
}

// Yield every view of the table. If the stream ends, the next one goes on where it ended.
async function* views(address, bearer) {
  for (let since = "", rest = ""; ; rest = "") {
    const { body } = await send(address + since, bearer);
    const parts = body.pipeThrough(new TextDecoderStream()).getReader();
    for (let part; (part = (await parts.read().catch(() => null))?.value); ) {
      const lines = (rest + part).split("\n");
      rest = lines.pop();
      for (const line of lines.filter((each) => each.includes('"view":'))) {
        const said = JSON.parse(line.slice("data:".length));
        since = `?since=${said.number}`;
        yield said.view;
      }
    }
  }
}

const [address, key] = process.argv[2].replace("/r/", "/api/rooms/").split("#");
const me = await (await send(`${address}/enter`, key, { key, name: process.argv[3] })).json();
for await (const { phase, table } of views(`${address}/events`, me.key)) {
  if (phase === "over" || phase === "ended") {
    console.log(table.score);
    process.exit();
  }
  if (table?.seat === me.seat) { // this bot covers as few tiles as it can
    const { game, version, seat, does, offers } = table;
    offers.sort((one, other) => one.takes.length - other.takes.length);
    await send(`${address}/act`, me.key, { do: does, choice: offers[0]?.text ?? "", game, version, seat });
  }
}
