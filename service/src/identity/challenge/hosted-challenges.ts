/** Turnstile and hCaptcha: a widget of theirs in the page, verified by a request of ours. */
import type { Config } from '../../config.ts';
import type { Outgoing } from '../../http/index.ts';
import { failure } from '../../lib/failures.ts';

const VERIFY_URLS = {
  turnstile: 'https://challenges.cloudflare.com/turnstile/v0/siteverify',
  hcaptcha: 'https://api.hcaptcha.com/siteverify',
} as const;

export type HostedProvider = keyof typeof VERIFY_URLS;

export interface HostedChallenge {
  readonly provider: HostedProvider;
  readonly siteKey: string;
  /** @throws `unavailable` when the provider does not answer */
  verify(token: string): Promise<boolean>;
}

/** Undefined where challenges are built in. */
export function createHostedChallenge(
  config: Pick<
    Config,
    'CHALLENGE' | 'CHALLENGE_SITE_KEY' | 'CHALLENGE_SECRET' | 'CHALLENGE_VERIFY_URL'
  >,
  outgoing: Outgoing,
): HostedChallenge | undefined {
  const { CHALLENGE: provider, CHALLENGE_SECRET: secret, CHALLENGE_SITE_KEY: siteKey } = config;
  if (provider !== 'turnstile' && provider !== 'hcaptcha') return undefined;
  const url = config.CHALLENGE_VERIFY_URL || VERIFY_URLS[provider];
  return {
    provider,
    siteKey,
    async verify(token) {
      // Without the address of the user, which the provider has seen already.
      const form = new URLSearchParams({ secret, response: token });
      // Only hCaptcha checks it.
      if (provider === 'hcaptcha') form.set('sitekey', siteKey);
      const headers = { 'content-type': 'application/x-www-form-urlencoded' };
      try {
        const { status, text } = await outgoing.send({
          ...{ method: 'POST', url, headers },
          body: form.toString(),
        });
        if (status !== 200) throw new Error(`${provider} answered ${status}`);
        return (JSON.parse(text) as { success?: unknown }).success === true;
      } catch (cause) {
        throw failure('unavailable', { cause, retryAfter_s: 5 });
      }
    },
  };
}
