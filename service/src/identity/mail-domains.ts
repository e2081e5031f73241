/**
 * Domains whose mailboxes anyone gets for minutes: an account there costs nothing, and its owner
 * cannot be reached later. The list is the package `mailchecker`; settings change it.
 */
import type { Config } from '../config.ts';
import { fieldError } from '../lib/failures.ts';
import type { Email } from './emails.ts';

export interface MailDomains {
  /** @throws `invalid_parameter` for an address at a refused domain */
  check(email: Email): Promise<void>;
}

/** The domain and those above it: `a.b.example` is at `b.example` too. */
function listSuffixes(domain: string): string[] {
  const labels = domain.split('.');
  return labels.map((_, i) => labels.slice(i).join('.'));
}

/** Reads a setting with commas between domains. */
export const readDomainList = (text: string): ReadonlySet<string> =>
  new Set(
    text
      .toLowerCase()
      .split(',')
      .map((domain) => domain.trim()),
  );

/** A list of 56,000 domains: loaded with the first registration, not with the service. */
async function loadDisposable(): Promise<ReadonlySet<string>> {
  return new Set((await import('mailchecker')).default.blacklist());
}

type Settings = Pick<Config, 'DISPOSABLE_MAIL' | 'MAIL_DOMAINS_REFUSED' | 'MAIL_DOMAINS_ALLOWED'>;

export function createMailDomains(settings: Settings): MailDomains {
  const refused = readDomainList(settings.MAIL_DOMAINS_REFUSED);
  const allowed = readDomainList(settings.MAIL_DOMAINS_ALLOWED);
  let disposable: Promise<ReadonlySet<string>> | undefined;
  return {
    async check({ key }) {
      const domains = listSuffixes(key.slice(key.lastIndexOf('@') + 1));
      if (domains.some((domain) => allowed.has(domain))) return;
      if (settings.DISPOSABLE_MAIL === 'refuse') disposable ??= loadDisposable();
      const listed = await disposable;
      if (domains.some((domain) => refused.has(domain) || listed?.has(domain) === true))
        throw fieldError('email', 'disposable', 'is at a domain of disposable mailboxes');
    },
  };
}
