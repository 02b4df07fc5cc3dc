// The addresses of pages, all in one folder. Replaces `model/addresses.js`.

export const home = "index.html";
export const site = () => new URL("./", location.href).href;
export const newTable = null; // rules set by hand are drawn without loading a page
export const recordOf = (room, game) => `replay.html?room=${room}&game=${game}`;
export const reviewOf = null; // only a server has this page
export const stepsOf = recordOf;
