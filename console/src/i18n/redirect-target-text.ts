import type { Translate } from './translate.ts';

const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d+){3}|\[::1\])$/;

/** Where one goes after consent: to a program on this very device, or to a host. */
export function leadsToText(t: Translate<'signIn'>, redirectUri: string): string {
  const { protocol, host, hostname } = new URL(redirectUri);
  const isOfWeb = protocol === 'https:' || protocol === 'http:';
  return !isOfWeb || LOOPBACK.test(hostname)
    ? t('consent.leadsBack')
    : t('consent.leadsTo', { host });
}
