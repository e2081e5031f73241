/** Search parameters of addresses. Invalid values count as absent: people edit addresses. */
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

/** A text of limited length, without a check of its meaning. */
export function readWords(given: unknown, lengthMax: number): string | undefined {
  return typeof given === 'string' && given !== '' && given.length <= lengthMax ? given : undefined;
}

/** Numbers of records, exact in JavaScript. */
const NUMBER = /^[1-9]\d{0,15}$/;

/** The number of a record, as text. */
export function readNumber(given: unknown): string | undefined {
  return typeof given === 'string' && NUMBER.test(given) ? given : undefined;
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

/** The query of an address; parameters without a value are left out. */
export function writeSearch(values: Search): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== '') search.set(name, String(value));
  return search.size > 0 ? `?${search}` : '';
}

function fold(text: string): string {
  return text.normalize('NFKC').toLowerCase();
}

/** Whether a text includes all words, in any order and case. */
export function includesAllWords(text: string, words: string): boolean {
  const folded = fold(text);
  return fold(words)
    .split(/\s+/)
    .every((word) => folded.includes(word));
}
