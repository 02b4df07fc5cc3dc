// The addresses of pages. When the page plays without a server, another module replaces this one.

export const home = "/";
/** Returns the address of the site, to share with others. */
export const site = () => location.origin;
export const todayAt = "/today";
/** Returns the address of the player's place among those of a day. */
export const placeOf = (day) => `/today/${day}`;
/** The address that returns what the form for a new table shows after a change of its fields. */
export const setup = "/new/changed";
/** Returns the address of a challenge, from the link in the page. */
export const challengeOf = (link) => link;
export const recordOf = (room, game) => `/r/${room}/record?game=${game}`;
export const reviewOf = (room, game) => `/r/${room}/review?game=${game}`;
