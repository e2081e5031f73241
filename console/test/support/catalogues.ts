/** The texts of every language that the console offers. */
import { LANGUAGES } from '../../src/i18n/languages.ts';
import type { Texts, Translation } from '../../src/i18n/texts.ts';

type Catalogue = Translation<Texts>;

/** The texts of each language of a list, by its tag. */
export async function loadCatalogues(
  languages: typeof LANGUAGES,
): Promise<ReadonlyMap<string, Catalogue>> {
  const loaded = Object.entries(languages).map(
    async ([language, { entry, loadConsole }]) =>
      [language, { ...entry, ...(await loadConsole()) }] as const,
  );
  return new Map(await Promise.all(loaded));
}

export const CATALOGUES = await loadCatalogues(LANGUAGES);

export function catalogueOf(language: string): Catalogue {
  const found = CATALOGUES.get(language);
  if (found === undefined) throw new Error(`there is no language ${language}`);
  return found;
}

/** Every text by its path. */
export function flatten(texts: object, prefix = ''): Map<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([key, value]): [string, string][] =>
      typeof value === 'string'
        ? [[`${prefix}${key}`, value]]
        : [...flatten(value as object, `${prefix}${key}.`)],
    ),
  );
}
