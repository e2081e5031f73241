/**
 * Codes out of what people type and paste: a whole line of a mail, a link, groups with spaces
 * between them.
 */

const DIGIT = /^\p{Nd}$/u;

/** What a digit of any script counts: each script has its ten in a row, from nought on. */
function countOf(digit: string): number {
  const own = digit.codePointAt(0) ?? 0;
  let first = own;
  while (DIGIT.test(String.fromCodePoint(first - 1))) first--;
  return (own - first) % 10;
}

/** Folds look-alike signs and the digits of all scripts, and removes invisible characters. */
function simplify(text: string): string {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/\p{Pd}|\u2212/gu, '-')
    .replaceAll(/(?![0-9])\p{Nd}/gu, (digit) => String(countOf(digit)));
}

const CODE = /^\d{6}$/;
const ONLY_DIGITS = /^[\d\s.-]*$/;
/** Six figures in one, or in two groups that are not part of more. */
const CODES_AMONG_WORDS = /(?<!\d)\d{6}(?!\d)|(?<!\d[ -]?)\d{3}[ -]\d{3}(?![ -]?\d)/g;

function digitsOf(text: string): string {
  return text.replaceAll(/\D/g, '');
}

/**
 * The digits of a code, whatever stands around them; where it is not plain which they are, the text
 * as it is.
 */
export function readCode(text: string): string {
  const plain = simplify(text);
  const codes = new Set(plain.match(CODES_AMONG_WORDS)?.map(digitsOf));
  const [code] = codes;
  if (code !== undefined && codes.size === 1) return code;
  return ONLY_DIGITS.test(plain) ? digitsOf(plain) : text;
}

export function isCode(text: string): boolean {
  return CODE.test(text);
}

/** More or other than the beginning of a code: it does not become one by continuing. */
export function isNoCode(text: string): boolean {
  return /\D/.test(text);
}

const RECOVERY_LENGTH = 12;
const RECOVERY_GROUP = /.{4}(?=.)/g;

/** A recovery code as it was shown; undefined when it cannot be one. */
export function readRecoveryCode(text: string): string | undefined {
  const signs = simplify(text)
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '');
  return signs.length === RECOVERY_LENGTH ? signs.replaceAll(RECOVERY_GROUP, '$&-') : undefined;
}

const USER_CODE_LENGTH = 8;
const USER_CODE_IN_LINK = /[?&]USER_CODE=([A-Z0-9-]+)/;
const USER_CODE_AMONG_WORDS = /(?<![A-Z0-9])[A-Z0-9]{4}-[A-Z0-9]{4}(?![A-Z0-9])/;

/** The letters of a device's code; undefined when they cannot be one. */
export function readUserCode(text: string): string | undefined {
  const plain = simplify(text).toUpperCase();
  const found =
    USER_CODE_IN_LINK.exec(plain)?.[1] ?? USER_CODE_AMONG_WORDS.exec(plain)?.[0] ?? plain;
  const letters = found.replaceAll(/[^A-Z0-9]/g, '');
  return letters.length === USER_CODE_LENGTH ? letters : undefined;
}

const REFERRAL_IN_LINK = /[?&]ref=([\w-]+)/;

/** A referral code, of a link or by itself, however it is written. */
export function readReferralCode(text: string): string {
  return (REFERRAL_IN_LINK.exec(text)?.[1] ?? text).replaceAll(/[\s-]/g, '').toUpperCase();
}
