import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { BARE_HEX_KEY, PRIVATE_KEYS } from '../../test/support/private-keys.ts';
import { findPrivateKey } from './detect-private-key.ts';

const encodeAll = (text: string): string =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

describe.each(Object.entries(PRIVATE_KEYS))('%s', (name, secret) => {
  test('is found alone, and inside other text', () => {
    if (/^[xyzYZtuvLMd][prtg]/.test(name)) expect(secret.startsWith(name)).toBe(true);
    const texts = [
      secret,
      ` ${secret}\n`,
      `{"key":"${secret}"}`,
      `https://node.example/v3?key=${encodeURIComponent(secret)}&x=1`,
      `wpkh(${secret})`,
    ];
    for (const text of texts) expect(findPrivateKey(text), text).toMatch(/^(an? |seed words)/);
  });
});

const WORDS = 'legal winner thank year wave sausage worth useful legal winner thank yellow'.split(
  ' ',
);
const PEM = generateKeyPairSync('ec', { namedCurve: 'secp256k1' }).privateKey;
const SPELLINGS: [name: string, text: string][] = [
  ['a capital X', `0X${BARE_HEX_KEY}`],
  ['glued to a name', `key0x${BARE_HEX_KEY}`],
  ['numbered words', WORDS.map((word, at) => `${at + 1}. ${word}`).join(' ')],
  ['words after others', `my words: seed ${WORDS.join(' ')}`],
  ['words in a path', `https://node.example/${WORDS.join('%20')}/x`],
  ['a list of words', JSON.stringify(WORDS)],
  ...['-', '_', '.', ';', '+', '/'].map(
    (joint) => [`words joined by ${joint}`, WORDS.join(joint)] satisfies [string, string],
  ),
  ['a broken percent sign beside it', `${encodeAll(PRIVATE_KEYS.xprv ?? '')}%`],
  ['encoded twice', encodeURIComponent(encodeURIComponent(`x ${WORDS.join(' ')}`))],
  ['PEM', String(PEM.export({ type: 'sec1', format: 'pem' }))],
  ['PEM on one line', String(PEM.export({ type: 'pkcs8', format: 'pem' })).replaceAll('\n', '\\n')],
];
test.each(SPELLINGS)('%s does not hide a key', (_name, text) => {
  expect(findPrivateKey(text)).toMatch(/^(an? |seed words)/);
});

test('a key of another curve is accepted, because TLS uses it', () => {
  expect(
    findPrivateKey(
      String(
        generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
          type: 'sec1',
          format: 'pem',
        }),
      ),
    ),
  ).toBeUndefined();
});

test('bare hexadecimal digits count only where a key is expected', () => {
  expect(findPrivateKey(BARE_HEX_KEY)).toBeUndefined();
  expect(findPrivateKey(BARE_HEX_KEY, 'key')).toBe('a raw private key');
  expect(findPrivateKey(`0x${BARE_HEX_KEY} ${BARE_HEX_KEY}`, 'hash')).toBeUndefined();
});

test.each([
  '',
  'zpub6rFR7y4Q2AijBEqTUquhVz398htDFrtymD9xYYfG1m4wAcvPhXNfE3EfH1r1ADqtfSdVCToUG868RvUUkgDKf31mGDtKsAYz2oz2AGutZYs',
  '0xdAC17F958D2ee523a2206206994597C13D831ec7',
  'bc1qcr8te4kr609gcawutmrza0j4xv80jy8z306fyu',
  'https://user:password@node.example:8545/v3/0123456789abcdef0123456789abcdef',
  'postgres://edge:x%zz@db.example/edge',
  'KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWm',
  'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXPJBSW',
  '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'this is a long sentence about nothing, that a person may well write into a variable, is it not',
])('%j is no secret', (text) => {
  expect(findPrivateKey(text)).toBeUndefined();
});
