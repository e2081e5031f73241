/** A client as the provider knows it. */
import type { AdapterPayload } from 'oidc-provider';
import { applicationTypeOf, type Client } from '../clients/index.ts';

export function toClientMetadata(client: Client): AdapterPayload {
  return {
    client_id: client.clientId,
    client_name: client.name,
    ...(client.secretHash !== undefined && { client_secret: client.secretHash }),
    token_endpoint_auth_method: client.secretHash === undefined ? 'none' : 'client_secret_basic',
    redirect_uris: [...client.redirectUris],
    grant_types: [...client.grantTypes],
    response_types: client.redirectUris.length > 0 ? ['code'] : [],
    response_modes: ['query'],
    scope: client.scopes.join(' '),
    require_pkce: client.requiresPkce ?? true,
    application_type: applicationTypeOf(client),
    post_logout_redirect_uris: [...(client.metadata?.post_logout_redirect_uris ?? [])],
  } as AdapterPayload;
}
