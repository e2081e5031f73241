/** Texts of the popup in the language of the browser. To add one: a file, and its entry here. */
import { texts as english, type Texts } from './en.ts';
import { texts as spanish } from './es.ts';
import { texts as chinese } from './zh.ts';

export type { Texts } from './en.ts';

/** By the first part of their tags (BCP 47). */
export const LANGUAGES: ReadonlyMap<string, Texts> = new Map([
  ['en', english],
  ['es', spanish],
  ['zh', chinese],
]);

export interface Language {
  /** The first of the tags whose language we have, or English. */
  readonly tag: string;
  readonly texts: Texts;
}

/** @param tags languages of the reader, the preferred one first */
export function findTexts(tags: readonly string[]): Language {
  for (const tag of tags) {
    const texts = LANGUAGES.get(tag.split('-', 1)[0]?.toLowerCase() ?? '');
    if (texts) return { tag, texts };
  }
  return { tag: 'en', texts: english };
}

/** @param reason what stands for `{{reason}}` */
export function fillIn(text: string, reason: string): string {
  return text.replace('{{reason}}', () => reason);
}
