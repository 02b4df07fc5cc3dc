// A link to share: with the device's share menu, by copying, or as a QR code for a phone. The
// address of the QR image contains no secret.

import { isLocal } from "../model/links.js";
import { gettext, pgettext } from "../model/messages.js";
import { button, byId, el } from "./dom.js";
import { say } from "./live_region.js";
import { copyByHandWords, copyText, handOn, hasShareMenu } from "./share.js";

let invites = ""; // the hash that this page has put into the address

/**
 * Puts the invitation into the address of the page, so that copying the address invites. Removes it
 * when there is no invitation. Does not touch the hash of another link that is being followed.
 */
export function drawAddress(invitation) {
  const end = invitation ? new URL(invitation).hash : "";
  const { hash, pathname, search } = location;
  const isOurs = !hash || hash === invites || (end && byId(hash.slice(1)));
  if (hash !== end && !isOurs) return;
  invites = end;
  if (hash !== end) history.replaceState(history.state, "", end || pathname + search);
}

/** Copies a link, or else selects it in `field`; says so by `tell(words)`. Returns if it did. */
export async function copyLink(address, field, tell = (words) => say([words])) {
  const done = await copyText(address);
  if (!done) {
    field.focus();
    field.select();
  }
  tell(done ? pgettext("said", "Link copied.") : copyByHandWords());
  return done;
}

/** Returns a row with a link and its buttons. `seat` is -1 to watch, or "free" to invite. */
export function linkRow(label, address, seat) {
  const field = el("input", { readonly: true, value: address, onfocus: () => field.select() });
  const copy = () => copyLink(address, field);
  const words =
    seat < 0 ? gettext("Watch us play Shut the Box.") : gettext("Play Shut the Box with me.");
  const share = () => shareLink(words, address);
  return el(
    "div",
    { class: "row", "data-kind": "link" },
    el("label", { class: "grow" }, label, field),
    hasShareMenu() ? button(pgettext("button", "Share"), gettext("Share: {label}", { label }), share) : null,
    button(pgettext("button", "Copy"), gettext("Copy: {label}", { label }), copy),
    isLocal(address) ? null : code(label, address, seat),
  );
}

/** Shares a link with a text. If the device copies it instead, says so. */
export async function shareLink(text, url) {
  if ((await handOn({ text, url })) === "copied") say([pgettext("said", "Link copied.")]);
}

/** Returns a fold with the QR code. The image is loaded when the fold is opened. */
function code(label, address, seat) {
  const { pathname } = new URL(address);
  const name = gettext("QR code: {label}", { label });
  const fold = el("details", { class: "qr" }, el("summary", { "aria-label": name }, "QR"));
  const show = () => {
    if (!fold.open || fold.querySelector("img")) return;
    const alt = gettext("A code to scan with a phone. {label}", { label });
    const src = seat < 0 ? `${pathname}/qr` : `${pathname}/qr?seat=${seat}`;
    fold.append(el("img", { src, alt, width: 220, height: 220 }));
  };
  fold.addEventListener("toggle", show);
  return fold;
}
