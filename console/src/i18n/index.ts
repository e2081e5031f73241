/**
 * Languages of the console. The first page's texts are there at once in both; the console's come
 * with their language.
 */
import { useMemo, useSyncExternalStore } from 'react';
import * as en from './en/sign-in.ts';
import { type Catalogue, createTranslate, type Namespace, type Translate } from './translate.ts';
import * as zh from './zh/sign-in.ts';

export const LANGUAGES = { en: 'English', zh: '中文' } as const;
export type Language = keyof typeof LANGUAGES;

const STORAGE_KEY = 'edge-language';

interface State {
  readonly language: Language;
  readonly catalogues: Readonly<Record<Language, Catalogue>>;
}

type Loader = (language: Language) => Promise<Catalogue>;

let state: State = {
  language: 'en',
  catalogues: {
    en: { common: en.common, signIn: en.signIn },
    zh: { common: zh.common, signIn: zh.signIn },
  },
};
const loaders: Loader[] = [];
const listeners = new Set<() => void>();

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

/** The languages that an application asks for (`ui_locales`). */
function readRequested(): readonly string[] {
  return (new URLSearchParams(location.search).get('ui_locales') ?? '').split(' ');
}

/** The language chosen earlier, else the first requested one, or of the browser's, that we have. */
function findLanguage(): Language {
  const chosen = readChosen();
  if (isLanguage(chosen)) return chosen;
  const tags = [...readRequested(), ...navigator.languages];
  return tags.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? 'en';
}

function set(language: Language, texts: Catalogue): void {
  state = {
    language,
    catalogues: { ...state.catalogues, [language]: { ...state.catalogues[language], ...texts } },
  };
  document.documentElement.lang = language;
  for (const listener of listeners) listener();
}

async function load(language: Language): Promise<Catalogue> {
  return Object.assign({}, ...(await Promise.all(loaders.map((loader) => loader(language)))));
}

/** Prepares the texts of the first page, at once. */
export function startI18n(): void {
  set(findLanguage(), {});
}

/** Adds the texts of a part that is loaded later. */
export async function addTexts(loader: Loader): Promise<void> {
  if (!loaders.includes(loader)) loaders.push(loader);
  const { language } = state;
  set(language, await loader(language));
}

/** Changes the language, and remembers the choice in this browser. */
export async function changeLanguage(language: Language): Promise<void> {
  set(language, await load(language));
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // Storage may be forbidden: then the choice holds until the page is left.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The texts of a namespace in the reader's language. */
export function useTranslation<Name extends Namespace>(
  namespace: Name,
): { readonly t: Translate<Name>; readonly language: Language } {
  const { language, catalogues } = useSyncExternalStore(subscribe, () => state);
  const catalogue = catalogues[language];
  return useMemo(
    () => ({ t: createTranslate(catalogue, language, namespace), language }),
    [catalogue, language, namespace],
  );
}
