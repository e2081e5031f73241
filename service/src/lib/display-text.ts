/** Short texts that users write and other users read: names, notes. */
import { fieldError } from './failures.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Control characters, line breaks, characters that change the text direction (Trojan Source), and
 * characters without width.
 */
const FORBIDDEN = /[\p{Cc}\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;
const FORBIDDEN_ALL = new RegExp(FORBIDDEN.source, 'gu');

/** Invisible text: spaces, joiners, fillers and the blank Braille pattern. */
const INVISIBLE = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]+$/u;

/** More combining marks than any language puts on one character: they would cover other text. */
const STACK = /\p{M}{9}/u;
const TALL_STACK = /(\p{M}{8})\p{M}+/gu;

/**
 * Makes text from outside safe to store and show: forbidden characters become U+FFFD, and the text
 * is truncated to `max` code points.
 */
export function cleanText(text: string, max: number): string {
  // A code point takes two UTF-16 units at most.
  const points = [...text.slice(0, 2 * max).toWellFormed()].slice(0, max);
  return points.join('').replaceAll(FORBIDDEN_ALL, '\ufffd').replaceAll(TALL_STACK, '$1');
}

const ASCII = /^[\x20-\x7e]*$/;

/** Counts grapheme clusters, which readers take for characters. */
export function countGraphemes(text: string): number {
  if (ASCII.test(text)) return text.length;
  let count = 0;
  for (const _ of segmenter.segment(text)) count++;
  return count;
}

/** True for text without a visible character. */
export function isInvisible(text: string): boolean {
  return text === '' || INVISIBLE.test(text);
}

/**
 * Validates and normalizes (NFC, trimmed) a text of `min` to `max` characters and at most
 * `bytes_max` bytes.
 * @throws `invalid_parameter`
 */
export function readDisplayText(
  text: string,
  field: string,
  { min, max, bytes_max }: { min: number; max: number; bytes_max: number },
): string {
  // First, because counting the graphemes of a huge text is expensive.
  if (Buffer.byteLength(text) > bytes_max)
    throw fieldError(field, 'too_long', `must be at most ${bytes_max} bytes`);
  if (FORBIDDEN.test(text))
    throw fieldError(
      field,
      'forbidden_character',
      'contains a control, direction or zero-width character',
    );
  if (STACK.test(text.normalize('NFD')))
    throw fieldError(
      field,
      'forbidden_character',
      'contains a character with too many combining marks',
    );
  const normal = text.normalize('NFC').trim();
  if (INVISIBLE.test(normal))
    throw fieldError(field, 'forbidden_character', 'contains no visible character');
  const length = countGraphemes(normal);
  if (length < min || length > max)
    throw fieldError(field, 'length', `must be ${min} to ${max} characters`);
  return normal;
}
