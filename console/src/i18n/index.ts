/**
 * The reader's language. The first page's texts are there at once in each; the console's come with
 * their language.
 */
import { useMemo, useSyncExternalStore } from 'react';
import { findLanguage, LANGUAGE_KEY, languageData } from './find-language.ts';
import { type Catalogue, createTranslate, type Namespace, type Translate } from './translate.ts';

interface State {
  readonly language: string;
  readonly catalogue: Catalogue;
}

type Loader = (language: string) => Promise<Catalogue>;

let state: State = { language: 'en', catalogue: { ...languageData('en').entry } };
const loaders: Loader[] = [];
const listeners = new Set<() => void>();

function readChosen(): string {
  try {
    return localStorage.getItem(LANGUAGE_KEY) ?? '';
  } catch {
    return '';
  }
}

/** The languages that an application asks for (`ui_locales`). */
function readRequested(): readonly string[] {
  return (new URLSearchParams(location.search).get('ui_locales') ?? '').split(' ');
}

function set(language: string, texts: Catalogue): void {
  const { entry, direction } = languageData(language);
  state = { language, catalogue: { ...entry, ...texts } };
  Object.assign(document.documentElement, { lang: language, dir: direction });
  for (const listener of listeners) listener();
}

async function load(language: string): Promise<Catalogue> {
  return Object.assign({}, ...(await Promise.all(loaders.map((loader) => loader(language)))));
}

/** Prepares the texts of the first page, at once. */
export function startI18n(): void {
  set(findLanguage([readChosen(), ...readRequested(), ...navigator.languages]), {});
}

/** Adds the texts of a part that is loaded later. */
export async function addTexts(loader: Loader): Promise<void> {
  if (!loaders.includes(loader)) loaders.push(loader);
  const { language } = state;
  const texts = await load(language);
  // A reader who has chosen another language meanwhile has its texts: the loader was known.
  if (state.language === language) set(language, texts);
}

/** Changes the language, and remembers the choice in this browser. */
export async function changeLanguage(language: string): Promise<void> {
  set(language, await load(language));
  try {
    localStorage.setItem(LANGUAGE_KEY, language);
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
): { readonly t: Translate<Name>; readonly language: string } {
  const { language, catalogue } = useSyncExternalStore(subscribe, () => state);
  return useMemo(
    () => ({ t: createTranslate(catalogue, language, namespace), language }),
    [catalogue, language, namespace],
  );
}
