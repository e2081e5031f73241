/** What a client may look like. */
import { readDisplayText } from '../../lib/display-text.ts';
import { failure, fieldError } from '../../lib/failures.ts';
import { OPERATOR_SCOPES, SCOPES } from '../tokens/scopes.ts';
import { type ClientFields, DEVICE_CODE } from './types.ts';

const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]']);
const KNOWN_SCOPES: ReadonlySet<string> = new Set([...Object.keys(SCOPES), ...OPERATOR_SCOPES]);

const DOTS = /^(\.|%2e){1,2}$/i;
const NAME = { min: 1, max: 100, bytes_max: 400 };

/** True for `http://127.0.0.1…`: a program on the person's own machine, on whatever port it got. */
export function isLoopbackRedirect(uri: string): boolean {
  const url = URL.parse(uri);
  return url !== null && url.protocol === 'http:' && LOOPBACK.has(url.hostname);
}

function withoutPort(uri: string): string {
  const url = new URL(uri);
  url.port = '';
  return url.href;
}

/** True where a client may be sent a code: as the redirect URI is registered, but on loopback at whatever port. */
export function mayGetCodesAt({ redirectUris, grantTypes }: ClientFields, uri: string): boolean {
  const isLoopback = isLoopbackRedirect(uri);
  const isRegistered = redirectUris.some(
    (known) =>
      known === uri ||
      (isLoopback && isLoopbackRedirect(known) && withoutPort(known) === withoutPort(uri)),
  );
  return isRegistered && grantTypes.includes('authorization_code');
}

/** True for clients that cannot prove who they are: consent is asked every time. */
export function isNative(client: ClientFields): boolean {
  return client.redirectUris.some((uri) => isLoopbackRedirect(uri) || !/^https?:/.test(uri));
}

/** True for an address of the service itself, its console's: nobody else answers there, also where that is loopback. */
export function isOwnAddress(uri: unknown, baseUrl: string): boolean {
  return String(uri).startsWith(`${baseUrl}/`);
}

function checkRedirectUri(uri: string): void {
  const refuse = (message: string) =>
    fieldError('redirect_uris', 'redirect_uri', `${message}: ${uri}`);
  const url = URL.parse(uri);
  if (!url) throw refuse('must be absolute URIs');
  if (uri.includes('#') || uri.includes('*')) throw refuse('must not hold a fragment or wildcard');
  if (url.username !== '' || url.password !== '') throw refuse('must not hold credentials');
  // Browsers read a backslash as a slash, and take dot segments away: the URI would lead elsewhere than it says.
  if (/[\\\s]/.test(uri) || uri.split(/[/?]/).some((segment) => DOTS.test(segment)))
    throw refuse('must not hold backslashes, spaces or dot segments');
  if (url.protocol === 'https:') return;
  if (url.protocol === 'http:') {
    if (!LOOPBACK.has(url.hostname)) throw refuse('may use http on loopback only');
    return;
  }
  // RFC 8252: a scheme of one's own is a reversed domain name, so it holds a dot.
  if (!/^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:$/.test(url.protocol))
    throw refuse('must be https, http on loopback, or a reverse-domain scheme');
}

/** The name that people read at consent, checked and normalized. @throws `invalid_parameter` */
export function readClientName(name: string): string {
  return readDisplayText(name, 'client_name', NAME);
}

/** @throws `invalid_parameter` naming the field */
export function checkClient(client: ClientFields, isPublic: boolean): void {
  for (const uri of client.redirectUris) checkRedirectUri(uri);
  const unknown = client.scopes.find((scope) => !KNOWN_SCOPES.has(scope));
  if (unknown !== undefined)
    throw fieldError('scopes', 'unknown_scope', `holds an unknown scope: ${unknown}`);
  const isOperator = client.scopes.some((scope) => scope.startsWith('operator:'));
  const has = (grant: ClientFields['grantTypes'][number]): boolean =>
    client.grantTypes.includes(grant);
  if (has('authorization_code') !== client.redirectUris.length > 0)
    throw fieldError(
      'redirect_uris',
      'redirect_uris',
      'must be given with the grant authorization_code, and only then',
    );
  if (has('refresh_token') && !has('authorization_code') && !has(DEVICE_CODE))
    throw fieldError(
      'grant_types',
      'grant_types',
      'refresh_token needs authorization_code or the device flow',
    );
  if (has('client_credentials') && isPublic)
    throw fieldError(
      'grant_types',
      'grant_types',
      'client_credentials needs a confidential client',
    );
  if (isOperator && !has('client_credentials') && !client.isFirstParty)
    throw fieldError(
      'scopes',
      'scopes',
      "operators' scopes are for client_credentials clients and first-party ones",
    );
  if (client.scopes.includes('identity:manage') && !client.isFirstParty)
    throw fieldError(
      'scopes',
      'first_party_only',
      'identity:manage is for first-party clients only',
    );
  if (client.grantTypes.length === 0)
    throw failure('invalid_parameter', { detail: 'grant_types must not be empty' });
}
