import { EdgeError } from '@edge-account/sdk';
import { expect, test } from 'vitest';
import { accepted, createTally } from './outcome-counter.ts';

const refuse = (status: number, code: string, detail: string) => async (): Promise<never> => {
  throw new EdgeError({ status, code, detail });
};

test('reports what was accepted, refused with its reason, and unexpected', async () => {
  const tally = createTally();
  expect(await tally.expectOk('device', async () => 7)).toBe(7);
  await tally.expectOk('device', async () => 8);
  await tally.expectRefusal('thief', refuse(401, 'invalid_token', 'The proof is of another key.'));
  expect(tally.surprises()).toBe(0);
  await tally.expectOk('device', refuse(503, 'unavailable', 'The service cannot answer now.'));
  await tally.expectRefusal('thief', async () => undefined);
  await tally.expectOk('waif', refuse(0, 'unreachable', 'The service cannot be reached.'));
  await tally.expectRefusal('vandal', refuse(500, 'internal_error', 'The service failed.'));
  expect(await tally.guard('relay', async () => 9)).toBe(9);
  await tally.guard('relay', refuse(0, 'unreachable', 'The service cannot be reached.'));
  for (let i = 0; i < 200; i++) tally.count('owner', accepted('to the byte'), true);
  expect(tally.surprises()).toBe(5);
  expect(tally.lines()).toEqual([
    '  action   times  outcome',
    '  device       2  accepted',
    '! device       1  refused 503 unavailable: The service cannot answer now.',
    '  owner      200  accepted: to the byte',
    '! relay        1  failed unreachable: The service cannot be reached.',
    '  thief        1  refused 401 invalid_token: The proof is of another key.',
    '! thief        1  accepted',
    '! vandal       1  refused 500 internal_error: The service failed.',
    '! waif         1  failed unreachable: The service cannot be reached.',
    '',
    '  accepted 203, refused 3, failed 2',
  ]);
});
