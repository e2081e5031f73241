import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isImportableHash, verifyImportedHash } from './imported-hash.ts';

const MD5 = '5f4dcc3b5aa765d61d8327deb882cf99';
const base64 = (min: number, max: number) =>
  fc
    .array(fc.constantFrom(...'AB8/+'), { minLength: min, maxLength: max })
    .map((digits) => digits.join(''));
const around = (...values: number[]) =>
  fc.constantFrom(...values.flatMap((value) => [value - 1, value, value + 1]));

/** Forms at the bounds of what the functions take, cheap to verify. */
const stored = fc.oneof(
  fc
    .record({
      type: fc.constantFrom('argon2i', 'argon2d', 'argon2id'),
      memory: around(1, 8, 16, 128),
      lanes: fc.constantFrom(1, 2, 16),
      salt: base64(10, 87),
      hash: base64(15, 87),
    })
    .map((h) => `$${h.type}$v=19$m=${h.memory},t=1,p=${h.lanes}$${h.salt}$${h.hash}`),
  fc
    .record({ log2: around(1, 12, 16), r: fc.constantFrom(0, 1), salt: base64(3, 10) })
    .chain((h) =>
      base64(21, 30).map((hash) => `$scrypt$ln=${h.log2},r=${h.r},p=1$${h.salt}$${hash}`),
    ),
  fc
    .record({ rounds: around(0, 1), salt: base64(3, 10), hash: base64(21, 87) })
    .map((h) => `$pbkdf2-sha256$${Math.max(h.rounds, 0)}$${h.salt}$${h.hash}`),
  fc
    .array(fc.constantFrom(...'./Az9'), { minLength: 53, maxLength: 53 })
    .map((digits) => `$2b$04$${digits.join('')}`),
);

test('what is accepted can be verified', { timeout: 60_000 }, async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(stored, async (text) => {
      if (isImportableHash(text)) accepted++;
      expect(await verifyImportedHash(text, MD5)).toBe(false);
    }),
    { numRuns: 400, seed: 22 },
  );
  expect(accepted).toBeGreaterThan(40);
});

test.each([
  [
    'less memory than its lanes need',
    `$argon2id$v=19$m=8,t=1,p=16$AAAAAAAAAAAAAAAAAAAAAA$${'A'.repeat(43)}`,
  ],
  ['a salt with half a byte', `$argon2id$v=19$m=64,t=1,p=1$AAAAAAAAAAAAA$${'A'.repeat(43)}`],
  [
    'bits that belong to no byte',
    `$argon2id$v=19$m=64,t=1,p=1$//////////////////////$${'A'.repeat(22)}`,
  ],
  ['more rounds than its blocks allow', `$scrypt$ln=16,r=1,p=1$AAAA$${'A'.repeat(22)}`],
])('a hash with %s is refused, and verifies nothing', async (_, text) => {
  expect(isImportableHash(text)).toBe(false);
  expect(await verifyImportedHash(text, MD5)).toBe(false);
});
