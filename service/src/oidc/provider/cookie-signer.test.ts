import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createCookieSigner } from './cookie-signer.ts';

const secret = randomBytes(32);
const signer = createCookieSigner(secret);
const COOKIE = '_interaction_resume=3vqJ';

test('a cookie is signed as Keygrip signs it', () => {
  const keygrip = createHmac('sha1', secret).update(COOKIE).digest('base64');
  const signature = keygrip.replaceAll('/', '_').replaceAll('+', '-').replaceAll('=', '');
  expect(signer.sign(COOKIE)).toBe(signature);
  expect(signer.index(COOKIE, signature)).toBe(0);
});

test('another value, another signature and another key are refused', () => {
  const signature = signer.sign(COOKIE);
  expect(signer.verify(`${COOKIE}x`, signature)).toBe(false);
  expect(signer.verify(COOKIE, signature.slice(1))).toBe(false);
  expect(signer.verify(COOKIE, '')).toBe(false);
  expect(createCookieSigner(randomBytes(32)).index(COOKIE, signature)).toBe(-1);
});
