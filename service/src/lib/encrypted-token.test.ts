import { expect, test } from 'vitest';
import { createTextSealer } from './encrypted-token.ts';

const sealer = createTextSealer<{ text: string }>(Buffer.alloc(32, 1));
const value = { text: 'ü'.repeat(20) };

test('opens what was sealed, and never seals the same way twice', () => {
  const sealed = sealer.seal(value);
  expect(sealed).toMatch(/^[\w-]+$/);
  expect(sealer.open(sealed)).toEqual(value);
  expect(sealer.seal(value)).not.toBe(sealed);
  expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('text');
});

test('opens nothing that was changed anywhere, cut off, or sealed with another secret', () => {
  const bytes = Buffer.from(sealer.seal(value), 'base64url');
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes);
    changed.writeUInt8(bytes.readUInt8(i) ^ 1, i);
    expect(sealer.open(changed.toString('base64url'))).toBeUndefined();
    expect(sealer.open(bytes.subarray(0, i).toString('base64url'))).toBeUndefined();
  }
  expect(createTextSealer(Buffer.alloc(32, 2)).open(sealer.seal(value))).toBeUndefined();
  for (const text of ['', 'x', 'nothing like it', '%%%']) expect(sealer.open(text)).toBeUndefined();
});
