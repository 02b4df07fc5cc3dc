// Where pages are. A device that plays by itself has another module in the place of this.

export const home = "/";
/** What somebody is shown who is told of it. */
export const site = () => location.origin;
export const newTable = "/new";
export const recordOf = (room, game) => `/r/${room}/record?game=${game}`;
export const reviewOf = (room, game) => `/r/${room}/review?game=${game}`;
export const stepsOf = (room, game) => `/replay?room=${room}&game=${game}`;
