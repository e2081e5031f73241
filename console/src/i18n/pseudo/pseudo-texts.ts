/** Makes texts of a pseudo-language from English ones. */

interface Texts {
  readonly [key: string]: string | Texts;
}

const VALUE = /(\{\{\w+\}\})/;

/** Changes the words of a text, not its values. */
function changeWords(text: string, change: (words: string) => string): string {
  return text
    .split(VALUE)
    .map((part) => (VALUE.test(part) ? part : change(part)))
    .join('');
}

const ACCENTS: Readonly<Record<string, string>> = {
  ...{ a: 'áá', e: 'éé', i: 'íí', o: 'öö', u: 'ûû', y: 'ýý' },
  ...{ A: 'ÁÁ', E: 'ËË', I: 'ÎÎ', O: 'ÖÖ', U: 'ÛÛ', c: 'ç', n: 'ñ', s: 'š', z: 'ž' },
};

/**
 * About 40 % longer, by longer words, with accents: a text without brackets or accents on a page
 * is not in a catalogue, and one without an end is cut off.
 */
export function lengthen(text: string): string {
  const changed = changeWords(text, (words) =>
    words.replace(/[a-z]/gi, (letter) => ACCENTS[letter] ?? letter),
  );
  return `[${changed}]`;
}

const OVERRIDE = '\u202e';
const END_OVERRIDE = '\u202c';

/** From right to left; values between the words keep their direction. */
export function turnAround(text: string): string {
  const turned = changeWords(text, (words) =>
    words === '' ? '' : `${OVERRIDE}${words}${END_OVERRIDE}`,
  );
  return `[${turned.replaceAll(/(\{\{\w+\}\})/g, '\u2068$1\u2069')}]`;
}

const FORM = /_(one|other)$/;

/**
 * Every text, by `write`; of one that counts, each plural form of the language, which ends with the
 * form's name where English has no such form.
 */
export function createPseudoTexts(
  texts: object,
  tag: string,
  write: (text: string) => string,
): Texts {
  const { pluralCategories } = new Intl.PluralRules(tag).resolvedOptions();
  const all = texts as Texts;
  const written = Object.entries(all).flatMap(([key, text]): [string, string | Texts][] => {
    if (typeof text !== 'string') return [[key, createPseudoTexts(text, tag, write)]];
    const stem = key.replace(FORM, '');
    if (all[`${stem}_one`] === undefined) return [[key, write(text)]];
    if (key.endsWith('_one')) return [];
    return pluralCategories.map((form) => {
      const original = all[`${stem}_${form}`];
      return [
        `${stem}_${form}`,
        write(typeof original === 'string' ? original : `${text} ${form}`),
      ];
    });
  });
  return Object.fromEntries(written);
}
