import { expect, test } from 'vitest';
import { createTokenCipher } from './encrypted-token.ts';

const cipher = createTokenCipher<{ text: string }>(Buffer.alloc(32, 1));
const value = { text: 'ü'.repeat(20) };

test('decrypts what was encrypted, and never encrypts the same way twice', () => {
  const token = cipher.encrypt(value);
  expect(token).toMatch(/^[\w-]+$/);
  expect(cipher.decrypt(token)).toEqual(value);
  expect(cipher.encrypt(value)).not.toBe(token);
  expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('text');
});

test('rejects a token that was changed anywhere, cut off, or encrypted with another secret', () => {
  const bytes = Buffer.from(cipher.encrypt(value), 'base64url');
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(bytes.readUInt8(i) ^ 1, i);
    expect(cipher.decrypt(changed.toString('base64url'))).toBeUndefined();
    expect(cipher.decrypt(bytes.subarray(0, i).toString('base64url'))).toBeUndefined();
  }
  expect(createTokenCipher(Buffer.alloc(32, 2)).decrypt(cipher.encrypt(value))).toBeUndefined();
  for (const text of ['', 'x', 'nothing like it', '%%%'])
    expect(cipher.decrypt(text)).toBeUndefined();
});
