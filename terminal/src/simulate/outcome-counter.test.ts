import { EdgeError } from '@edge-account/sdk';
import { expect, test } from 'vitest';
import { accepted, createOutcomeCounter } from './outcome-counter.ts';

const refuse = (status: number, code: string, detail: string) => async (): Promise<never> => {
  throw new EdgeError({ status, code, detail });
};

test('reports what was accepted, refused with its reason, and unexpected', async () => {
  const outcomes = createOutcomeCounter();
  expect(await outcomes.expectOk('device', async () => 7)).toBe(7);
  await outcomes.expectOk('device', async () => 8);
  await outcomes.expectRefusal(
    'thief',
    refuse(401, 'invalid_token', 'The proof is of another key.'),
  );
  expect(outcomes.surprises()).toBe(0);
  await outcomes.expectOk('device', refuse(503, 'unavailable', 'The service cannot answer now.'));
  await outcomes.expectRefusal('thief', async () => undefined);
  await outcomes.expectOk('waif', refuse(0, 'unreachable', 'The service cannot be reached.'));
  await outcomes.expectRefusal('vandal', refuse(500, 'internal_error', 'The service failed.'));
  expect(await outcomes.guard('relay', async () => 9)).toBe(9);
  await outcomes.guard('relay', refuse(0, 'unreachable', 'The service cannot be reached.'));
  for (let i = 0; i < 200; i++) outcomes.count('owner', accepted('to the byte'), true);
  expect(outcomes.surprises()).toBe(5);
  expect(outcomes.lines()).toEqual([
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
