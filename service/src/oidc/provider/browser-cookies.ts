/** What the provider's cookies are called, and which of those that a browser brings count. */

/**
 * `__Host-`: no other subdomain can plant it; a cookie of one path cannot be that, but `__Secure-`.
 * Browsers take these prefixes over https only.
 */
export function cookieNames(baseUrl: string): {
  session: string;
  interaction: string;
  resume: string;
} {
  if (!baseUrl.startsWith('https:'))
    return { session: '_session', interaction: '_interaction', resume: '_interaction_resume' };
  return {
    session: '__Host-session',
    interaction: '__Secure-interaction',
    resume: '__Secure-interaction_resume',
  };
}

const nameOf = (pair: string): string => (pair.split('=', 1)[0] ?? '').trim();

/** Drops cookies whose name comes twice: one was planted beside ours, and either may be it. */
export function withoutDoubledCookies(header: string): string {
  const pairs = header.split(';');
  const names = pairs.map(nameOf);
  return pairs
    .filter((_, i) => names.indexOf(names[i] ?? '') === names.lastIndexOf(names[i] ?? ''))
    .join(';');
}
