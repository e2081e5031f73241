import { createHash } from 'node:crypto';
import { calculateJwkThumbprint, EmbeddedJWK, jwtVerify } from 'jose';
import { expect, test } from 'vitest';
import { createDpopKey, dpopKeyOf, importDpopKey } from './dpop.ts';

test('a proof contains the request, the token and the key, and is unique', async () => {
  const key = await createDpopKey();
  const input = {
    method: 'GET',
    url: 'https://edge.example/me/devices?status=online#x',
    token: 'abc',
  };
  const [first, second] = await Promise.all([key.sign(input), key.sign(input)]);
  const { payload, protectedHeader } = await jwtVerify(first, EmbeddedJWK, { typ: 'dpop+jwt' });
  expect(payload).toMatchObject({
    htm: 'GET',
    htu: 'https://edge.example/me/devices',
    ath: createHash('sha256').update('abc').digest('base64url'),
  });
  expect(protectedHeader.jwk).not.toHaveProperty('d');
  expect(await calculateJwkThumbprint(protectedHeader.jwk ?? {})).toBe(key.thumbprint);
  expect((await jwtVerify(second, EmbeddedJWK)).payload.jti).not.toBe(payload.jti);
});

test('a stored key gives the same device identifier', async () => {
  const key = await createDpopKey();
  expect((await importDpopKey(JSON.parse(JSON.stringify(key.jwk)))).thumbprint).toBe(
    key.thumbprint,
  );
});

test('a key that cannot be extracted signs as well', async () => {
  const pair = await crypto.subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ]);
  const key = await dpopKeyOf(pair);
  expect(
    (await jwtVerify(await key.sign({ method: 'POST', url: 'https://edge.example/' }), EmbeddedJWK))
      .payload.htm,
  ).toBe('POST');
});
