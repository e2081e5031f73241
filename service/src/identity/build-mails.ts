/**
 * Mails in the language of the request that caused them. A code has a line of its own, so that
 * programs find it.
 */
import type { Language } from '../lib/language.ts';
import type { Message } from '../mail/index.ts';
import { MAIL_TEXTS, type MailKind, type NoticeKind } from './mail-templates.ts';

type Values = Readonly<Record<string, string>>;

/** The recipient of a mail. */
export interface Recipient {
  readonly to: string;
  readonly language: Language;
  readonly nickname?: string;
}

/** Inserts values; placeholders in values are not replaced. */
function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function write(
  kind: MailKind,
  { to, language, nickname = '' }: Recipient,
  values: Values = {},
): Message {
  const { mails, signature } = MAIL_TEXTS[language];
  const { subject, paragraphs } = mails[kind];
  const all = { ...values, nickname };
  return {
    to,
    subject: fill(subject, all),
    text: `${[...paragraphs, signature].map((text) => fill(text, all)).join('\n\n')}\n`,
  };
}

function codeValues(code: string, ttl_s: number): Values {
  return { code, minutes: String(Math.max(1, Math.round(ttl_s / 60))) };
}

export type CodeMail = (recipient: Recipient, code: string, ttl_s: number) => Message;

const codeMail =
  (kind: MailKind): CodeMail =>
  (recipient, code, ttl_s) =>
    write(kind, recipient, codeValues(code, ttl_s));

export const registrationCode = codeMail('registration');
export const signInCode = codeMail('signIn');
export const reauthenticationCode = codeMail('reauthentication');
export const resetCode = codeMail('reset');

export function addressTaken(recipient: Recipient): Message {
  return write('addressTaken', recipient);
}

export function emailChangeCode(
  recipient: Recipient,
  code: string,
  newEmail: string,
  ttl_s: number,
): Message {
  return write('emailChange', recipient, { ...codeValues(code, ttl_s), email: newEmail });
}

/** A change to report. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly values?: Values;
}

/** Reports a change to the owner, who may not have made it. */
export function changeNotice(recipient: Recipient, { kind, values = {} }: Notice): Message {
  return write('notice', recipient, {
    what: fill(MAIL_TEXTS[recipient.language].notices[kind], values),
  });
}
