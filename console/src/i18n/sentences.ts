import { languageData } from './find-language.ts';

/** What stands between two sentences, where they are not texts alone. */
export const sentenceGapOf = (language: string): string => languageData(language).sentenceGap;

/** Sentences one after the other: in some languages without a space between them. */
export function joinSentences(language: string, ...sentences: readonly (string | false)[]): string {
  return sentences.filter(Boolean).join(sentenceGapOf(language));
}
