// Where pages are, beside one another: in the place of `model/addresses.js`.

export const home = "index.html";
export const site = () => new URL("./", location.href).href;
export const newTable = null; // what is set up is drawn without another page
export const recordOf = (room, game) => `replay.html?room=${room}&game=${game}`;
export const reviewOf = null; // that is a page of a server
export const stepsOf = recordOf;
