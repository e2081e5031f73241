/** Checks what an operator sends as the brand. */
import type { Static } from 'typebox';
import type { Config } from '../config.ts';
import { readDisplayText } from '../lib/display-text.ts';
import { fieldError } from '../lib/failures.ts';
import { readRasterImage } from '../lib/raster-image.ts';
import type { TextByLanguage } from './brand.ts';
import { allowedAddresses } from './mail-sender.ts';
import type { BrandChange, LogoChange } from './put-brand.ts';
import {
  type BrandOrder,
  FOOTER_MAX,
  LOGO_BYTES_MAX,
  NAME_MAX,
  SENDER_NAME_MAX,
  SIGN_IN_TEXT_MAX,
} from './schemas.ts';

const UTF8_BYTES = 4;
/** What mail programs take for an address or a link in the name of a sender. */
const NO_NAME = /[<>"\\@]|:\/\//;
/** One address, and no header fields (RFC 6068) that would write the mail for its sender. */
const MAILTO = /^mailto:[\w.!#$%*+/=^`{|}~-]+@[\w-]+(\.[\w-]+)+$/i;

function readName(text: string | undefined, field: string, max: number): string | undefined {
  if (text === undefined) return undefined;
  const name = readDisplayText(text, field, { min: 1, max, bytes_max: UTF8_BYTES * max });
  if (NO_NAME.test(name))
    throw fieldError(field, 'reserved_character', 'contains one of < > " \\ @ or ://');
  return name;
}

function readTexts(texts: TextByLanguage | undefined, field: string, max: number): TextByLanguage {
  const read = Object.entries(texts ?? {}).map(([language, text]) => [
    language,
    readDisplayText(text, `${field}.${language}`, { min: 1, max, bytes_max: UTF8_BYTES * max }),
  ]);
  return Object.fromEntries(read);
}

function readSupportUrl(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  if (MAILTO.test(text)) return text;
  const refuse = (message: string) => fieldError('support_url', 'malformed_url', message);
  const url = URL.parse(text);
  if (url?.protocol !== 'https:') throw refuse('must be https:, or mailto: with one address');
  // `https://bank.example@evil.example` reads as another host.
  if (url.username !== '' || url.password !== '') throw refuse('must not contain a user');
  return url.href;
}

function readLogo(base64: string | null | undefined, field: string): LogoChange {
  if (base64 === undefined || base64 === null) return base64;
  const image = Buffer.from(base64, 'base64');
  if (image.length > LOGO_BYTES_MAX)
    throw fieldError(field, 'too_long', `must be at most ${LOGO_BYTES_MAX} bytes`);
  return readRasterImage(image, field);
}

function readAddress(text: string | undefined, config: Config): string | undefined {
  if (text === undefined || allowedAddresses(config).includes(text)) return text;
  throw fieldError('mail_sender_address', 'not_allowed', 'is not one of mail_sender_addresses');
}

/** @throws `invalid_parameter` */
export function readOrder(order: Static<typeof BrandOrder>, config: Config): BrandChange {
  const logo = readLogo(order.logo, 'logo');
  const darkLogo = readLogo(order.dark_logo, 'dark_logo');
  const read = {
    name: readName(order.name, 'name', NAME_MAX),
    accent: order.accent?.toLowerCase(),
    supportUrl: readSupportUrl(order.support_url),
    mailSenderName: readName(order.mail_sender_name, 'mail_sender_name', SENDER_NAME_MAX),
    mailSenderAddress: readAddress(order.mail_sender_address, config),
  };
  return {
    ...(read.name !== undefined && { name: read.name }),
    ...(read.accent !== undefined && { accent: read.accent }),
    ...(read.supportUrl !== undefined && { supportUrl: read.supportUrl }),
    ...(read.mailSenderName !== undefined && { mailSenderName: read.mailSenderName }),
    ...(read.mailSenderAddress !== undefined && { mailSenderAddress: read.mailSenderAddress }),
    signInTexts: readTexts(order.sign_in_text, 'sign_in_text', SIGN_IN_TEXT_MAX),
    mailFooters: readTexts(order.mail_footer, 'mail_footer', FOOTER_MAX),
    logo,
    // The one for dark pages goes with the other one.
    darkLogo: logo === null && darkLogo === undefined ? null : darkLogo,
  };
}
