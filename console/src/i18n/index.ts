/** Languages of the console. A catalogue is loaded when its language is chosen; English is complete by type. */
import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';

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

const ENTRY = { en: () => import('./en/entry.ts'), zh: () => import('./zh/entry.ts') };
const loaders: ((language: Language) => Promise<Readonly<Record<string, object>>>)[] = [
  async (language) => {
    const { common, signIn } = await ENTRY[language]();
    return { common, signIn };
  },
];

async function load(language: Language): Promise<void> {
  for (const namespaces of await Promise.all(loaders.map((loader) => loader(language)))) {
    for (const [name, texts] of Object.entries(namespaces)) i18next.addResourceBundle(language, name, texts, true, true);
  }
}

/** Prepares the texts of the first page. */
export async function startI18n(): Promise<void> {
  const language = findLanguage();
  await i18next.use(initReactI18next).init({
    lng: language,
    resources: {},
    defaultNS: 'common',
    interpolation: { escapeValue: false },
  });
  await load(language);
  document.documentElement.lang = language;
}

/** Adds the texts of a part that is loaded later. */
export async function addTexts(loader: (language: Language) => Promise<Readonly<Record<string, object>>>): Promise<void> {
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
