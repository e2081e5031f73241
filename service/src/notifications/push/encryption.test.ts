/** The parts that push services and browsers depend on, against the vector of the standard. */
import { encryptNotification } from '@block65/webcrypto-web-push';
import { decodeJwt } from 'jose';
import { expect, test } from 'vitest';
import { createBrowserKeys, decryptPush } from '../../../test/support/push-service.ts';
import { testConfig, testMasterKey } from '../../../test/support/test-config.ts';
import { createMasterKey } from '../../master-key.ts';
import { createVapidKey } from './vapid-key.ts';

const NOW = new Date('2026-11-10T12:00:00Z');
const ENDPOINT = 'https://push.example.test/send/secret?a=1';

/** RFC 8291, appendix A. */
const VECTOR = {
  keys: {
    privateKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
    publicKey:
      'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
    auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  },
  body:
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS' +
    '6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qu' +
    'lcy4a-fN',
  text: 'When I grow up, I want to be a watermelon',
};

// The library draws its own salt and key, so it cannot make the vector: the browser of these tests
// reads the vector, and then what the library makes.
test('the browser of the tests reads the vector of RFC 8291', () => {
  const body = Buffer.from(VECTOR.body, 'base64url');
  expect(decryptPush(VECTOR.keys, body).toString()).toBe(VECTOR.text);
  const changed = Buffer.from(body).fill(body[90] === 0 ? 1 : 0, 90, 91);
  expect(() => decryptPush(VECTOR.keys, changed)).toThrow();
  expect(() => decryptPush(createBrowserKeys(), body)).toThrow();
});

test.each([0, 1, 1024, 3993])(
  'a message of %i bytes is read by its browser alone',
  async (size) => {
    const browser = createBrowserKeys();
    const text = Buffer.alloc(size, 'x');
    const keys = { p256dh: browser.publicKey, auth: browser.auth };
    const target = { endpoint: ENDPOINT, expirationTime: null, keys };
    const body = Buffer.from(await encryptNotification(target, text, { pad: false }));
    expect(body.length).toBeLessThanOrEqual(4096);
    expect(decryptPush(browser, body)).toEqual(text);
    expect(() => decryptPush({ ...createBrowserKeys(), auth: browser.auth }, body)).toThrow();
    expect(() => decryptPush({ ...browser, auth: createBrowserKeys().auth }, body)).toThrow();
  },
);

test('the key is the same for one master key, and another for another', () => {
  const config = testConfig();
  const key = createVapidKey(testMasterKey, config).publicKey;
  expect(createVapidKey(testMasterKey, config).publicKey).toBe(key);
  const other = createMasterKey(Buffer.alloc(32, 8));
  expect(createVapidKey(other, config).publicKey).not.toBe(key);
  const point = Buffer.from(key, 'base64url');
  expect([point.length, point[0]]).toEqual([65, 4]);
});

test.each([
  ['https://account.example.test', 'https://account.example.test'],
  ['http://localhost:8080', 'mailto:no-reply@localhost'],
])('a push service on the signature of %s reads %s as its contact', async (BASE_URL, contact) => {
  const vapid = createVapidKey(testMasterKey, { ...testConfig(), BASE_URL });
  const header = await vapid.authorize(ENDPOINT, NOW);
  expect(header).toContain(`, k=${vapid.publicKey}`);
  expect(decodeJwt(/t=([^,]+)/.exec(header)?.[1] ?? '')).toEqual({
    aud: 'https://push.example.test',
    exp: NOW.getTime() / 1000 + 43_200,
    sub: contact,
  });
});
