/**
 * One person who has much of everything that the contract's reads show, among others who have some.
 */

import { rollUp } from '../../service/src/community/index.ts';
import { type Database, transaction } from '../../service/src/db/index.ts';
import {
  configureNetwork,
  issueAddress,
  requireNetworkInPath,
} from '../../service/src/deposits/index.ts';
import { openAccounts, type Posting, postTransfers } from '../../service/src/ledger/index.ts';
import { systemClock } from '../../service/src/lib/clock.ts';
import { ACCOUNT_KEY } from '../../service/test/support/chains/deposit-bench.ts';
import { testMasterKey } from '../../service/test/support/test-config.ts';
import { insertDevice } from '../../service/test/support/test-devices.ts';
import { insertUser } from '../../service/test/support/test-users.ts';
import { sized } from '../harness/sizes.ts';
import { insertUsers } from './lab-database.ts';

/** In each of the two wallets. */
export const BILLS = sized(10_000, 2000);
export const DEVICES = 20;
export const MEMBERS = 500;
const OTHERS = 1000;
const OTHERS_BILLS = 10;
const DEPOSITS = 200;
const BATCH = 1000;
const DAY_MS = 86_400_000;
const YEAR_DAYS = 365;
const TYPES = ['UPTIME', 'TRAFFIC', 'TASK', 'BONUS'] as const;
const AMOUNT = 1_234_567_890_123_456_789n;

export interface FilledAccount {
  readonly userId: number;
  readonly depositId: number;
}

async function post(database: Database, postings: readonly Posting[]): Promise<void> {
  for (let at = 0; at < postings.length; at += BATCH) {
    const results = await postTransfers(database, postings.slice(at, at + BATCH));
    if (results.some(({ status }) => status !== 'posted')) throw new Error('a posting was refused');
  }
}

/** The n-th reward of a person, spread over the last year. */
function rewardOf(userId: number, n: number, count: number, nodeId: string): Posting {
  return {
    idempotencyKey: `fill:reward:${userId}:${n}`,
    debit: { house: 'reward_pool' },
    credit: { userId, wallet: 'bonus' },
    currency: 'EDGE',
    amount: AMOUNT,
    businessId: 'reward',
    rewardType: TYPES[n % TYPES.length] ?? TYPES[0],
    nodeId,
    eventAt: new Date(Date.now() - Math.floor(((count - n) * YEAR_DAYS * DAY_MS) / count)),
  };
}

function adjustmentOf(userId: number, n: number): Posting {
  return {
    idempotencyKey: `fill:adjustment:${userId}:${n}`,
    debit: { house: 'adjustment' },
    credit: { userId, wallet: 'asset' },
    currency: n % 2 === 0 ? 'EDGE' : 'ETH',
    amount: AMOUNT,
    businessId: 'adjustment',
    eventAt: new Date(),
  };
}

async function addDevices(database: Database, userId: number): Promise<string[]> {
  const nodes: string[] = [];
  for (let i = 0; i < DEVICES; i++) {
    const { deviceId, nodeId } = await insertDevice(database, userId);
    await database.query(
      `insert into device_presence (device_id, heard_at, previous_at, address)
        values ($1, now(), now(), '127.0.0.1')`,
      [deviceId],
    );
    await database.query(
      `insert into device_usage (device_id, bytes_up, bytes_down)
        values ($1, 123456789, 987654321)`,
      [deviceId],
    );
    nodes.push(nodeId);
  }
  return nodes;
}

/** Half of them direct, each with one more below. */
async function addMembers(
  database: Database,
  userId: number,
  people: readonly number[],
): Promise<void> {
  const half = MEMBERS / 2;
  const [direct, below] = [people.slice(0, half), people.slice(half, MEMBERS)];
  await database.query(
    `update app_user set nickname = 'Member ' || id where id = any($1::bigint[])`,
    [people],
  );
  await database.query('update app_user set referrer_id = $1 where id = any($2::bigint[])', [
    userId,
    direct,
  ]);
  await database.query(
    'update app_user set referrer_id = id - $1::int where id = any($2::bigint[])',
    [half, below],
  );
  await database.query(
    `insert into community_event (kind, user_id) select 'join', id from app_user order by id`,
  );
  await rollUp(database);
}

/** @returns one of the deposits */
export async function addDeposits(database: Database, userId: number): Promise<number> {
  await configureNetwork(database, { clock: systemClock, masterKey: testMasterKey }, 'ETHEREUM', {
    rpcUrls: ['http://127.0.0.1:1'],
    xpub: ACCOUNT_KEY,
  });
  await issueAddress(
    database,
    systemClock,
    userId,
    await requireNetworkInPath(database, 'ETHEREUM'),
  );
  const { rows } = await database.query<{ id: number }>(
    `insert into deposit (network, tx_hash, ordinal, user_id, address_id, token_id, contract,
      currency, from_address, raw_amount, decimals, amount,
       block_number, block_hash, required_confirmations, status, detected_at)
     select 'ETHEREUM', '0x' || lpad(to_hex(n), 64, '0'), 0, $1, a.id, t.id, t.contract, t.currency,
       '0x00000000000000000000000000000000000000AA',
       12500000, 6, 12500000, 100, '0xb', 65, 'confirming', now() - n * interval '1 hour'
     from deposit_address a, token t, generate_series(1, ${DEPOSITS}) n where a.user_id = $1
       and t.network = 'ETHEREUM' and t.currency = 'USDT' returning id`,
    [userId],
  );
  return rows[0]?.id ?? 0;
}

/** Fills an empty database; statistics are fresh afterwards. */
export async function fillAccount(database: Database): Promise<FilledAccount> {
  const userId = await insertUser(database);
  const people = await insertUsers(database, OTHERS);
  await transaction(database, (tx) => openAccounts(tx, userId));
  const nodes = await addDevices(database, userId);
  await addMembers(database, userId, people);
  const depositId = await addDeposits(database, userId);
  const all = Array.from({ length: BILLS }, (_, n) => n);
  await post(
    database,
    all.map((n) => rewardOf(userId, n, BILLS, nodes[n % DEVICES] ?? '')),
  );
  await post(
    database,
    all.map((n) => adjustmentOf(userId, n)),
  );
  for (let n = 0; n < OTHERS_BILLS; n++)
    await post(
      database,
      people.map((person) => rewardOf(person, n, OTHERS_BILLS, `node-of-${person}`)),
    );
  await database.query('vacuum analyze');
  return { userId, depositId };
}
