import { expect, test } from 'vitest';
import type { Application } from './queries.ts';
import { readMore } from './read-more.ts';
import { writeRoleLines } from './role-lines.ts';

const NONE = {
  require_pushed_authorization_requests: false,
  require_signed_request_object: false,
} as const;

const from = (texts: Readonly<Record<string, string>>) => (name: string) => texts[name] ?? '';

const APPLICATION = {
  client_id: 'weather',
  logo_uri: 'https://weather.example/logo.png',
  jwks: { keys: [{ kty: 'RSA', n: 'x' }] },
  roles: [{ group: 'staff', role: 'editor' }],
  access_token_lifetime: 600,
  require_signed_request_object: true,
} as unknown as Application;

const KEPT = {
  logo_uri: 'https://weather.example/logo.png',
  jwks: JSON.stringify(APPLICATION.jwks),
  roles: writeRoleLines(APPLICATION.roles ?? []),
  access_token_lifetime: '600',
  id_token_signed_response_alg: 'RS256',
};

test('an empty form of a new application sends nothing', () => {
  expect(readMore(from({}), NONE, undefined)).toEqual({ settings: {} });
});

test('what stays is not sent', () => {
  const required = { ...NONE, require_signed_request_object: true };
  expect(readMore(from(KEPT), required, APPLICATION)).toEqual({ settings: {} });
});

test('what is emptied is reset', () => {
  expect(readMore(from({}), NONE, APPLICATION).settings).toEqual({
    logo_uri: '',
    jwks: { keys: [] },
    roles: [],
    access_token_lifetime: 0,
    require_signed_request_object: false,
  });
});

test('keys are a set, or its list', () => {
  const read = (jwks: string) => readMore(from({ jwks }), NONE, undefined);
  expect(read('[{"kty":"EC"}]').settings.jwks).toEqual({ keys: [{ kty: 'EC' }] });
  expect(read('{"keys":[]}').settings).toEqual({});
  for (const wrong of ['nonsense', '{}', '1', 'null'])
    expect(read(wrong)).toEqual({ settings: {}, wrong: 'jwks' });
});

test('a role is a group and a name', () => {
  const read = (roles: string) => readMore(from({ roles }), NONE, undefined);
  expect(read('\n staff  editor \n').settings.roles).toEqual([{ group: 'staff', role: 'editor' }]);
  expect(read('staff')).toEqual({ settings: {}, wrong: 'roles' });
});
