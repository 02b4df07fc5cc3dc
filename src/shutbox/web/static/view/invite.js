// A link to hand on: shared by what the device has for that, copied, or shown as a code that a phone
// reads from the screen. The picture of the code has an address without a secret.

import { gettext } from "../model/messages.js";
import { button, byId, el } from "./dom.js";
import { copied, handOn, shares } from "./share.js";

let invites = ""; // the end of the address, where this page has put an invitation there

/**
 * Makes the address of the page the invitation, so that copying it invites, and takes
 * it out again once there is none. Another link that is just being followed is let be.
 */
export function drawAddress(invitation) {
  const end = invitation ? new URL(invitation).hash : "";
  const { hash, pathname, search } = location;
  const isOurs = !hash || hash === invites || (end && byId(hash.slice(1)));
  if (hash !== end && !isOurs) return;
  invites = end;
  if (hash !== end) history.replaceState(history.state, "", end || pathname + search);
}

/** `seat` is -1 for the link to watch, "free" for the invitation; `says` speaks. */
export function linkRow({ label, address, seat, says }) {
  const field = el("input", { readonly: true, value: address, onfocus: () => field.select() });
  const copy = async () => {
    const done = await copied(address);
    if (!done) field.focus();
    const selected = gettext("The link is selected; copy it from there.");
    says(done ? gettext("Link copied.") : selected);
  };
  return el(
    "div",
    { class: "row", "data-kind": "link" },
    el("label", { class: "grow" }, label, field),
    shares()
      ? button(gettext("Share"), gettext("Share: {label}", { label }), () =>
          share(seat, address, says),
        )
      : null,
    button(gettext("Copy"), gettext("Copy: {label}", { label }), copy),
    code(label, address, seat),
  );
}

async function share(seat, url, says) {
  const text =
    seat < 0 ? gettext("Watch us play Shut the Box.") : gettext("Play Shut the Box with me.");
  if ((await handOn({ text, url })) === "copied") says(gettext("Link copied."));
}

/** The picture is asked for when somebody wants to see it. */
function code(label, address, seat) {
  const { pathname } = new URL(address);
  const name = gettext("Code: {label}", { label });
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
