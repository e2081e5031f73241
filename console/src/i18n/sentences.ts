import type { Language } from './index.ts';

/** Sentences one after the other: Chinese ones stand without a space between them. */
export function joinSentences(
  language: Language,
  ...sentences: readonly (string | false)[]
): string {
  return sentences.filter(Boolean).join(language === 'zh' ? '' : ' ');
}
