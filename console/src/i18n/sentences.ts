import { languageData } from './find-language.ts';

/** Sentences one after the other: in some languages without a space between them. */
export function joinSentences(language: string, ...sentences: readonly (string | false)[]): string {
  return sentences.filter(Boolean).join(languageData(language).sentenceGap);
}
