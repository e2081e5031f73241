/** Validation of clients. */
import { readDisplayText } from '../../lib/display-text.ts';
import { failure, fieldError } from '../../lib/failures.ts';
import { OPERATOR_SCOPES, SCOPES } from '../tokens/scopes.ts';
import { checkMetadata } from './check-metadata.ts';
import { type ClientFields, DEVICE_CODE, type GrantType } from './types.ts';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const KNOWN_SCOPES: ReadonlySet<string> = new Set([...Object.keys(SCOPES), ...OPERATOR_SCOPES]);

const DOTS = /^(\.|%2e){1,2}$/i;
const NAME = { min: 1, max: 100, bytes_max: 400 };

/** True for `http://127.0.0.1…`: a program on the user's machine, at any port (RFC 8252). */
export function isLoopbackRedirect(uri: string): boolean {
  const url = URL.parse(uri);
  return url !== null && url.protocol === 'http:' && LOOPBACK.has(url.hostname);
}

function withoutPort(uri: string): string {
  const url = new URL(uri);
  url.port = '';
  return url.href;
}

/** True where the client registered the redirect URI; on loopback the port may differ. */
export function canReceiveCodeAt({ redirectUris, grantTypes }: ClientFields, uri: string): boolean {
  const isLoopback = isLoopbackRedirect(uri);
  const isRegistered = redirectUris.some(
    (known) =>
      known === uri ||
      (isLoopback && isLoopbackRedirect(known) && withoutPort(known) === withoutPort(uri)),
  );
  return isRegistered && grantTypes.includes('authorization_code');
}

/** True for a redirect URI where any program can answer: each sign-in there asks for consent. */
export function isNativeRedirect(uri: string): boolean {
  return isLoopbackRedirect(uri) || !/^https?:/.test(uri);
}

const isPrivateScheme = (uri: string): boolean => !/^https?:/.test(uri);

function isSecureLoopback(uri: string): boolean {
  const url = URL.parse(uri);
  return url !== null && url.protocol === 'https:' && LOOPBACK.has(url.hostname);
}

/** Where a browser may be sent: with a code, or after a logout. */
const listUris = ({ redirectUris, metadata }: ClientFields): readonly string[] => [
  ...redirectUris,
  ...(metadata?.post_logout_redirect_uris ?? []),
];

/**
 * The type that the provider knows the client by. With `native` the port of a loopback URI is free
 * (RFC 8252 7.3), but https on loopback is refused.
 */
export function applicationTypeOf(client: ClientFields): 'native' | 'web' {
  const uris = listUris(client);
  return uris.some(isNativeRedirect) && !uris.some(isSecureLoopback) ? 'native' : 'web';
}

/**
 * True for an address of the service itself, where its console is: no other program can answer
 * there, even on loopback.
 */
export function isOwnAddress(uri: unknown, baseUrl: string): boolean {
  return String(uri).startsWith(`${baseUrl}/`);
}

function checkRedirectUri(field: string, uri: string): void {
  const refuse = (message: string) => fieldError(field, 'redirect_uri', `${message}: ${uri}`);
  const url = URL.parse(uri);
  if (!url) throw refuse('must be absolute URIs');
  // Anything else may be shown, compared or parsed otherwise than it reads.
  if (!/^[\x21-\x7e]+$/.test(uri)) throw refuse('must be ASCII; encode other signs');
  if (/^https?:/i.test(uri) && !/^https?:\/\/[^/]/.test(uri))
    throw refuse('must name a host after https:// or http://');
  if (uri.includes('#') || uri.includes('*'))
    throw refuse('must not contain a fragment or wildcard');
  if (url.username !== '' || url.password !== '') throw refuse('must not contain credentials');
  // Browsers read a backslash as a slash and remove dot segments: the URI would lead elsewhere than
  // it is written.
  if (/[\\\s]/.test(uri) || uri.split(/[/?]/).some((segment) => DOTS.test(segment)))
    throw refuse('must not contain backslashes, spaces or dot segments');
  if (url.protocol === 'https:') return;
  if (url.protocol === 'http:') {
    if (!LOOPBACK.has(url.hostname)) throw refuse('may use http on loopback only');
    return;
  }
  // RFC 8252: a private-use scheme is a reversed domain name, so it has a dot.
  if (!/^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol))
    throw refuse('must be https, http on loopback, or a reverse-domain scheme');
}

