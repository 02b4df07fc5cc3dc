// The link to the server, on the pages of a site that a server has for visitors to keep.

import { gettext } from "../model/messages.js";
import { site } from "../model/addresses.js";
import { el } from "../view/dom.js";

const AT = "/device/";

if (new URL(site()).pathname.startsWith(AT)) {
  const link = el("a", { id: "to-server", href: "/", text: gettext("Back to the server") });
  (document.querySelector(".foot") ?? document.querySelector(".rest > p")).prepend(link);
}
