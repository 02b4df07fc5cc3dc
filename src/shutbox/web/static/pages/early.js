// Runs before the first paint, so that nothing flashes: puts the stored look and motion on the
// page. Looks are style sheets of their own with a media query; a choice replaces the query. And
// it marks what was pressed until the next page is there: no press goes unseen on a slow line.
(() => {
  const root = document.documentElement;
  const { worker } = document.currentScript.dataset;
  let stored = {};
  try {
    stored = JSON.parse(localStorage.getItem("shutbox") || "{}");
  } catch {
    // No storage here, or something else in it: the system decides.
  }
  root.classList.add("js");
  for (const look of ["dark", "contrast"]) {
    const link = document.getElementById(`look-${look}`);
    if (link && stored.look && stored.look !== "system") {
      link.media = stored.look === look ? "all" : "not all";
    }
  }
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  root.dataset.motion = stored.motion || (still ? "off" : "on");

  // It keeps static files, and says where there is no network; browsers have it on https alone.
  addEventListener("load", () => navigator.serviceWorker?.register(worker).catch(() => {}));

  // Both are heard last: whatever is answered by script, without another page, is not marked.
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
  // Back on the page as it was left, nothing is pressed.
  addEventListener("pagehide", () => {
    document.querySelectorAll("[aria-busy]").forEach((one) => one.removeAttribute("aria-busy"));
  });
})();
