// Runs before the first paint, so that nothing flashes: puts the stored look and motion on the
// page. Looks are style sheets of their own with a media query; a choice replaces the query.
(() => {
  const root = document.documentElement;
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
})();
