/** A small ledger with rows of every kind, to be tampered with. */
import { type Database, type Transaction, transaction } from '../../src/db/index.ts';
import {
  cancelHold,
  ensureBusiness,
  ensureCurrency,
  ensureWalletKind,
  installLedger,
  type Posting,
  placeHold,
  postTransfers,
  refuseRequest,
  settleHold,
  signDailyHead,
  verifyLedger,
} from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { fieldError } from '../../src/lib/failures.ts';
import { type Engine, openTestDatabase } from '../support/databases.ts';
import { reverseOne } from '../support/reverse-one.ts';
import { testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';

/** Ends a transaction without keeping its changes. */
class Undo extends Error {}

export interface TamperedLedger {
  readonly database: Database;
  readonly clock: ReturnType<typeof createManualClock>;
  reward(n: number): Posting;
  /** The findings of verify after `tamper`, whose changes are rolled back. */
  after(tamper: (tx: Transaction) => Promise<unknown>): Promise<string[]>;
}

/** An attacker who can write the tables can drop their constraints and triggers, too. */
export async function dropGuards(tx: Transaction, table: string): Promise<void> {
  const { rows } = await tx.query<{ name: string }>(
    `select quote_ident(conname) as name from pg_constraint where conrelid = $1::regclass
      and contype in ('c', 'u', 'f', 'p')`,
    [table],
  );
  for (const { name } of rows)
    await tx.query(`alter table ${table} drop constraint if exists ${name} cascade`);
  await tx.query(`alter table ${table} disable trigger user`);
  await tx.query('drop index if exists transfer_reverses_key');
}

/**
 * Inserts copies of one row. @param changed changed columns, as SQL; @param where a condition that
 * one row meets
 */
export async function copyRow(
  tx: Transaction,
  table: string,
  changed: Readonly<Record<string, string>> = {},
  where = 'true',
): Promise<void> {
  const { rows } = await tx.query<{ name: string }>(
    `select column_name as name from information_schema.columns where table_schema = 'public'
      and table_name = $1 order by ordinal_position`,
    [table],
  );
  const columns = rows.map(({ name }) => name);
  const values = columns.map((name) => changed[name] ?? name);
  await tx.query(
    `insert into ${table} (${columns.join(', ')}) overriding system value
      select ${values.join(', ')} from ${table} where ${where} limit 1`,
  );
}

async function fill(
  { database, clock, reward }: Pick<TamperedLedger, 'database' | 'clock' | 'reward'>,
  user: number,
): Promise<void> {
  for (let i = 0; i < 6; i++) {
    await postTransfers(
      database,
      Array.from({ length: 60 }, (_, n) => reward(i * 60 + n)),
    );
    clock.advance(1000);
  }
  const account = { userId: user, wallet: 'asset' };
  const terms = {
    account,
    currency: 'EDGE',
    amount: 50n,
    businessId: 'withdrawal',
    life_s: 86_400,
    reference: 'w',
    remark: 'r',
  };
  const hold = async (n: number) => {
    const result = await placeHold(database, { idempotencyKey: `h${n}`, ...terms });
    return result.status === 'refused' ? 0 : result.hold.id;
  };
  const settled = await hold(1);
  await settleHold(database, {
    idempotencyKey: 's1',
    holdId: settled,
    amount: 20n,
    credit: { house: 'withdrawal_clearing' },
    eventAt: clock.now(),
  });
  await settleHold(database, {
    idempotencyKey: 's2',
    holdId: settled,
    credit: { house: 'withdrawal_clearing' },
    eventAt: clock.now(),
  });
  await cancelHold(database, { idempotencyKey: 'c1', holdId: await hold(2) });
  await hold(3);
  const [posted] = await postTransfers(database, [reward(1000)]);
  await reverseOne(database, {
    idempotencyKey: 'rev',
    transferId: posted?.status === 'posted' ? posted.transferId : 0,
    remark: 'undo',
  });
  await postTransfers(database, [
    {
      ...reward(1001),
      debit: { userId: user, wallet: 'bonus' },
      credit: { house: 'adjustment' },
      requestKey: 'refused',
    },
  ]);
  await transaction(database, (tx) =>
    refuseRequest(
      tx,
      { idempotencyKey: 'malformed', requestHash: 'ab'.repeat(16) },
      fieldError('amount', 'too_large', 'is too large'),
    ),
  );
  await ensureWalletKind(database, 'savings', { isHouse: false });
  await ensureCurrency(database, 'LTC', 8);
  await ensureBusiness(database, 'gift', { isEarning: true });
  await signDailyHead(database);
}

async function afterTampering(
  database: Database,
  tamper: (tx: Transaction) => Promise<unknown>,
): Promise<string[]> {
  let found: string[] = [];
  await transaction(database, async (tx) => {
    await tamper(tx);
    found = (await verifyLedger(tx)).findings.map(({ row, detail }) => `${row} ${detail}`);
    throw new Undo();
  }).catch((error: unknown) => {
    if (!(error instanceof Undo)) throw error;
  });
  return found;
}

/** Close its database in `afterAll`. */
export async function openTamperedLedger(engine: Engine): Promise<TamperedLedger> {
  const clock = createManualClock('2026-11-10T00:00:00Z');
  const database = await openTestDatabase(engine, { isOwner: true });
  installLedger(database, { clock, masterKey: testMasterKey });
  const user = await insertUser(database);
  const reward = (n: number): Posting => ({
    idempotencyKey: `r${n}`,
    debit: { house: 'reward_pool' },
    credit: { userId: user, wallet: 'asset' },
    currency: 'EDGE',
    amount: BigInt(n + 1),
    businessId: n % 5 === 0 ? 'deposit' : 'reward',
    rewardType: 'TASK',
    nodeId: 'n',
    reference: 'ref',
    remark: 'words',
    eventAt: clock.now(),
  });
  await fill({ database, clock, reward }, user);
  return { database, clock, reward, after: (tamper) => afterTampering(database, tamper) };
}