/**
 * The sector of a new client: the host of its redirect URIs (OpenID Connect Core 8.1). A client at
 * several hosts, or without a host that is its own, is a sector by itself.
 */
export function sectorOf(clientId: string, redirectUris: readonly string[]): string {
  const hosts = new Set(
    redirectUris.map((uri) => (uri.startsWith('https:') ? new URL(uri).host : '')),
  );
  const [host = ''] = hosts;
  return hosts.size === 1 && host !== '' ? host : `client ${clientId}`;
}

/** The name shown at consent, validated and normalized. @throws `invalid_parameter` */
export function readClientName(name: string): string {
  return readDisplayText(name, 'client_name', NAME);
}

/** Rules between fields: whether one is broken, the field, the code, the message. */
function listRules(
  client: ClientFields,
  isPublic: boolean,
): readonly (readonly [boolean, string, string, string])[] {
  const { scopes, redirectUris, isFirstParty, metadata } = client;
  const has = (grant: GrantType): boolean => client.grantTypes.includes(grant);
  const isOperator = scopes.some((scope) => scope.startsWith('operator:'));
  return [
    [
      has('authorization_code') !== redirectUris.length > 0,
      'redirect_uris',
      'redirect_uris',
      'required with the grant authorization_code, and only allowed with it',
    ],
    [
      listUris(client).some(isPrivateScheme) && listUris(client).some(isSecureLoopback),
      'redirect_uris',
      'redirect_uris',
      'https on loopback and a private-use scheme need two clients',
    ],
    [
      (metadata?.post_logout_redirect_uris ?? []).length > 0 && !has('authorization_code'),
      'post_logout_redirect_uris',
      'post_logout_redirect_uris',
      'only allowed with the grant authorization_code',
    ],
    [
      has('refresh_token') && !has('authorization_code') && !has(DEVICE_CODE),
      'grant_types',
      'grant_types',
      'refresh_token needs authorization_code or the device flow',
    ],
    [
      has('client_credentials') && isPublic,
      'grant_types',
      'grant_types',
      'client_credentials needs a confidential client',
    ],
    [
      client.requiresPkce === false && isPublic,
      'require_pkce',
      'require_pkce',
      'false needs a confidential client',
    ],
    [
      isOperator && !has('client_credentials') && !isFirstParty,
      'scopes',
      'scopes',
      'operator scopes need the grant client_credentials or a first-party client',
    ],
    [
      scopes.includes('identity:manage') && !isFirstParty,
      'scopes',
      'first_party_only',
      'identity:manage is for first-party clients only',
    ],
  ];
}

/**
 * @param resourceScopes those of its scopes that a resource server has
 * @throws `invalid_parameter` naming the field
 */
export function checkClient(
  client: ClientFields,
  isPublic: boolean,
  resourceScopes: ReadonlySet<string>,
): void {
  for (const uri of client.redirectUris) checkRedirectUri('redirect_uris', uri);
  for (const uri of client.metadata?.post_logout_redirect_uris ?? [])
    checkRedirectUri('post_logout_redirect_uris', uri);
  checkMetadata(client.metadata ?? {}, isPublic);
  const unknown = client.scopes.find(
    (scope) => !KNOWN_SCOPES.has(scope) && !resourceScopes.has(scope),
  );
  if (unknown !== undefined)
    throw fieldError('scopes', 'unknown_scope', `contains an unknown scope: ${unknown}`);
  for (const [isBroken, field, code, message] of listRules(client, isPublic))
    if (isBroken) throw fieldError(field, code, message);
  if (client.grantTypes.length === 0)
    throw failure('invalid_parameter', { detail: 'grant_types must not be empty' });
}
