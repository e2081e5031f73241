/** Registers a client for the holder of an initial access token (RFC 7591). */
import type { Static } from 'typebox';
import { runAsService, type Transaction, transaction } from '../../db/index.ts';
import { Failure } from '../../lib/failures.ts';
import { checkMetadataUrls, createClient, type GrantType, pickMetadata } from '../clients/index.ts';
import type { OidcContext } from '../context.ts';
import { readNamedLogo } from '../logos/fetch-logo.ts';
import { OAuthError } from '../provider/oauth-errors.ts';
import { splitScopes } from '../tokens/scopes.ts';
import { isInitialAccessToken, useInitialAccessToken } from './initial-access-tokens.ts';
import type { RegisteredClient, Registration } from './registration-schemas.ts';

function readScopes(scope: string | undefined, allowed: readonly string[]): readonly string[] {
  const requested = splitScopes(scope);
  const foreign = requested.find((name) => !allowed.includes(name));
  if (foreign !== undefined)
    throw new OAuthError(
      'invalid_client_metadata',
      `the token does not allow the scope ${foreign}`,
    );
  return requested.length > 0 ? requested : allowed;
}

const refuseToken = () =>
  new OAuthError('invalid_token', 'the initial access token is not valid', 401);

/** A refusal of the registry in the shape of RFC 7591 3.2.2. */
export function toRegistrationError(error: unknown): unknown {
  if (!(error instanceof Failure) || error.code !== 'invalid_parameter') return error;
  const { detail = error.message, fields = [] } = error.details;
  const isRedirect = fields.some(({ field }) => field.startsWith('redirect_uris'));
  return new OAuthError(isRedirect ? 'invalid_redirect_uri' : 'invalid_client_metadata', detail);
}

/** @throws OAuthError, `unavailable` */
export async function registerClient(
  { database, clock, outgoing }: OidcContext,
  token: string,
  request: Registration,
): Promise<Static<typeof RegisteredClient>> {
  const { token_endpoint_auth_method: method = 'client_secret_basic' } = request;
  const { token_endpoint_auth_method: _method, ...others } = request;
  const { roles: _ofOperators, ...metadata } = pickMetadata({
    ...others,
    ...(method === 'private_key_jwt' && { token_endpoint_auth_method: method }),
  });
  try {
    // Requests go out for holders of a token only, and not within the transaction.
    if (!(await isInitialAccessToken(database, clock, token))) throw refuseToken();
    checkMetadataUrls(metadata, outgoing);
    const named = await readNamedLogo(outgoing, metadata);
    const register = async (tx: Transaction): Promise<Static<typeof RegisteredClient>> => {
      // A refused registration uses nothing up: the transaction ends without effect.
      const allowed = await useInitialAccessToken(tx, clock, token);
      if (!allowed) throw refuseToken();
      const scopes = readScopes(request.scope, allowed);
      const grantTypes: readonly GrantType[] =
        request.grant_types ??
        (scopes.includes('offline_access')
          ? ['authorization_code', 'refresh_token']
          : ['authorization_code']);
      const { client, secret } = await createClient(tx, clock, {
        name: request.client_name ?? 'Application',
        isPublic: method === 'none',
        isFirstParty: false,
        redirectUris: request.redirect_uris ?? [],
        scopes,
        grantTypes,
        metadata,
        ...named,
      });
      return {
        ...client.metadata,
        client_id: client.clientId,
        client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
        ...(secret !== undefined && { client_secret: secret, client_secret_expires_at: 0 }),
        client_name: client.name,
        redirect_uris: [...client.redirectUris],
        grant_types: [...client.grantTypes],
        response_types: client.redirectUris.length > 0 ? ['code' as const] : [],
        scope: client.scopes.join(' '),
        token_endpoint_auth_method: method,
      };
    };
    return await runAsService('registration', () => transaction(database, register));
  } catch (error) {
    throw toRegistrationError(error);
  }
}
