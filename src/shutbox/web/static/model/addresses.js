// The addresses of pages. When the page plays without a server, another module replaces this one.

export const home = "/";
/** Returns the address of the site, to share with others. */
export const site = () => location.origin;
export const newTable = "/new";
export const recordOf = (room, game) => `/r/${room}/record?game=${game}`;
export const reviewOf = (room, game) => `/r/${room}/review?game=${game}`;
export const stepsOf = (room, game) => `/replay?room=${room}&game=${game}`;
