/** Email addresses: validation, comparison, masking. */
import { fieldError } from '../lib/failures.ts';

/** RFC 5321: 64 octets before the @, 254 in all. */
const LOCAL_MAX = 64;
const ADDRESS_MAX = 254;
const LOCAL = /^[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/;
const LABEL = /^[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** True for an ASCII address with a dot in its domain, within the lengths of RFC 5321. */
export function isEmail(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || text.length > ADDRESS_MAX || at > LOCAL_MAX || !LOCAL.test(text.slice(0, at)))
    return false;
  const labels = text.slice(at + 1).split('.');
  return (
    labels.length > 1 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}

export interface Email {
  /** As written. */
  readonly address: string;
  /** Lower case: two addresses are the same when their keys are. */
  readonly key: string;
}

/** Reads an address. @throws `invalid_parameter` */
export function readEmail(text: string): Email {
  if (!isEmail(text)) throw fieldError('email', 'not_an_email', 'is not an email address');
  return { address: text, key: text.toLowerCase() };
}

/** `j***@example.com` */
export function maskEmail(address: string): string {
  const at = address.lastIndexOf('@');
  return `${address.slice(0, 1)}***${address.slice(at)}`;
}
