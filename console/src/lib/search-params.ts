/** What an address says after its question mark. What it says wrongly counts as not said: people edit addresses, and old links stay. */
import { parseDay } from './time-text.ts';

/** The longest email address there can be. */
export const KEYWORD_LENGTH_MAX = 254;

export type Search = Readonly<Record<string, unknown>>;

export function readOneOf<const Word extends string>(
  given: unknown,
  words: readonly Word[],
): Word | undefined {
  return words.find((word) => word === given);
}

/** Words of somebody's own; which of them mean anything is known elsewhere. */
export function readWords(given: unknown, lengthMax: number): string | undefined {
  return typeof given === 'string' && given !== '' && given.length <= lengthMax ? given : undefined;
}

/** Two days; the second counts only if it is not before the first. */
export function readDays(
  first: unknown,
  last: unknown,
): readonly [string | undefined, string | undefined] {
  const [begin, end] = [first, last].map((given) =>
    typeof given === 'string' && parseDay(given) === given ? given : undefined,
  );
  return [begin, begin !== undefined && end !== undefined && end < begin ? undefined : end];
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Whether every one of some words is in a text, in whatever order and case. */
export function includesAllWords(text: string, words: string): boolean {
  const folded = fold(text);
  return fold(words)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}
