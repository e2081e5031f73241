/** Which of our languages serves a reader. */
import { LANGUAGES, type LanguageData } from './languages.ts';

/** Where a browser keeps the language that was chosen. Also read by the document's script. */
export const LANGUAGE_KEY = 'edge-language';

const FALLBACK = 'en';

export function languageData(language: string): LanguageData {
  const data = LANGUAGES[language] ?? LANGUAGES[FALLBACK];
  if (data === undefined) throw new Error('the list of languages has no English');
  return data;
}

function primaryOf(tag: string): string {
  return tag.split('-', 1)[0]?.toLowerCase() ?? '';
}

/**
 * The first of the tags that we have, else English: a language of the same region, or else the
 * first of the same language.
 */
export function findLanguage(tags: readonly string[]): string {
  const languages = Object.keys(LANGUAGES);
  for (const tag of tags) {
    const found =
      languages.find((language) => language.toLowerCase() === tag.toLowerCase()) ??
      languages.find((language) => primaryOf(language) === primaryOf(tag));
    if (found !== undefined) return found;
  }
  return FALLBACK;
}
