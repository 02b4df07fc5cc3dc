// Every sentence of the script passes through here, as those of Python pass through
// `shutbox.messages`: whole templates with names in braces, each a literal in the call, from which
// `make messages` collects them. English is the language of the source; a page in another one
// brings the translations along.

let translations = {};

/**
 * Speak another language from now on: by template its translation, or a list of them for the
 * numbers 0 to 199, since rules of plurals look at the last two digits.
 */
export function use(catalogue) {
  translations = catalogue;
}

const filled = (template, facts) => template.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

/** A sentence, its braces filled in by the facts of those names. */
export function gettext(template, facts = {}) {
  return filled(translations[template] ?? template, facts);
}

/** A sentence whose form depends on a number, which fills `{number}`. */
export function ngettext(one, many, number, facts = {}) {
  const forms = translations[one];
  const found = forms?.[number < 200 ? number : 100 + (number % 100)];
  return filled(found ?? (number === 1 ? one : many), { number, ...facts });
}

/** Things as people list them, as `listed` in Python has it: `1, 5 and 9`. */
export function listed(words) {
  if (words.length < 2) return words.join("");
  const [first, last] = [separated(words.slice(0, -1)), words.at(-1)];
  return gettext("{first} and {last}", { first, last });
}

/** Things that stand one after the other, without a last one that ends the list. */
export const separated = (words) => words.join(gettext(", "));

/** The words without the marks that keep names of other scripts apart on a page. */
export const plain = (words) => words.replace(/[\u2066-\u2069]/g, "");

/** The words with a capital first letter, to stand on a button. */
export const capital = (words) => words.slice(0, 1).toUpperCase() + words.slice(1);
