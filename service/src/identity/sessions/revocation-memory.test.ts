import { expect, test } from 'vitest';
import { createRevocationMemory } from './revocation-memory.ts';
import type { RevocationRow } from './revoke.ts';

const HOUR_MS = 3_600_000;
const AT_MS = Date.parse('2026-05-01T10:20:00Z');
const revocation = (fields: Partial<RevocationRow>): RevocationRow => ({
  ...{ kind: 'grant', value: 'g', reason: 'password_changed', spared_sid: null },
  ...{ effective_ms: AT_MS, until_ms: AT_MS + HOUR_MS },
  ...fields,
});
const token = { jti: 'j', grantId: 'g', userId: 1, issuedAt: new Date(AT_MS - 1) };

test('a grant that ends beside a session spares the tokens of that session', () => {
  const memory = createRevocationMemory();
  expect(memory.add(revocation({ spared_sid: 'own' }))).toBe(true);
  expect(memory.add(revocation({ spared_sid: 'own' }))).toBe(false);
  expect(memory.reasonFor({ ...token, sid: 'own' })).toBeUndefined();
  expect(memory.reasonFor({ ...token, sid: 'other' })).toBe('password_changed');
  expect(memory.reasonFor(token)).toBe('password_changed');
});

test.each([
  ['that spares nothing', null],
  ['that spares another session', 'other'],
])('a further revocation %s ends what the first spared', (_which, spared_sid) => {
  for (const isFirst of [true, false]) {
    const memory = createRevocationMemory();
    const both = [revocation({ spared_sid: 'own' }), revocation({ spared_sid, reason: 'removed' })];
    for (const one of isFirst ? both : both.toReversed()) memory.add(one);
    expect(memory.reasonFor({ ...token, sid: 'own' })).toBeDefined();
    expect(memory.reasonFor({ ...token, sid: 'other' })).toBeDefined();
    expect(memory.add(revocation({ spared_sid: 'own' }))).toBe(false);
  }
});

test('one that holds longer is new, and each is forgotten once its tokens have expired', () => {
  const memory = createRevocationMemory();
  memory.add(revocation({}));
  const { version } = memory;
  const before = version();
  expect(memory.add(revocation({ until_ms: AT_MS + 5 * HOUR_MS }))).toBe(true);
  expect(memory.add(revocation({ until_ms: AT_MS + 2 * HOUR_MS }))).toBe(false);
  expect(version()).toBe(before + 1);
  memory.prune(AT_MS + 5 * HOUR_MS);
  expect(memory.reasonFor(token)).toBe('password_changed');
  memory.prune(AT_MS + 6 * HOUR_MS);
  expect(memory.reasonFor(token)).toBeUndefined();
});

test('a kind with a time ends tokens issued up to then only', () => {
  const memory = createRevocationMemory();
  memory.add(revocation({ kind: 'user', value: '1', spared_sid: 'own' }));
  expect(memory.reasonFor({ ...token, grantId: 'h' })).toBe('password_changed');
  expect(memory.reasonFor({ ...token, grantId: 'h', sid: 'own' })).toBeUndefined();
  const issuedAt = new Date(AT_MS + 1);
  expect(memory.reasonFor({ ...token, grantId: 'h', issuedAt })).toBeUndefined();
});

test.each([
  ['later', 1],
  ['at the same time', 0],
  ['earlier', -1],
])('two with a time, the second %s: each holds for as long as it says', (_which, after_ms) => {
  const first = revocation({ kind: 'user', value: '1' });
  const effective_ms = AT_MS + after_ms;
  const memoryOf = (until_ms: number) => {
    const memory = createRevocationMemory();
    memory.add({ ...first, until_ms: AT_MS + 3 * HOUR_MS });
    const isNew = memory.add({ ...first, effective_ms, reason: 'removed', until_ms });
    return { memory, isNew };
  };
  const issuedAt = new Date(AT_MS + Math.max(after_ms, 0));
  const reason = after_ms > 0 ? 'removed' : 'password_changed';
  const longer = memoryOf(AT_MS + 5 * HOUR_MS);
  expect(longer.isNew).toBe(true);
  longer.memory.prune(AT_MS + 5 * HOUR_MS - 1);
  expect(longer.memory.reasonFor({ ...token, issuedAt })).toBe(reason);
  longer.memory.prune(AT_MS + 5 * HOUR_MS);
  expect(longer.memory.reasonFor({ ...token, issuedAt })).toBeUndefined();
  const shorter = memoryOf(AT_MS + HOUR_MS);
  expect(shorter.isNew).toBe(after_ms > 0);
  shorter.memory.prune(AT_MS + 3 * HOUR_MS - 1);
  expect(shorter.memory.reasonFor({ ...token, issuedAt })).toBe(reason);
});

test('what is kept is counted by kind', () => {
  const memory = createRevocationMemory();
  expect(memory.counts()).toEqual({ jti: 0, sid: 0, grant: 0, timed: 0 });
  for (const value of ['a', 'b']) memory.add(revocation({ kind: 'sid', value }));
  memory.add(revocation({ kind: 'user', value: '1' }));
  expect(memory.counts()).toEqual({ jti: 0, sid: 2, grant: 0, timed: 1 });
  memory.prune(AT_MS + 1000 * HOUR_MS);
  expect(memory.counts()).toEqual({ jti: 0, sid: 0, grant: 0, timed: 0 });
});
