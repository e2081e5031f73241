/** The languages that the service writes to people in. To add one: its file, and its line here. */
import { en } from './texts/en.ts';
import { es } from './texts/es.ts';
import type { Texts } from './texts/types.ts';
import { zh } from './texts/zh.ts';

const TEXTS = { en, es, zh } satisfies Record<string, Texts>;

export type Language = keyof typeof TEXTS;
export const LANGUAGES = Object.keys(TEXTS) as readonly Language[];
export type MailKind = keyof Texts['mails'];
export type NoticeKind = keyof Texts['notices'];
export type ClosingKind = keyof Texts['closings'];

export function textsOf(language: Language): Texts {
  return TEXTS[language];
}

function isLanguage(text: string): text is Language {
  return LANGUAGES.some((language) => language === text);
}

const RANGE = /^\s*([a-z]{1,8})(?:-[a-z0-9-]+)?\s*(?:;\s*q\s*=\s*([01](?:\.\d{0,3})?)\s*)?$/i;
/** No browser sends more; the rest is not read. */
const LENGTH_MAX = 400;

/** The preferred language of an `Accept-Language` header; English where it names none of ours. */
export function readLanguage(acceptLanguage = ''): Language {
  let best: Language = 'en';
  let bestWeight = 0;
  for (const part of acceptLanguage.slice(0, LENGTH_MAX).split(',')) {
    const [, tag = '', quality = '1'] = RANGE.exec(part) ?? [];
    const language = tag.toLowerCase();
    const weight = Number(quality);
    if (isLanguage(language) && weight > bestWeight) [best, bestWeight] = [language, weight];
  }
  return best;
}
