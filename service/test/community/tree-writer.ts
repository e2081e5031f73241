/**
 * A separate process that writes to the tree of a server database: `tree-writer.ts URL NAME join
 * COUNT` registers users below the first users, who concurrently buy packages, from wallets and
 * externally, and return some; `tree-writer.ts URL NAME roll` rolls up until it is killed.
 */
import { joinCommunity, registerCommunity, rollUp } from '../../src/community/index.ts';
import { type Database, openServer, transaction } from '../../src/db/index.ts';
import { findUser } from '../../src/identity/index.ts';
import { installLedger, postTransfers } from '../../src/ledger/index.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { registerPurchases } from '../../src/operator/index.ts';
import { testMasterKey } from '../support/test-config.ts';
import { asOperator, createTestServer } from '../support/test-server.ts';
import { createRandom } from './tree-oracle.ts';

const PARALLEL = 8;
/** Every user joins below one of these, so that all share their ancestors. */
const REFERRERS = 30;

async function join(database: Database, label: string, referrerId: number): Promise<void> {
  await transaction(database, async (tx) => {
    const { rows } = await tx.query<{ id: number }>(
      `insert into app_user (email, email_key, nickname, referral_code, referrer_id, created_at)
       values ($1 || '@example.test', $1 || '@example.test', $1, $1, $2, $3) returning id`,
      [label, referrerId, systemClock.now()],
    );
    const user = await findUser(tx, rows[0]?.id ?? 0);
    if (user) await joinCommunity(tx, user);
  });
}

/** Money for every buyer, once, whichever process is first. */
async function fund(database: Database): Promise<void> {
  const postings = Array.from(
    { length: REFERRERS },
    (_, n) =>
      ({
        idempotencyKey: `funds:${n + 1}`,
        debit: { house: 'adjustment' },
        credit: { userId: n + 1, wallet: 'asset' },
        currency: 'EDGE',
        amount: 10n ** 24n,
        businessId: 'adjustment',
        eventAt: new Date('2026-01-01'),
      }) as const,
  );
  await postTransfers(database, postings);
}

async function write(database: Database, name: string, count: number): Promise<void> {
  installLedger(database, { clock: systemClock, masterKey: testMasterKey });
  const app = createTestServer();
  registerCommunity(app, {
    database,
    clock: systemClock,
    exportCap: 100,
    rewardScale: async () => 18,
  });
  registerPurchases(app, {
    database,
    clock: systemClock,
    rewardCurrency: 'EDGE',
    rewardScale: async () => 18,
  });
  const random = createRandom(name.length * 7919 + name.charCodeAt(0));
  await fund(database);
  let next = 0;
  const post = async (url: string, key: string, payload: object): Promise<{ id: number }> => {
    const answer = await app.inject({
      method: 'POST',
      url,
      headers: { ...asOperator('operator:purchases'), 'idempotency-key': key },
      payload,
    });
    if (answer.statusCode !== 200) throw new Error(answer.body);
    return answer.json();
  };
  const work = async (): Promise<void> => {
    for (let n = next++; n < count; n = next++) {
      const userId = 1 + random(REFERRERS);
      await join(database, `${name}${n}`, userId);
      const key = `${name}-${n}`;
      const { id } = await post('/operator/purchases', key, {
        user_id: userId,
        amount: '1.5',
        reference: name,
        external: n % 2 === 0,
      });
      if (n % 5 === 0) await post(`/operator/purchases/${id}/refund`, key, { amount: '0.5' });
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
}

const [url = '', name = '', mode, count = '0'] = process.argv.slice(2);
const database = await openServer({ url, poolSize: PARALLEL, onError: () => {} });
if (mode === 'join') await write(database, name, Number(count));
while (mode === 'roll') {
  await rollUp(database);
  await new Promise((resolve) => setTimeout(resolve, 5));
}
await database.close();
