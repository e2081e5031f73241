import { expect, test } from 'vitest';
import { createManualClock } from '../../lib/clock.ts';
import { createLocalJtiStore } from './dpop-replay-store.ts';

const LIFE_MS = 70_000;
const UNUSED = new Date(0);

test('a proof is recorded once, as long as it is accepted', async () => {
  const clock = createManualClock(new Date('2026-01-01T00:00:00Z'));
  const record = createLocalJtiStore(clock, LIFE_MS);
  expect(await record('one', UNUSED)).toBe(true);
  expect(await record('one', UNUSED)).toBe(false);
  expect(await record('two', UNUSED)).toBe(true);
  clock.advance(LIFE_MS - 1);
  expect(await record('one', UNUSED)).toBe(false);
});

test('a proof of the last generation is known, one of the generation before is not', async () => {
  const clock = createManualClock(new Date('2026-01-01T00:00:00Z'));
  const record = createLocalJtiStore(clock, LIFE_MS);
  clock.advance(LIFE_MS - 1);
  expect(await record('late', UNUSED)).toBe(true);
  clock.advance(1);
  expect(await record('other', UNUSED)).toBe(true);
  expect(await record('late', UNUSED)).toBe(false);
  clock.advance(LIFE_MS);
  expect(await record('other', UNUSED)).toBe(false);
  expect(await record('late', UNUSED)).toBe(true);
});

test('a clock that was set back starts a generation, and forgets nothing of the last', async () => {
  const clock = createManualClock(new Date('2026-01-01T00:00:00Z'));
  const record = createLocalJtiStore(clock, LIFE_MS);
  expect(await record('one', UNUSED)).toBe(true);
  clock.advance(-1);
  expect(await record('one', UNUSED)).toBe(false);
  clock.advance(LIFE_MS);
  expect(await record('one', UNUSED)).toBe(true);
});
