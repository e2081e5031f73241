/** The end of a mail: what the network is called, and what it adds to each of its mails. */
import { type Brand, nameOf, textIn } from '../brand/index.ts';
import type { Language } from '../lib/language.ts';

export interface UnsignedMail {
  /** Plain text. */
  readonly body: string;
  /** Null: of an earlier version, which wrote the end itself. */
  readonly language: Language | null;
}

/** The text as it is sent, with the brand of now. */
export function signMail({ body, language }: UnsignedMail, brand: Brand): string {
  if (language === null) return body;
  const added = [textIn(brand.mailFooters, language), brand.supportUrl]
    .filter((line) => line !== undefined)
    .map((line) => line.replace(/^mailto:/, ''));
  const footer = added.length === 0 ? '' : `\n${added.join('\n')}\n`;
  return `${body}\n${nameOf(brand)}\n${footer}`;
}
