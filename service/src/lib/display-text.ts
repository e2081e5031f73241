/** Short texts that people write and others read: names, notes. */
import { fieldError } from './failures.ts';

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Control characters, line breaks, characters that turn the reading direction around (Trojan Source), and such that take no room. */
const FORBIDDEN = /[\p{Cc}\u200b\u200e\u200f\u2028\u2029\u202a-\u202e\u2060\u2066-\u2069\ufeff]/u;
const DECEIVING = new RegExp(FORBIDDEN.source, 'gu');

/** What nobody sees, however much there is of it: spaces, joiners, fillers and the empty pattern of Braille. */
const UNSEEN = /^[\p{Default_Ignorable_Code_Point}\p{White_Space}\u2800]+$/u;

/** More marks on one character than any language writes: it would be painted over its neighbours. */
const STACK = /\p{M}{9}/u;
const TALL_STACK = /(\p{M}{8})\p{M}+/gu;

/** Text of others as it can be stored and shown: what could deceive becomes U+FFFD, and it is cut after `max` code points. */
export function cleanText(text: string, max: number): string {
  // The size first: a code point takes two units at most.
  const points = [...text.slice(0, 2 * max).toWellFormed()].slice(0, max);
  return points.join('').replaceAll(DECEIVING, '\ufffd').replaceAll(TALL_STACK, '$1');
}

/** Characters as people count them. */
export function countGraphemes(text: string): number {
  let count = 0;
  for (const _ of segmenter.segment(text)) count++;
  return count;
}

/** Whether nobody would see anything of it. */
export function isUnseen(text: string): boolean {
  return text === '' || UNSEEN.test(text);
}

/** Checks and normalizes (NFC, trimmed) a text of `min` to `max` characters and at most `bytes_max` bytes. @throws `invalid_parameter` */
export function readDisplayText(
  text: string,
  field: string,
  { min, max, bytes_max }: { min: number; max: number; bytes_max: number },
): string {
  // The size first: counting graphemes of a huge text is work.
  if (Buffer.byteLength(text) > bytes_max)
    throw fieldError(field, 'too_long', `must be at most ${bytes_max} bytes`);
  if (FORBIDDEN.test(text))
    throw fieldError(
      field,
      'forbidden_character',
      'holds a control or direction character, or one that takes no room',
    );
  if (STACK.test(text.normalize('NFD')))
    throw fieldError(field, 'forbidden_character', 'holds a character with too many marks');
  const normal = text.normalize('NFC').trim();
  if (UNSEEN.test(normal))
    throw fieldError(field, 'forbidden_character', 'holds nothing that can be seen');
  const length = countGraphemes(normal);
  if (length < min || length > max)
    throw fieldError(field, 'length', `must be ${min} to ${max} characters`);
  return normal;
}
