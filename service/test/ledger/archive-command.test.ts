/** `edge-account ledger archive` and `edge-account verify --archive`. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Database, openServer } from '../../src/db/index.ts';
import {
  installLedger,
  listHeads,
  listLedgerKeys,
  postTransfers,
  signDailyHead,
} from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { createCommandEnvironment } from '../support/databases.ts';
import { runCommandHere } from '../support/run-command.ts';
import { testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';
import { readArchiveFile, writeArchiveFile } from './archive-fixture.ts';

const DAY_MS = 86_400_000;
const clock = createManualClock('2026-11-10T12:00:00Z');
let env: Record<string, string>;
let database: Database;
let folder: string;
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'archive-command-'));
  env = await createCommandEnvironment();
  database = await openServer({ url: env.DATABASE_URL ?? '', poolSize: 2, onError: () => {} });
  installLedger(database, { clock, masterKey: testMasterKey });
  const userId = await insertUser(database);
  for (const day of [1, 2, 3]) {
    if (day !== 2)
      await postTransfers(
        database,
        [1, 2, 3].map((n) => ({
          idempotencyKey: `r${day}.${n}`,
          debit: { house: 'reward_pool' },
          credit: { userId, wallet: 'bonus' },
          currency: 'EDGE',
          amount: BigInt(n),
          businessId: 'reward',
          eventAt: clock.now(),
        })),
      );
    clock.advance(DAY_MS);
    await signDailyHead(database);
  }
  const keys = (await listLedgerKeys(database)).map(({ public_jwk }) => public_jwk);
  await writeFile(at('keys.json'), JSON.stringify({ keys }));
  await writeFile(at('heads.json'), JSON.stringify(await listHeads(database, { limit: 10 })));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

/** A place without a database: nothing of the installation but, perhaps, its master key. */
const elsewhere = (more: Record<string, string> = {}) => ({ DATA_DIR: at('nothing'), ...more });

test('writes a file a day, once, and says where nothing was posted', async () => {
  expect(await runCommandHere(['ledger', 'archive', at('a')], env)).toMatchObject({
    code: 0,
    stderr: '',
    stdout:
      'ledger-2026-11-10.parquet: 3 rows\nledger-2026-11-11.parquet: nothing was posted\n' +
      'ledger-2026-11-12.parquet: 3 rows\n',
  });
  const again = await runCommandHere(['ledger', 'archive', at('a')], env);
  expect(again).toMatchObject({ code: 0, stdout: expect.not.stringContaining(' rows') });
  const one = ['ledger', 'archive', at('b'), '--from', '2026-11-12', '--until', '2026-11-12'];
  expect(await runCommandHere(one, env)).toMatchObject({
    stdout: 'ledger-2026-11-12.parquet: 3 rows\n',
  });
  for (const wrong of [['--from', 'today'], ['--until', '2026-02-30'], ['b']])
    expect(await runCommandHere(['ledger', 'archive', at('a'), ...wrong], env)).toMatchObject({
      code: 1,
    });
});

test('checks files without a database', async () => {
  const files = ['ledger-2026-11-10.parquet', 'ledger-2026-11-12.parquet'];
  const options = files.flatMap((file) => ['--archive', at(`a/${file}`)]);
  const [key] = await listLedgerKeys(database);
  const plain = await runCommandHere(['verify', ...options], elsewhere());
  expect(plain).toMatchObject({ code: 0, stderr: '' });
  expect(plain.stdout).toBe(
    `${at(`a/${files[0]}`)}: from the first posting to 2026-11-10, signed by ${key?.kid}; ` +
      `3 transfers, 1 seals, 2 accounts: everything agrees\n` +
      `${at(`a/${files[1]}`)}: from 2026-11-11 to 2026-11-12, ` +
      `which continues the file before it, signed by ${key?.kid}; ` +
      `3 transfers, 1 seals, 2 accounts: everything agrees\n` +
      'Compare the key with /.well-known/ledger-keys.json, or give it by --ledger-keys.\n',
  );
  const all = [...options, '--ledger-keys', at('keys.json'), '--heads', at('heads.json')];
  const whole = await runCommandHere(
    ['verify', ...all, '--with-master-key', '--json'],
    elsewhere({ MASTER_KEY: env.MASTER_KEY ?? '' }),
  );
  expect(whole).toMatchObject({ code: 0, stderr: '' });
  expect(JSON.parse(whole.stdout)).toMatchObject([
    { from: null, to: '2026-11-10', continues: false, findings: [], transfers: 3 },
    { from: '2026-11-11', to: '2026-11-12', continues: true, findings: [], accounts: 2 },
  ]);
});

test('names what was altered, with exit code 1, and 2 for what cannot be read', async () => {
  const { rows, label } = await readArchiveFile(at('a/ledger-2026-11-10.parquet'));
  writeArchiveFile(at('altered'), rows.with(1, { ...rows[1], amount: '9' }), label);
  const altered = await runCommandHere(['verify', '--archive', at('altered')], elsewhere());
  expect(altered.code).toBe(1);
  expect(altered.stdout).toContain(`transfer ${rows[1]?.id} does not agree with its leaf\n`);
  expect(altered.stdout).toContain('NOT in order\n');

  await writeFile(at('text'), 'some text');
  const cases: [string[], number, string][] = [
    [['--archive', at('text')], 2, at('text')],
    [['--archive', at('missing')], 2, 'missing'],
    [['--archive', at('altered'), '--ledger-keys', at('text')], 2, 'cannot be read'],
    [['--archive', at('altered'), '--ledger-keys', at('heads.json')], 2, 'public keys'],
    [['--archive', at('altered'), '--with-master-key'], 2, 'there is no master key here'],
  ];
  for (const [args, code, text] of cases) {
    const run = await runCommandHere(['verify', ...args], elsewhere());
    expect(run, args.join(' ')).toMatchObject({ code, stderr: expect.stringContaining(text) });
  }
});
