// Translation of the script's sentences. Each sentence is a template with names in braces, written
// as a literal in a call of `gettext`, `ngettext` or `pgettext`. `make messages` collects these
// literals, as it does for `shutbox.engine.messages` in Python. The source language is English. A
// page in another language contains its translations.

let translations = {};

/**
 * Switches to another language. `catalogue` maps each template to its translation, or to a list of
 * forms, whose last item has a digit for each number from 0 to 199, the index of its form: plural
 * rules depend on the last two digits.
 */
export function use(catalogue) {
  translations = catalogue;
}

const filled = (template, facts) => template.replace(/\{(\w+)\}/g, (_, name) => facts[name]);

/** Returns the translated sentence with each `{name}` replaced by the fact of that name. */
export function gettext(template, facts = {}) {
  return filled(translations[template] ?? template, facts);
}

/** Returns a translated text that is too short to be understood without its context. */
export function pgettext(context, template, facts = {}) {
  return filled(translations[`${context}\u0004${template}`] ?? template, facts);
}

/** Returns the form of a sentence that suits a number. The number also fills `{number}`. */
export function ngettext(singular, plural, number, facts = {}) {
  const forms = translations[singular];
  const form = forms?.[forms.at(-1)[number < 200 ? number : 100 + (number % 100)]];
  return filled(form ?? (number === 1 ? singular : plural), { number, ...facts });
}

/** Joins words into a list: `1, 5 and 9`. Does the same as `listed` in Python. */
export function listed(words) {
  if (words.length < 2) return words.join("");
  const [first, last] = [separated(words.slice(0, -1)), words.at(-1)];
  return gettext("{first} and {last}", { first, last });
}

/** Joins words with commas, without "and" before the last one. */
export const separated = (words) => words.join(gettext(", "));

/** Removes the invisible marks that isolate names in other scripts. */
export const plain = (words) => words.replace(/[\u2066-\u2069]/g, "");

/** Capitalises the first letter, for a button. */
export const capital = (words) => words.slice(0, 1).toUpperCase() + words.slice(1);
