/** The texts of every language that the console has. */
import { LANGUAGES } from '../../src/i18n/languages.ts';
import type { Texts, Translation } from '../../src/i18n/texts.ts';

type Catalogue = Translation<Texts>;

async function loadCatalogue(language: string): Promise<Catalogue> {
  const data = LANGUAGES[language];
  if (data === undefined) throw new Error(`there is no language ${language}`);
  return { ...data.entry, ...(await data.loadConsole()) };
}

/** By the tag of the language. */
export const CATALOGUES: ReadonlyMap<string, Catalogue> = new Map(
  await Promise.all(
    Object.keys(LANGUAGES).map(
      async (language) => [language, await loadCatalogue(language)] as const,
    ),
  ),
);

export function catalogueOf(language: string): Catalogue {
  const found = CATALOGUES.get(language);
  if (found === undefined) throw new Error(`there is no language ${language}`);
  return found;
}
