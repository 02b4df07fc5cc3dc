// Runs before the first paint, so that nothing flashes: puts the kept look and motion on the page.
// Looks are style sheets of their own with a media query; a choice replaces the query.
(() => {
  const root = document.documentElement;
  let kept = {};
  try {
    kept = JSON.parse(localStorage.getItem("shutbox") || "{}");
  } catch {
    // No storage here, or something else in it: the system decides.
  }
  root.classList.add("js");
  for (const look of ["dark", "contrast"]) {
    const link = document.getElementById(`look-${look}`);
    if (link && kept.look && kept.look !== "system") {
      link.media = kept.look === look ? "all" : "not all";
    }
  }
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  root.dataset.motion = kept.motion || (still ? "off" : "on");
})();
