import type { Challenge } from 'altcha-lib';
import { expect, test } from 'vitest';
import { solve } from '../../../test/support/solve-challenge.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import { createManualClock } from '../../lib/clock.ts';
import { createMasterKey } from '../../master-key.ts';
import { createProofOfWork } from './proof-of-work.ts';

const binding = { purpose: 'register', network: '203.0.113.0/24' };

function start(time = '2026-03-01T12:00:00.000Z') {
  const clock = createManualClock(time);
  return { clock, proofs: createProofOfWork(testMasterKey, clock, 1) };
}

const change = (solution: string, edit: (challenge: Challenge) => void): string => {
  const payload = JSON.parse(Buffer.from(solution, 'base64').toString());
  edit(payload.challenge);
  return Buffer.from(JSON.stringify(payload)).toString('base64');
};

test('a solution by the library of ALTCHA is accepted, with the work that it took', async () => {
  const { proofs } = start();
  const challenge = await proofs.create(binding, 40);
  expect(challenge.parameters).toMatchObject({ algorithm: 'PBKDF2/SHA-256', cost: 1 });
  const solved = await proofs.verify(binding, await solve(challenge));
  expect(solved).toEqual({
    id: challenge.parameters.nonce,
    work: 40,
    expiresAt: new Date('2026-03-01T12:05:00.000Z'),
  });
});

test('a solution is bound to purpose and network, and expires', async () => {
  const { clock, proofs } = start();
  const solution = await solve(await proofs.create(binding, 10));
  expect(await proofs.verify({ ...binding, purpose: 'reset' }, solution)).toBeUndefined();
  expect(await proofs.verify({ ...binding, network: '192.0.2.0/24' }, solution)).toBeUndefined();
  clock.advance(300_000);
  expect(await proofs.verify(binding, solution)).toBeDefined();
  clock.advance(1000);
  expect(await proofs.verify(binding, solution)).toBeUndefined();
});

test('what was not made here, or was changed, is refused', async () => {
  const { proofs } = start();
  const solution = await solve(await proofs.create(binding, 10));
  const stranger = createProofOfWork(createMasterKey(Buffer.alloc(32, 9)), start().clock, 1);
  expect(await stranger.verify(binding, solution)).toBeUndefined();
  const later = change(solution, ({ parameters }) => {
    parameters.data = { ...parameters.data, expires: Number(parameters.data?.expires) + 1 };
  });
  const harder = change(solution, ({ parameters }) => {
    parameters.data = { ...parameters.data, work: 1000 };
  });
  const other = await proofs.create(binding, 10);
  const unsolved = change(solution, (challenge) => Object.assign(challenge, other));
  const broken = ['', 'x'.repeat(9000), 'bm8=', 'e30=', 'AAAA'];
  for (const text of [later, harder, unsolved, ...broken])
    expect(await proofs.verify(binding, text)).toBeUndefined();
});

test('the key changes daily, and what it signed before midnight counts after it', async () => {
  const { clock, proofs } = start('2026-03-01T23:58:00.000Z');
  const signatureOf = async () => (await proofs.create(binding, 1)).signature ?? '';
  const solution = await solve(await proofs.create(binding, 10));
  const before = await signatureOf();
  clock.advance(240_000);
  expect(await proofs.verify(binding, solution)).toBeDefined();
  expect(await signatureOf()).not.toBe(before);
  const copied = createProofOfWork(
    { derive: (purpose) => testMasterKey.derive(purpose.replace(/\d+$/, '0')) },
    clock,
    1,
  );
  expect(await copied.verify(binding, solution)).toBeUndefined();
});
