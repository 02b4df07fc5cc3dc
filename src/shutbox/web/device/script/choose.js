// Runs first on each page: leads to the same page in the language that the user chose, or else in the
// first one that the browser wants and the site has.
(() => {
  const { lang, dataset } = document.documentElement;
  const known = dataset.languages.split(" ");
  let chosen = null;
  try {
    chosen = localStorage.getItem("shutbox.language");
  } catch {
    // Storage is blocked: the browser decides.
  }
  const fits = (tag) => known.find((each) => `${tag}-`.toLowerCase().startsWith(`${each}-`.toLowerCase()));
  const wanted = [chosen, ...navigator.languages].map(fits).find(Boolean) ?? "en";
  if (wanted === lang) return;
  const file = location.pathname.split("/").at(-1);
  const up = lang === "en" ? "./" : "../";
  const down = wanted === "en" ? "" : `${wanted}/`;
  location.replace(`${up}${down}${file}${location.search}${location.hash}`);
})();
