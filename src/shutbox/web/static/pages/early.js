// Runs before the first paint, so that nothing flashes: applies the stored looks and motion. Each
// look is a style sheet with a media query, which the player's choice replaces. The script also
// marks pressed links and buttons as busy until the next page arrives, so that a slow connection
// never hides a press.
(() => {
  const root = document.documentElement;
  const { worker } = document.currentScript.dataset;
  let stored = {};
  try {
    stored = JSON.parse(localStorage.getItem("shutbox") || "{}");
  } catch {
    // Storage is blocked or its text is not ours: the system setting applies.
  }
  root.classList.toggle("js", location.protocol !== "file:"); // from a disk, browsers load no modules
  addEventListener("DOMContentLoaded", () => {
    if (!root.matches(".js")) document.getElementById("from-disk")?.removeAttribute("hidden");
  });
  for (const look of ["dark", "contrast"]) {
    const link = document.getElementById(`look-${look}`);
    if (link && stored.look && stored.look !== "system") {
      link.media = stored.look === look ? "all" : "not all";
    }
  }
  for (const name of ["skin", "die"]) if (stored[name]) root.dataset[name] = stored[name];
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  root.dataset.motion = stored.motion || (still ? "off" : "on");

  // The focus has a ring after keys, and none after a press.
  const CLICKS = "shutbox.pressed";
  const press = (isPress) => {
    root.classList.toggle("pressed", isPress);
    try {
      sessionStorage.setItem(CLICKS, isPress);
    } catch {
      // Storage is blocked: the next page begins without a ring.
    }
  };
  try {
    press(sessionStorage.getItem(CLICKS) !== "false");
  } catch {
    press(true);
  }
  addEventListener("pointerdown", () => press(true), true);
  addEventListener("keydown", () => press(false), true);

  // The worker caches static files and shows a page when there is no network. Browsers allow it
  // only with https.
  addEventListener("load", () => navigator.serviceWorker?.register(worker).catch(() => {}));

  // These listeners run last, so they can skip presses that a script handles without loading a
  // page.
  addEventListener("submit", (event) => {
    const pressed = event.submitter || event.target;
    if (!event.defaultPrevented) pressed.setAttribute("aria-busy", "true");
  });
  addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href]");
    const another = event.button || event.metaKey || event.ctrlKey || event.shiftKey;
    if (!link || another || event.defaultPrevented || link.target || link.download) return;
    const leads = link.origin === location.origin && link.pathname !== location.pathname;
    if (leads && !link.hasAttribute("download")) link.setAttribute("aria-busy", "true");
  });
  // When the browser restores this page later, nothing may look pressed.
  addEventListener("pagehide", () => {
    document.querySelectorAll("[aria-busy]").forEach((part) => part.removeAttribute("aria-busy"));
  });
})();
