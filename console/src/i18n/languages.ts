/** The languages of the console. To add one: a folder of texts, and its entry here. */
import * as en from './en/sign-in.ts';
import * as es from './es/sign-in.ts';
import type { ConsoleTexts, EntryTexts, Translation } from './texts.ts';
import * as zh from './zh/sign-in.ts';

export interface LanguageData {
  /** Its own name for itself. */
  readonly name: string;
  readonly direction: 'ltr' | 'rtl';
  /** What stands between two sentences. */
  readonly sentenceGap: '' | ' ';
  /** Texts of the sign-in page, and those that every page shares: there from the start. */
  readonly entry: Translation<EntryTexts>;
  /** Texts of all other pages. */
  readonly loadConsole: () => Promise<Translation<ConsoleTexts>>;
}

/**
 * By their tags (BCP 47), by which numbers are written, too. The first of a language serves readers
 * of its other regions.
 */
export const LANGUAGES: Readonly<Record<string, LanguageData>> = {
  en: {
    name: 'English',
    direction: 'ltr',
    sentenceGap: ' ',
    entry: { common: en.common, signIn: en.signIn },
    loadConsole: () => import('./en/console.ts'),
  },
  'es-419': {
    name: 'Español',
    direction: 'ltr',
    sentenceGap: ' ',
    entry: { common: es.common, signIn: es.signIn },
    loadConsole: () => import('./es/console.ts'),
  },
  zh: {
    name: '中文',
    direction: 'ltr',
    sentenceGap: '',
    entry: { common: zh.common, signIn: zh.signIn },
    loadConsole: () => import('./zh/console.ts'),
  },
};
