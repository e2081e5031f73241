/** The browser's check of proofs, on proofs that the service really made. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createManualClock } from '../../service/src/lib/clock.ts';
import { createProofKey, registerRewards, settleDue } from '../../service/src/rewards/index.ts';
import { openTestDatabase } from '../../service/test/support/databases.ts';
import { createNetwork } from '../../service/test/support/settled-network.ts';
import { testMasterKey } from '../../service/test/support/test-config.ts';
import { asPerson, createTestServer } from '../../service/test/support/test-server.ts';
import { PROOF_CHECKS, verifyProof } from '../src/wallets/verify-proof.ts';

const START = new Date('2026-05-01T00:00:00Z');
const HOUR_MS = 3_600_000;
const keys = [createProofKey(testMasterKey).published];
const proofs: string[] = [];
let close: () => Promise<void>;

beforeAll(async () => {
  const database = await openTestDatabase('embedded');
  const clock = createManualClock(START);
  const network = await createNetwork(database, clock, START);
  const app = createTestServer();
  registerRewards(app, { db: database, rewardCurrency: 'EDGE', proofKey: createProofKey(testMasterKey) });
  await network.use(START);
  clock.advance(2 * HOUR_MS);
  await settleDue({ database, clock, rewardCurrency: 'EDGE', grace_s: 600 });
  for (const userId of network.users) {
    const headers = asPerson(userId, 'account:read', 'dashboard:read');
    const { records } = (await app.inject({ url: '/me/rewards?current=1&size=20', headers })).json() as { records: { bill_id?: number }[] };
    for (const { bill_id } of records) if (bill_id !== undefined) proofs.push((await app.inject({ url: `/me/rewards/${bill_id}/proof`, headers })).body);
  }
  close = async () => {
    await app.close();
    await database.close();
  };
});
afterAll(() => close?.());

test('every proof of the service holds', async () => {
  expect(proofs.length).toBeGreaterThan(2);
  for (const text of proofs) expect(Object.values(await verifyProof(text, keys))).toEqual(PROOF_CHECKS.map(() => true));
});

test('a changed proof does not hold', async () => {
  const [text = ''] = proofs;
  const changed = (change: (proof: ReturnType<typeof JSON.parse>) => void): string => {
    const proof = JSON.parse(text);
    change(proof);
    return JSON.stringify(proof);
  };
  expect((await verifyProof(`${text} `, keys)).whole).toBe(false);
  expect((await verifyProof(text, [])).signed).toBe(false);
  expect(
    (
      await verifyProof(
        changed((proof) => Object.assign(proof, { explanation: 'because' })),
        keys,
      )
    ).signed,
  ).toBe(false);
  expect(
    (
      await verifyProof(
        changed((proof) => Object.assign(proof.bill, { amount: '5' })),
        keys,
      )
    ).billed,
  ).toBe(false);
  expect(
    (
      await verifyProof(
        changed((proof) => Object.assign(proof, { rules: '{}' })),
        keys,
      )
    ).ruled,
  ).toBe(false);
  expect(
    (
      await verifyProof(
        changed((proof) => Object.assign(proof.line, { quantity: '1' })),
        keys,
      )
    ).rooted,
  ).toBe(false);
  expect(
    (
      await verifyProof(
        changed((proof) => Object.assign(proof.tree, { salt: 'no' })),
        keys,
      )
    ).rooted,
  ).toBe(false);
  expect(
    (
      await verifyProof(
        changed((proof) => Object.assign(proof.ledger, { reference: 'rewards 1 00' })),
        keys,
      )
    ).sealed,
  ).toBe(false);
});
