/** A ledger of some months of rewards, its archive, and all that readers see of it. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Database, executeUnprepared, queryNamed } from '../../src/db/index.ts';
import { EXPORT_QUERIES } from '../../src/import-export/export-queries.ts';
import {
  type AccountRef,
  archivePeriods,
  findTransfer,
  installLedger,
  listTransfers,
  type Posting,
  postTransfers,
  readBalanceChanges,
  readBills,
  readEarningTotals,
  readHouseStatement,
  readPostings,
  readStatement,
  readWalletStatement,
  referenceOf,
  searchBills,
  signDailyHead,
  streamBills,
  type TransferPlaces,
  writeJournal,
} from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { PERSON_FILES } from '../../src/person-data/files.ts';
import { pageQuery, pageValues } from '../../src/person-data/person-file.ts';
import { type Engine, openTestDatabase } from '../support/databases.ts';
import { reverseOne } from '../support/reverse-one.ts';
import { testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';
import { collect } from './archive-fixture.ts';

const DAY_MS = 86_400_000;
const DAYS = 64;
/** Rewards of the first user on a day: more than a block of positions in two months. */
const REWARDS = 5;
const START = '2026-03-01T00:00:00Z';

export interface MonthsLedger {
  readonly database: Database;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly directory: string;
  readonly place: string;
  /** The second one earns in the first month only. */
  readonly users: readonly [number, number, number];
  reward(userId: number, day: string, device: number, amount?: bigint): Posting;
}

function createReward(clock: MonthsLedger['clock']): MonthsLedger['reward'] {
  return (userId, day, device, amount = BigInt(device + 7)) => {
    const user = { userId, wallet: 'bonus' };
    const house = { house: 'reward_pool' };
    return {
      idempotencyKey: `reward-day:1:${day}:${userId}:UPTIME:${device}`,
      debit: amount > 0n ? house : user,
      credit: amount > 0n ? user : house,
      currency: 'EDGE',
      amount: amount > 0n ? amount : -amount,
      businessId: 'reward',
      rewardType: amount > 0n ? 'UPTIME' : 'PENALTY',
      ...(device > 0 && { nodeId: `node-${device}` }),
      ...(amount < 0n && { mayOverdraw: true }),
      eventAt: new Date(clock.now().getTime() - DAY_MS),
    };
  };
}

/** What stays as a row: a transfer of an operator, a root, and a reward that is reversed. */
async function postOthers(ledger: MonthsLedger, day: string, n: number): Promise<void> {
  const { database, clock, users } = ledger;
  const [first, second] = users;
  const others: Posting[] = [
    {
      idempotencyKey: `deposit/${n}`,
      debit: { house: 'deposit_clearing' },
      credit: { userId: first, wallet: 'asset' },
      ...{ currency: 'USDT', amount: 1000n + BigInt(n), businessId: 'deposit' },
      ...{ reference: `tx ${n}`, remark: 'words', eventAt: clock.now() },
    },
    { ...ledger.reward(first, day, 90), idempotencyKey: `operator-reward:c:${n}` },
    { ...ledger.reward(first, day, 91), reference: 'rewards 1 2 ab' },
  ];
  await postTransfers(database, others);
  const [wrong] = await postTransfers(database, [ledger.reward(second, day, 92)]);
  await reverseOne(database, {
    idempotencyKey: `undo:${n}`,
    transferId: wrong?.status === 'posted' ? wrong.transferId : 0,
  });
}

async function fill(ledger: MonthsLedger): Promise<void> {
  const { database, clock, users } = ledger;
  const [first, second, third] = users;
  for (let n = 0; n < DAYS; n++) {
    const day = clock.now().toISOString().slice(0, 10);
    await postTransfers(database, [
      ...Array.from({ length: REWARDS }, (_, device) => ledger.reward(first, day, device)),
      ...(n < 20 ? [ledger.reward(second, day, 1)] : []),
      ledger.reward(third, day, 0, n % 9 === 8 ? -3n : 5n),
    ]);
    if (n % 10 === 4) await postOthers(ledger, day, n);
    clock.advance(DAY_MS);
    if (n % 10 === 9 || n === 30) await signDailyHead(database);
  }
  await signDailyHead(database);
  await collect(archivePeriods(database, ledger.directory, {}));
}

/** Rewards from 1 March on, for two months and some days. */
export async function openMonthsLedger(engine: Engine): Promise<MonthsLedger> {
  const clock = createManualClock(START);
  const database = await openTestDatabase(engine);
  installLedger(database, { clock, masterKey: testMasterKey });
  const users = [
    await insertUser(database),
    await insertUser(database),
    await insertUser(database),
  ] as const;
  const directory = mkdtempSync(join(tmpdir(), 'months-'));
  const place = pathToFileURL(directory).href;
  const ledger = { database, clock, directory, place, users, reward: createReward(clock) };
  await fill(ledger);
  return ledger;
}

