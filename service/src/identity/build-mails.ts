/**
 * Mails in the language of the request that caused them. A code has a line of its own, so that
 * programs find it.
 */
import { countGraphemes } from '../lib/display-text.ts';
import {
  type ClosingKind,
  type Language,
  type MailKind,
  type NoticeKind,
  textsOf,
} from '../lib/language.ts';
import type { Message } from '../mail/index.ts';

type Values = Readonly<Record<string, string>>;

/** The recipient of a mail. */
export interface Recipient {
  readonly to: string;
  /** Absent: the address belongs to no user, or to another one. */
  readonly userId?: number;
  readonly language: Language;
  readonly nickname?: string;
}

/** Inserts values; placeholders in values are not replaced. */
function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

const NAME_MAX = 40;
/** What mail programs turn into a link, or readers take for one. */
const LINK = /:\/\/|@|www|[\p{L}\p{N}][.\u3002\uff0e\uff61]\p{L}/iu;

/**
 * True for a name that a mail may contain. Others choose names, and a mail of ours must not carry
 * their text to another user as a link or a message.
 */
export function isPlainName(name: string): boolean {
  return name !== '' && countGraphemes(name) <= NAME_MAX && !LINK.test(name);
}

function write(
  kind: MailKind,
  { to, userId, language, nickname = '' }: Recipient,
  values: Values = {},
): Message {
  const { mails, greeting, greetingWithoutName } = textsOf(language);
  const { subject, paragraphs } = mails[kind];
  const all = {
    ...values,
    greeting: isPlainName(nickname) ? fill(greeting, { nickname }) : greetingWithoutName,
  };
  return {
    to,
    kind,
    language,
    ...(userId !== undefined && { userId }),
    subject: fill(subject, all),
    text: `${paragraphs.map((text) => fill(text, all)).join('\n\n')}\n`,
  };
}

function codeValues(code: string, ttl_s: number): Values {
  return { code, minutes: String(Math.max(1, Math.round(ttl_s / 60))) };
}

export type CodeMail = (recipient: Recipient, code: string, ttl_s: number) => Message;

const codeMail =
  (kind: MailKind): CodeMail =>
  (recipient, code, ttl_s) => ({
    ...write(kind, recipient, codeValues(code, ttl_s)),
    validFor_s: ttl_s,
  });

export const registrationCode = codeMail('registration');
export const signInCode = codeMail('signIn');
export const reauthenticationCode = codeMail('reauthentication');
export const resetCode = codeMail('reset');

export function addressTaken(recipient: Recipient): Message {
  return write('addressTaken', recipient);
}

/** To a user whose account was imported without a password, after an attempt to sign in. */
export function passwordNeeded(recipient: Recipient): Message {
  return write('passwordNeeded', recipient);
}

export function emailChangeCode(
  recipient: Recipient,
  code: string,
  newEmail: string,
  ttl_s: number,
): Message {
  const mail = write('emailChange', recipient, { ...codeValues(code, ttl_s), email: newEmail });
  return { ...mail, validFor_s: ttl_s };
}

/** A change to report. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly values?: Values;
}

/** Of the others: what an owner does who did not make the change. */
const CLOSINGS: Partial<Record<NoticeKind, ClosingKind>> = {
  emailChanged: 'lostAddress',
  accountClosed: 'closed',
  secondFactorsReset: 'reset',
  moneyFrozen: 'frozen',
  moneyReleased: 'released',
};

/**
 * Reports a change to the owner, who may not have made it. `name` is text of a user; a name that
 * the operator has set is `provider`.
 */
export function changeNotice(recipient: Recipient, { kind, values = {} }: Notice): Message {
  const { notices, hiddenName, closings } = textsOf(recipient.language);
  const { name } = values;
  const shown = name === undefined || isPlainName(name) ? values : { ...values, name: hiddenName };
  const what = fill(notices[kind], shown);
  const closing = closings[CLOSINGS[kind] ?? 'ownChange'];
  return { ...write('notice', recipient, { what, closing }), kind };
}
