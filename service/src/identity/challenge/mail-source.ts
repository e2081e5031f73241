/**
 * Who gives out an address: counters of registrations by address alone would miss a domain whose
 * owner reads every mailbox, and the tags that make many addresses of one mailbox.
 */
import { getDomain } from 'tldts';

/** Providers that ignore dots in front of the @. */
const IGNORES_DOTS: ReadonlySet<string> = new Set(['gmail.com', 'googlemail.com']);

/**
 * The mailbox at a domain that strangers share, without tag; elsewhere the registrable domain.
 * @param emailKey the address in lower case
 */
export function findMailSource(emailKey: string, sharedDomains: ReadonlySet<string>): string {
  const at = emailKey.lastIndexOf('@');
  const domain = emailKey.slice(at + 1);
  if (!sharedDomains.has(domain)) return getDomain(domain) ?? domain;
  const mailbox = emailKey.slice(0, at).replace(/\+.*$/, '');
  return `${IGNORES_DOTS.has(domain) ? mailbox.replaceAll('.', '') : mailbox}@${domain}`;
}
