// Pages of the server, for scripts that show parts of them. When the page plays without a server,
// another module replaces this one.

/** Requests a page. Returns a response as `fetch` does. */
export const fetchPage = (address, request) => fetch(address, request);
