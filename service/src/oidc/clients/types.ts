/** OAuth clients. */
import type { ClientMetadata } from './metadata.ts';

export const GRANT_TYPES = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
  'urn:ietf:params:oauth:grant-type:token-exchange',
] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

export const DEVICE_CODE: GrantType = 'urn:ietf:params:oauth:grant-type:device_code';
export const TOKEN_EXCHANGE: GrantType = 'urn:ietf:params:oauth:grant-type:token-exchange';

export interface ClientFields {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly scopes: readonly string[];
  readonly grantTypes: readonly GrantType[];
  /** Operated by the service's operator: no consent is needed. */
  readonly isFirstParty: boolean;
  /** Default: true. False: a request with `nonce` may leave PKCE out; confidential clients only. */
  readonly requiresPkce?: boolean;
  /** Default: none. */
  readonly metadata?: ClientMetadata;
}

/** How a client authenticates at the token endpoint; `none`: a public client. */
export function authMethodOf({
  secretHash,
  metadata,
}: Pick<Client, 'secretHash' | 'metadata'>): 'none' | 'client_secret_basic' | 'private_key_jwt' {
  if (metadata?.token_endpoint_auth_method === 'private_key_jwt') return 'private_key_jwt';
  return secretHash === undefined ? 'none' : 'client_secret_basic';
}

export interface Client extends ClientFields {
  readonly clientId: string;
  /**
   * The sector of its pairwise subjects (OpenID Connect Core 8.1): fixed at registration, because
   * users would be strangers to the application with another one.
   */
  readonly sector: string;
  /** SHA-256 of the secret; absent: a public client, or one that signs its requests. */
  readonly secretHash?: string;
  /** Names its logo, which `logos/` stores. */
  readonly logoHash?: string;
  readonly isEnabled: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}
