/** A dry run reports what a real run rejects: no more and no less. */
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { createImportFolder, type ImportFolder } from '../../test/support/import-folder.ts';
import { AT, BALANCES, bill, findProblems, PEOPLE } from '../../test/support/import-source.ts';
import { sized } from '../../test/support/scale.ts';
import type { Database } from '../db/index.ts';

const RUNS = sized({ quick: 12, full: 12, soak: 600 });
const ADDRESSES = [
  '0x52908400098527886E0F7030069857D2E4169EE7',
  '0x8617E340B3D01FA5F11F306F4090FD50E238070D',
  '0xde709f2102306220921060314715629080e2fb77',
];
const MOST = `1${'0'.repeat(40)}`;

const id = fc.integer({ min: 1, max: 6 });
/** Decimals of USDT are 6; of EDGE 18. */
const amount = fc.constantFrom('0', '1', '2.5', '-1', MOST.slice(0, -6), `-${MOST.slice(0, -6)}`);
const currency = fc.constantFrom('USDT', 'EDGE', 'DOGE');
const wallet = fc.constantFrom('asset', 'bonus', 'withdrawn', 'opening_balance');
const at = fc.constantFrom(AT, '0001-01-01T00:00:00+23:59', '1969-12-31T23:59:59.999999999Z');

const hostilePerson = fc.record(
  {
    id,
    email: fc.constantFrom('P1@x.test', 'p2@x.test', 'new@x.test', 'closed-2@account.invalid'),
    nickname: fc.constantFrom('Ann', '\u202e', 'x'.repeat(41)),
    referrer: id,
    referral_code: fc.constantFrom('ONE', 'one', 'TWO'),
    created_at: at,
    status: fc.constantFrom('active', 'disabled', 'closed'),
  },
  { requiredKeys: ['id', 'created_at'] },
);
const people = fc.tuple(
  ...[1, 2, 3, 4, 5, 6].map((each) =>
    fc.oneof(
      { weight: 4, arbitrary: fc.constant({ id: each, email: `p${each}@x.test`, created_at: AT }) },
      { weight: 1, arbitrary: hostilePerson },
    ),
  ),
);
const balance = fc.record({ user_id: id, wallet, currency, amount });
const anyBill = fc.record({
  id: fc.integer({ min: 1, max: 9 }),
  user_id: id,
  wallet: fc.constantFrom('asset', 'bonus'),
  currency: fc.constantFrom('USDT', 'EDGE'),
  amount_direction: fc.constantFrom(1, 2),
  business_id: fc.constantFrom('deposit', 'withdrawal', 'opening_balance', 'none'),
  amount: fc.constantFrom('1', '2', '5', MOST.slice(0, -6)),
  event_at: at,
});
const device = fc.record({
  node_id: fc.constantFrom('n1', 'n2', 'n3'),
  user_id: id,
  device_type: fc.constantFrom('TERMINAL', 'EXTENSION', 'PHONE'),
  created_at: at,
});
const address = fc.record({
  user_id: id,
  network: fc.constantFrom('ETHEREUM', 'NOWHERE'),
  address: fc.constantFrom(...ADDRESSES),
  created_at: at,
});
const purchase = fc.record({
  id: fc.constantFrom('p1', 'p2'),
  user_id: id,
  currency: fc.constantFrom('EDGE', 'USDT'),
  amount: fc.constantFrom('10', '0', MOST.slice(0, -18)),
  refunded: fc.constantFrom('0', '5', '11'),
  created_at: at,
});
const source = fc.record({
  people,
  balances: fc.array(balance, { maxLength: 5 }),
  bills: fc.array(anyBill, { maxLength: 12 }),
  devices: fc.array(device, { maxLength: 3 }),
  deposit_addresses: fc.array(address, { maxLength: 4 }),
  purchases: fc.array(purchase, { maxLength: 3 }),
});
type Source = typeof source extends fc.Arbitrary<infer T> ? T : never;

function write(folder: ImportFolder, files: Source): void {
  for (const [name, rows] of Object.entries(files))
    folder.write(`${name}.jsonl`, rows.map((row) => JSON.stringify(row)).join('\n'));
}

describe.each(RUN_ENGINES)('a dry run on %s', (engine) => {
  let database: Database;
  let folder: ImportFolder;
  beforeEach(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    folder = createImportFolder();
  });
  afterEach(async () => {
    folder.remove();
    await database.close();
  });

  /** The problems that a dry run announces, and a real run has. */
  async function runBoth(since?: Date): Promise<string[]> {
    const options = since ? { since } : {};
    await folder.run(database, { ...options, isDryRun: true });
    const announced = folder.rejects();
    await folder.run(database, options);
    expect(folder.rejects()).toEqual(announced);
    return folder.problems();
  }

  test('reports what the real run rejects', { timeout: 600_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(source, source, fc.boolean(), async (first, second, hasSince) => {
        write(folder, first);
        await runBoth();
        write(folder, second);
        await runBoth(hasSince ? new Date(0) : undefined);
        expect(await findProblems(database)).toEqual([]);
      }),
      { numRuns: RUNS, seed: 22, endOnFailure: true },
    );
  });

  test('reports what the ledger would refuse, and what is corrected comes in', async () => {
    const bills = (second: string): string =>
      [bill(1, 2, '5'), bill(2, 1, '20'), second, bill(4, 1, '3')].join('\n');
    folder.write('people.csv', PEOPLE);
    folder.write('bills.jsonl', bills(bill(3, 2, '7').replace('withdrawal', 'deposit')));
    const most = '1'.padEnd(35, '0');
    folder.write('balances.csv', `${BALANCES}13,asset,EDGE,1\n5,bonus,USDT,-${most}\n`);
    expect(await runBoth()).toEqual([]);
    const taken = bill(3, 2, '40').replace('withdrawal', 'deposit');
    folder.write('bills.jsonl', bills(taken).replaceAll('"id":', '"id":1'));
    folder.write('balances.csv', `${BALANCES}5,bonus,USDT,${most}\n`);
    expect(await runBoth(new Date(0))).toEqual([
      'balances 7 amount invalid_amount',
      'bills 3 amount counter_negative',
    ]);
    folder.write('bills.jsonl', bills(bill(3, 2, '40')).replaceAll('"id":', '"id":1'));
    folder.write('balances.csv', BALANCES);
    expect(await runBoth(new Date(0))).toEqual([]);
    expect(await findProblems(database)).toEqual([]);
  });

  test('reports closed accounts, and a second address of a user', async () => {
    const header = 'user_id,network,address,created_at\n';
    const [one, two, three] = ADDRESSES;
    const address = (user: number, text = ''): string => `${user},ETHEREUM,${text},${AT}\n`;
    folder.write('people.csv', PEOPLE);
    folder.write('deposit_addresses.csv', `${header}${address(5, one)}${address(5, two)}`);
    expect(await runBoth()).toEqual(['deposit_addresses 3 address taken']);
    folder.write(
      'people.csv',
      PEOPLE.replace('13,,', '13,new@example.test,').replace('closed', ''),
    );
    folder.write('deposit_addresses.csv', `${header}${address(5, two)}${address(7, three)}`);
    expect(await runBoth(new Date(0))).toEqual([
      'people 5 id closed',
      'deposit_addresses 2 address taken',
    ]);
    expect(await findProblems(database)).toEqual([]);
  });
});
