/** The rarer settings of an application: what a form holds, and what of it has changed. */
import type { RequestBody } from '@edge-account/sdk';
import { wordsOf } from '../words-of.ts';
import type { Application } from './queries.ts';
import { readRoleLines } from './role-lines.ts';

type Settings = RequestBody<'/operator/clients/{client_id}', 'patch'>;

export const URIS = ['policy_uri', 'tos_uri', 'logo_uri', 'backchannel_logout_uri'] as const;
export const LIFETIMES = ['access_token_lifetime', 'refresh_token_lifetime'] as const;
export const REQUIREMENTS = [
  'require_pushed_authorization_requests',
  'require_signed_request_object',
] as const;
export const ALGORITHMS = ['RS256', 'ES256', 'EdDSA'] as const;

export type Requirements = Readonly<Record<(typeof REQUIREMENTS)[number], boolean>>;

/** What the service takes a setting for that an application lacks. */
const DEFAULTS = {
  post_logout_redirect_uris: [],
  jwks: { keys: [] },
  roles: [],
  id_token_signed_response_alg: 'RS256',
  access_token_lifetime: 0,
  refresh_token_lifetime: 0,
  require_pushed_authorization_requests: false,
  require_signed_request_object: false,
} as const;

/** A set of keys (RFC 7517), or the list alone. @returns undefined: it is neither */
function readKeys(text: string): Settings['jwks'] | undefined {
  if (text === '') return DEFAULTS.jwks as unknown as Settings['jwks'];
  try {
    const value: unknown = JSON.parse(text);
    const keys = Array.isArray(value) ? value : (value as { keys?: unknown } | null)?.keys;
    return Array.isArray(keys) ? { keys } : undefined;
  } catch {
    return undefined;
  }
}

export type WrongField = 'jwks' | 'roles';

interface Read {
  readonly settings: Settings;
  readonly wrong?: WrongField;
}

/**
 * Only what has changed: the logo is fetched again whenever its address is sent.
 * @param textOf the text of a field of the form
 */
export function readMore(
  textOf: (name: string) => string,
  requirements: Requirements,
  application: Application | undefined,
): Read {
  const jwks = readKeys(textOf('jwks'));
  const roles = readRoleLines(textOf('roles'));
  if (!jwks || !roles) return { settings: {}, wrong: jwks ? 'roles' : 'jwks' };
  const all: Settings = {
    post_logout_redirect_uris: wordsOf(textOf('post_logout_redirect_uris')),
    ...Object.fromEntries([...URIS, 'jwks_uri'].map((name) => [name, textOf(name)])),
    ...Object.fromEntries(LIFETIMES.map((name) => [name, Number(textOf(name))])),
    jwks,
    roles,
    id_token_signed_response_alg:
      ALGORITHMS.find((name) => name === textOf('id_token_signed_response_alg')) ?? 'RS256',
    ...requirements,
  };
  const before: Settings = { ...DEFAULTS, ...application } as Settings;
  const isChanged = ([name, value]: [string, unknown]): boolean =>
    JSON.stringify(value) !== JSON.stringify(before[name as keyof Settings] ?? '');
  return { settings: Object.fromEntries(Object.entries(all).filter(isChanged)) };
}
