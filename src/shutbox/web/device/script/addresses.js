// The addresses of pages, all in one folder. Replaces `model/addresses.js`.

export const home = "index.html";
export const site = () => new URL("./", location.href).href;
export const todayAt = "today.html";
export const placeOf = () => todayAt;
export const setup = "changed.json"; // answered by the engine
export const challengeOf = (link) => `${site()}challenge.html${new URL(link, site()).search}`;
export const recordOf = (room, game) => `record.txt?room=${room}&game=${game}`;
export const reviewOf = (room, game) => `review.html?room=${room}&game=${game}`;
