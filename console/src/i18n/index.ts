/** Languages of the console. The first page's texts are there at once in both; the console's come with their language. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import * as en from './en/entry.ts';
import * as zh from './zh/entry.ts';

export const LANGUAGES = { en: 'English', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;

const STORAGE_KEY = 'edge-language';

function isLanguage(text: string | null | undefined): text is Language {
  return text !== null && text !== undefined && text in LANGUAGES;
}

function readChosen(): string | null {
  try {
    return localStorage.getItem(STORAGE_KEY);
  } catch {
    return null;
  }
}

/** The language chosen earlier, else the first of the browser's that we have. */
export function findLanguage(): Language {
  const chosen = readChosen();
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

type Loader = (language: Language) => Promise<Readonly<Record<string, object>>>;

const loaders: Loader[] = [];

async function load(language: Language): Promise<void> {
  for (const namespaces of await Promise.all(loaders.map((loader) => loader(language)))) {
    for (const [name, texts] of Object.entries(namespaces)) i18next.addResourceBundle(language, name, texts, true, true);
  }
}

/** Prepares the texts of the first page, at once. */
export function startI18n(): void {
  const lng = findLanguage();
  void i18next.use(initReactI18next).init({
    lng,
    resources: { en: { common: en.common, signIn: en.signIn }, zh: { common: zh.common, signIn: zh.signIn } },
    defaultNS: 'common',
    initAsync: false,
    interpolation: { escapeValue: false },
  });
  document.documentElement.lang = lng;
}

/** Adds the texts of a part that is loaded later. */
export async function addTexts(loader: Loader): Promise<void> {
  if (!loaders.includes(loader)) loaders.push(loader);
  await load(currentLanguage());
}

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : 'en';
}

/** Changes the language, and remembers the choice in this browser. */
export async function changeLanguage(language: Language): Promise<void> {
  await load(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // Storage may be forbidden: then the choice holds until the page is left.
  }
}
