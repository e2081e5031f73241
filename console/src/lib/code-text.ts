/** Codes out of what people type and paste: a whole line of a mail, a link, groups with spaces between them. */

const CODE = /^\d{6}$/;
const CODE_AMONG_WORDS = /(?<!\d)\d{3}[ -]?\d{3}(?!\d)/;

/** The digits of a code, whatever stands around them. */
export function readCode(text: string): string {
  const plain = text.normalize('NFKC');
  return (CODE_AMONG_WORDS.exec(plain)?.[0] ?? plain).replaceAll(/\D/g, '');
}

export function isCode(text: string): boolean {
  return CODE.test(text);
}

const RECOVERY_LENGTH = 12;
const RECOVERY_GROUP = /.{4}(?=.)/g;

/** A recovery code as it was shown; undefined when it cannot be one. */
export function readRecoveryCode(text: string): string | undefined {
  const signs = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, '');
  return signs.length === RECOVERY_LENGTH ? signs.replaceAll(RECOVERY_GROUP, '$&-') : undefined;
}

const USER_CODE_LENGTH = 8;
const USER_CODE_IN_LINK = /[?&]USER_CODE=([A-Z0-9-]+)/;
const USER_CODE_AMONG_WORDS = /(?<![A-Z0-9])[A-Z0-9]{4}-[A-Z0-9]{4}(?![A-Z0-9])/;

/** The letters of a device's code; undefined when they cannot be one. */
export function readUserCode(text: string): string | undefined {
  const plain = text
    .normalize('NFKC')
    .toUpperCase()
    .replaceAll(/[\u2010-\u2015]/g, '-');
  const found = USER_CODE_IN_LINK.exec(plain)?.[1] ?? USER_CODE_AMONG_WORDS.exec(plain)?.[0] ?? plain;
  const letters = found.replaceAll(/[^A-Z0-9]/g, '');
  return letters.length === USER_CODE_LENGTH ? letters : undefined;
}

const REFERRAL_IN_LINK = /[?&]ref=([\w-]+)/;

/** A referral code, of a link or by itself. */
export function readReferralCode(text: string): string {
  return REFERRAL_IN_LINK.exec(text)?.[1] ?? text.trim();
}
