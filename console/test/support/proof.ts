/** A proof that the service made, answered to a page without waiting for hours of settlement. */
import type { Page } from 'playwright-core';
import { migrate, openEmbedded } from '../../../service/src/db/index.ts';
import { installLedger } from '../../../service/src/ledger/index.ts';
import { createManualClock } from '../../../service/src/lib/clock.ts';
import { createProofKey, registerRewards, settleDue } from '../../../service/src/rewards/index.ts';
import { createNetwork } from '../../../service/test/support/settled-network.ts';
import { testMasterKey } from '../../../service/test/support/test-config.ts';
import { asPerson, createTestServer } from '../../../service/test/support/test-server.ts';

const START = new Date('2026-05-01T00:00:00Z');
const HOUR_MS = 3_600_000;

/** When the reward of the proof was earned. */
export const PROVEN_HOUR = START.toISOString();

/** Proof of a traffic reward. */
export async function makeProof(): Promise<string> {
  const database = await openEmbedded({});
  await migrate(database);
  const clock = createManualClock(START);
  installLedger(database, { clock, masterKey: testMasterKey });
  const network = await createNetwork(database, clock, START);
  const app = createTestServer();
  registerRewards(app, {
    db: database,
    clock,
    ...{ grace_s: 600, period: 'hour' },
    rewardCurrency: 'EDGE',
    proofKey: createProofKey(testMasterKey),
  });
  await network.use(START);
  clock.advance(2 * HOUR_MS);
  await settleDue({ database, clock, rewardCurrency: 'EDGE', grace_s: 600, period: 'hour' });
  const headers = asPerson(network.users[0], 'account:read', 'dashboard:read');
  const { records } = (
    await app.inject({ url: '/me/rewards?current=1&size=20', headers })
  ).json() as { records: { bill_id?: number; reward_type: string }[] };
  const paid = records.find(
    ({ bill_id, reward_type }) => bill_id !== undefined && reward_type === 'TRAFFIC',
  );
  const { body } = await app.inject({ url: `/me/rewards/${paid?.bill_id}/proof`, headers });
  await app.close();
  await database.close();
  return body;
}

/** Answers with it for any reward. */
export async function stubProof(page: Page, proof: () => string): Promise<void> {
  await page.route('**/.well-known/reward-keys.json', (route) =>
    route.fulfill({ json: { keys: [createProofKey(testMasterKey).published] } }),
  );
  await page.route('**/me/rewards/*/proof', (route) =>
    route.fulfill({ contentType: 'application/json', body: proof() }),
  );
}

/** The same proof with a change, signed as if the service had made it. */
export function tamperProof(
  proof: string,
  change: (rest: { line: Record<string, unknown> }) => void,
): string {
  const { signature: _, ...rest } = JSON.parse(proof);
  change(rest);
  return JSON.stringify({
    ...rest,
    signature: createProofKey(testMasterKey).sign(JSON.stringify(rest)),
  });
}
