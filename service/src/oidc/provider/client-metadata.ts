/** A client as the provider knows it. */
import type { AdapterPayload } from 'oidc-provider';
import { applicationTypeOf, authMethodOf, type Client } from '../clients/index.ts';

export const RESPONSE_MODES = ['query', 'form_post'];

/** What the provider's configuration of this service reads of a client, beyond the library. */
export interface OwnMetadata {
  readonly require_pkce?: boolean;
  readonly access_token_lifetime?: number;
  readonly refresh_token_lifetime?: number;
}
export const OWN_METADATA: readonly (keyof OwnMetadata)[] = [
  'require_pkce',
  'access_token_lifetime',
  'refresh_token_lifetime',
];

/** @param knownScopes a scope that was removed, or came a moment ago, is left out */
export function toClientMetadata(client: Client, knownScopes: ReadonlySet<string>): AdapterPayload {
  const {
    backchannel_logout_uri: _queued,
    roles: _own,
    logo_uri: _fetched,
    ...metadata
  } = client.metadata ?? {};
  return {
    ...metadata,
    client_id: client.clientId,
    client_name: client.name,
    ...(client.secretHash !== undefined && { client_secret: client.secretHash }),
    token_endpoint_auth_method: authMethodOf(client),
    redirect_uris: [...client.redirectUris],
    grant_types: [...client.grantTypes],
    response_types: client.redirectUris.length > 0 ? ['code'] : [],
    response_modes: [...RESPONSE_MODES],
    scope: client.scopes.filter((scope) => knownScopes.has(scope)).join(' '),
    require_pkce: client.requiresPkce ?? true,
    application_type: applicationTypeOf(client),
  } as AdapterPayload;
}
