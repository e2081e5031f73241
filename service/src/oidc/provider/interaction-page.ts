/** The page where the user decides, with the encrypted request. */
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { OidcContext } from '../context.ts';

import { INTERACTION_ID_MAX } from './interaction-encryption.ts';
import type { Library } from './library.ts';

const PAGE_HINTS = ['login_hint', 'ui_locales', 'prompt'];
const HINT_MAX = 320;

interface WaitingInteraction {
  readonly uid: string;
  readonly exp: number;
  readonly params: Readonly<Record<string, unknown>>;
  readonly parJti?: string;
  readonly trusted?: readonly string[];
}

export function createPageUrl({ errors }: Library, { config, encryption, clock }: OidcContext) {
  return (_ctx: KoaContextWithOIDC, interaction: WaitingInteraction) => {
    const { uid, exp, parJti, trusted } = interaction;
    const params = { ...interaction.params };
    const iat = clock.now().getTime() / 1000;
    const interactionId = encryption.request.encrypt({ uid, iat, exp, params, parJti, trusted });
    if (interactionId.length > INTERACTION_ID_MAX)
      throw new errors.InvalidRequest('the request is too long');
    const url = new URL(config.AUTHORIZATION_PAGE_URL);
    url.searchParams.set('interaction_id', interactionId);
    // For the form, which is there before anyone may read the request.
    for (const hint of PAGE_HINTS) {
      const value = interaction.params[hint];
      if (typeof value === 'string') url.searchParams.set(hint, value.slice(0, HINT_MAX));
    }
    return url.href;
  };
}