const toText = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}` : part));

async function readWallet(db: Database, account: AccountRef): Promise<unknown[]> {
  const from = new Date('2026-03-20T00:00:00Z');
  const before = new Date('2026-04-03T00:00:00Z');
  const seen: unknown[] = [];
  const filters = [
    {},
    { from, before },
    { direction: 2 },
    { currency: 'USDT' },
    { businessId: 'reward', from },
    { currency: 'EDGE', direction: 1, before },
  ];
  for (const filter of filters)
    for (let current = 1; current < 70; current++) {
      const page = await readBills(db, account, filter, { current, size: 23 });
      seen.push(page);
      if (page.bills.length === 0) break;
    }
  seen.push(await collect(streamBills(db, account, {})));
  const all = (await readBills(db, account, {}, { current: 1, size: 1000 })).bills;
  const number = all.at(-3)?.id;
  for (let below: number | undefined; ; ) {
    const found = await searchBills(db, account, {
      ...{ filter: {}, size: 11, isMatch: ({ nodeId }) => nodeId === 'node-2' },
      ...{ number, below },
    });
    seen.push(found);
    if (found.next === undefined) break;
    below = found.next;
  }
  const statement = await readWalletStatement(db, account, { from, before });
  seen.push(statement.changes, await collect(statement.bills));
  seen.push(await readBalanceChanges(db, account, [{ from, before }]));
  const { currencies } = await referenceOf(db, { currencies: ['EDGE', 'USDT'] });
  for (const currency of currencies.values())
    for (let current = 1; current < 70; current++) {
      const page = await readStatement(db, account, { currency, current, size: 17, before });
      seen.push(page);
      if (page.bills.length === 0) break;
    }
  return seen;
}

async function readExport(db: Database): Promise<unknown[]> {
  const rows: unknown[] = [];
  for (let place = { key_1: 0, key_2: 0 }; ; ) {
    const page = await queryNamed<{ key_1: number; key_2: number }>(
      db,
      EXPORT_QUERIES.bills.replaceAll('limit 5000', 'limit 50'),
      place,
    );
    const last = page.rows.at(-1);
    if (!last) return rows;
    rows.push(...page.rows);
    place = { key_1: last.key_1, key_2: last.key_2 };
  }
}

async function readPersonFile(db: Database, userId: number): Promise<unknown[]> {
  const file = PERSON_FILES.find(({ name }) => name === 'bills');
  if (!file) throw new Error('there is no file of bills');
  const { rows } = await executeUnprepared(db, pageQuery(file, true), pageValues(userId));
  const after = (rows[9] as { place: (string | null)[] } | undefined)?.place ?? [];
  const next = await executeUnprepared(db, pageQuery(file, false), pageValues(userId, after));
  return [rows, next.rows];
}

async function readLists(db: Database, userId: number): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const filter of [undefined, { userId }, { house: 'reward_pool' }])
    for (let from: TransferPlaces | undefined; ; ) {
      const { transfers, next } = await listTransfers(db, filter, { size: 37, from });
      seen.push(transfers);
      if (!next) break;
      from = next;
    }
  return seen;
}

/** Everything that people and operators see of bills, as text. */
export async function readAll({ database, users }: MonthsLedger): Promise<string[]> {
  const seen: unknown[] = [];
  for (const userId of users) {
    for (const wallet of ['bonus', 'asset'])
      seen.push(...(await readWallet(database, { userId, wallet })));
    seen.push(await readEarningTotals(database, userId), await readPersonFile(database, userId));
  }
  seen.push(...(await readWallet(database, { house: 'reward_pool' })));
  const { currencies } = await referenceOf(database, { currencies: ['EDGE'] });
  const edge = currencies.get('EDGE');
  if (!edge) throw new Error('there is no EDGE');
  for (let current = 1; current < 40; current++)
    seen.push(
      await readHouseStatement(database, 'reward_pool', { currency: edge, current, size: 29 }),
    );
  const { rows } = await database.query<{ last: number }>(
    'select max(transfers)::int as last from ledger_shard',
  );
  const ids = Array.from({ length: (rows[0]?.last ?? 0) * 2 }, (_, n) => n * 16 + 1);
  for (const id of ids.slice(0, 80)) seen.push(await findTransfer(database, id));
  seen.push((await readPostings(database, ids)).toSorted((a, b) => a.transferId - b.transferId));
  seen.push(await readLists(database, users[0]));
  seen.push(await readExport(database), await collect(writeJournal(database)));
  return seen.map(toText);
}
