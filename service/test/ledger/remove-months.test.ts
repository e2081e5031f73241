/** Bills of rewards of archived months: packed, removed, and read as before. */
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recordVerification } from '../../src/audit/index.ts';
import {
  archivePeriods,
  installLedger,
  postTransfers,
  sealPlace,
  signDailyHead,
  verifyLedger,
  verifyLedgerSinceHead,
  verifyLedgerSinceVerification,
} from '../../src/ledger/index.ts';
import { packHouse, packPeople } from '../../src/ledger/removal/pack-wallets.ts';
import { type RemoveMonths, removeMonths } from '../../src/ledger/removal/remove-months.ts';
import { type HeadBody, listHeads } from '../../src/ledger/signed-heads.ts';
import { queryAsOwner, RUN_ENGINES } from '../support/databases.ts';
import { createDying, Killed } from '../support/dying-database.ts';
import { reverseOne } from '../support/reverse-one.ts';
import { testMasterKey } from '../support/test-config.ts';
import { collect, readArchiveFile } from './archive-fixture.ts';
import { type MonthsLedger, openMonthsLedger, readAll } from './months-fixture.ts';

/** A step is a part of a wallet. */
const atOnce = { wallets: 2, positions: 60 };
const HAS_KEY = /has the key of transfer \d+$/;
const MARCH = { first: '2026-03-01', next: '2026-04-01' };

describe.each(RUN_ENGINES)('removed months on %s', (engine) => {
  let ledger: MonthsLedger;
  let before: string[];
  beforeAll(async () => {
    ledger = await openMonthsLedger(engine);
    // March is due where two months are kept, and April is not.
    ledger.clock.set(new Date('2026-06-02T00:00:00Z'));
    before = await readAll(ledger);
  });
  afterAll(async () => {
    await ledger.database.close();
    rmSync(ledger.directory, { recursive: true });
  });

  const count = async (from: string): Promise<number> => {
    const { rows } = await ledger.database.query<{ n: number }>(
      `select count(*)::int as n from ${from}`,
    );
    return rows[0]?.n ?? -1;
  };
  const remove = (others: Partial<RemoveMonths> = {}): Promise<void> =>
    removeMonths({
      ...{ database: ledger.database, place: ledger.place, keptMonths: 2, atOnce },
      namedSince: () => Promise.resolve(undefined),
      ...others,
    });
  const findings = async (): Promise<string[]> =>
    (await verifyLedger(ledger.database)).findings.map(({ row, detail }) => `${row} ${detail}`);
  const step = () => ({
    ...{ database: ledger.database, now: ledger.clock.now(), atOnce },
  });
  const OF_MARCH = `transfer where idempotency_key ~ '^reward-day:' and created_at < '2026-04-01'`;

  test('nothing is removed too early', async () => {
    const rows = await count('transfer');
    expect(await findings()).toEqual([]);
    await remove({ keptMonths: 3 });
    expect(await count('ledger_removal')).toBe(0);
    // Lines of rewards still name bills of the month.
    await remove({ namedSince: () => Promise.resolve(new Date('2026-03-31T23:00:00Z')) });
    expect(await count('ledger_removal')).toBe(0);
    // What was not compared is not packed.
    const { rows: asked } = await ledger.database.query<{ n: number }>(
      `select pack_entries('entry', '2026-03-01', array_agg(wallet_id), array_agg(0::bigint),
        array_agg(seq)) as n from account`,
    );
    expect(asked[0]?.n).toBe(0);
    expect(await count('transfer')).toBe(rows);
  });

  test('a month whose files are missing or altered stays', async () => {
    const [first = '', second = ''] = readdirSync(ledger.directory).sort();
    const path = (name: string): string => join(ledger.directory, name);
    renameSync(path(first), path('away'));
    await expect(remove()).rejects.toThrow(`bills of 2026-03 stay: ${first}: is missing`);
    copyFileSync(path(second), path(first));
    await expect(remove()).rejects.toThrow(`${first}: is of another period`);
    renameSync(path('away'), path(first));
    await queryAsOwner(ledger.database, 'update transfer set amount = amount + 1 where id = 33');
    await expect(remove()).rejects.toThrow('bills of 2026-03 stay: entry -513/3 does not agree');
    await queryAsOwner(ledger.database, 'update transfer set amount = amount - 1 where id = 33');
    expect(await packPeople(step(), MARCH)).toBe(false);
    expect(await count('entry_pack')).toBe(0);
  });

  test('killed at any statement, all is seen and verified as before', async () => {
    const isOfRemoval = (text: string): boolean => text.includes('ledger_removal');
    let kills = 0;
    for (let at = 1; (await count('ledger_removal where people_at is not null')) === 0; at++) {
      const dying = createDying(ledger.database, at, at % 2 === 0, isOfRemoval);
      installLedger(dying.database, { clock: ledger.clock, masterKey: testMasterKey });
      await remove({ database: dying.database }).catch((error: unknown) => {
        if (!(error instanceof Killed)) throw error;
        kills++;
      });
    }
    expect(kills).toBeGreaterThan(5);
    await packHouse(step(), MARCH);
    expect(await readAll(ledger)).toEqual(before);
    expect(await findings()).toEqual([]);
  });

  test('two instances at once remove the month, and nothing else', async () => {
    await Promise.all([remove(), remove()]);
    await remove();
    expect(await count(`ledger_removal where removed_at is not null`)).toBe(1);
    // Those that were reversed.
    expect(await count(`${OF_MARCH} and reference is null and remark is null`)).toBe(3);
    expect(await count('entry_pack where wallet_id < 0')).toBeGreaterThan(0);
    expect(await count(`transfer where created_at >= '2026-04-01'`)).toBeGreaterThan(200);
    expect(await count(`transfer where idempotency_key ~ '^(deposit/|operator)'`)).toBe(12);
  });

  test('all is seen as before, and verifies', async () => {
    expect(await readAll(ledger)).toEqual(before);
    expect(await findings()).toEqual([]);
    expect((await verifyLedgerSinceHead(ledger.database))?.findings).toEqual([]);
  });

  test('a verification continues from before a removed month', async () => {
    const { database } = ledger;
    const heads = await listHeads(database, { limit: 1000 });
    const { signed_at, shards } = JSON.parse(heads.at(-1)?.body ?? '') as HeadBody;
    const known = shards.map((shard) => ({ refusals: 0, ...shard }));
    const place = { verified_until: signed_at, shards: known, head: null };
    await recordVerification(database, {
      ...{ since: null, parts: ['ledger'], findings: 0, place: sealPlace(database, place) },
    });
    const report = await verifyLedgerSinceVerification(database);
    expect(report).toMatchObject({ continued_from: 'verification', findings: [] });
    expect(report.transfers).toBeGreaterThan(300);
    for (const where of ['wallet_id < 0', 'wallet_id > 0']) {
      const change = (by: number) =>
        queryAsOwner(
          database,
          `update entry_pack set balances_after[cardinality(positions)]
            = balances_after[cardinality(positions)] + ${by} where ${where}`,
        );
      await change(7);
      expect((await verifyLedgerSinceVerification(database)).findings).not.toEqual([]);
      await change(-7);
    }
    expect((await verifyLedgerSinceVerification(database)).findings).toEqual([]);
  });

  test('the archive is written from packs as it was from rows', async () => {
    const fresh = mkdtempSync(join(tmpdir(), 'months-'));
    await collect(archivePeriods(ledger.database, fresh, {}));
    expect(readdirSync(fresh)).toEqual(readdirSync(ledger.directory));
    for (const name of readdirSync(fresh)) {
      const [one, other] = [join(fresh, name), join(ledger.directory, name)];
      expect((await readArchiveFile(one)).rows).toEqual((await readArchiveFile(other)).rows);
      expect(readFileSync(one).byteLength).toBe(readFileSync(other).byteLength);
    }
    rmSync(fresh, { recursive: true });
  });

  test('a removed reward is reversed, once', async () => {
    const { rows } = await ledger.database.query<{ id: number }>(
      'select transfer_ids[1] as id from entry_pack where wallet_id > 0 order by wallet_id limit 1',
    );
    const order = { idempotencyKey: 'undo-packed', transferId: rows[0]?.id ?? 0 };
    expect(await reverseOne(ledger.database, order)).toMatchObject({ status: 'posted' });
    expect(await reverseOne(ledger.database, order)).toMatchObject({ status: 'replayed' });
    expect(await reverseOne(ledger.database, { ...order, idempotencyKey: 'again' })).toMatchObject({
      code: 'already_reversed',
    });
    expect(await findings()).toEqual([]);
  });

  test('a wallet is continued behind what is packed', async () => {
    const { database, clock, users } = ledger;
    await signDailyHead(database);
    clock.advance(86_400_000);
    // The first block of the second user becomes full; some of its bills are packed.
    for (let n = 0; n < 3; n++)
      await postTransfers(
        database,
        Array.from({ length: 100 }, (_, device) =>
          ledger.reward(users[1], `2026-06-0${n + 1}`, device),
        ),
      );
    expect((await verifyLedgerSinceHead(database))?.findings).toEqual([]);
    expect(await findings()).toEqual([]);
  });

  test('a forged row takes the place of no packed bill', async () => {
    const { database } = ledger;
    const { rows: packs } = await database.query<Record<'wallet' | 'position' | 'id', number>>(
      `select wallet_id as wallet, positions[2] as position, transfer_ids[2] as id
        from entry_pack where cardinality(positions) > 1 order by wallet_id`,
    );
    const [pack] = packs;
    if (!pack) throw new Error('nothing is packed');
    const copyTransfer = (id: number) =>
      database.query(
        `insert into transfer (id, debit_wallet, debit_position, credit_wallet, credit_position,
            event_at, created_at, currency_id, business_id, may_overdraw, amount, request_hash,
            idempotency_key)
          select $1, debit_wallet, debit_position, credit_wallet, credit_position, event_at,
            created_at, currency_id, business_id, may_overdraw, 999999, request_hash, 'forged'
          from transfer limit 1`,
        [id],
      );
    for (const { id } of packs) await expect(copyTransfer(id)).rejects.toThrow(`${id} is packed`);
    const seen = await readAll(ledger);
    for (const { wallet, position } of packs)
      await database.query(
        `insert into entry (wallet_id, position, seq, transfer_id, created_at, currency_id,
            business_id, direction, amount, balance_after)
          select $1, $2, seq, transfer_id, created_at, currency_id, business_id, direction, 999999,
            balance_after from entry limit 1`,
        [wallet, position],
      );
    const forged = await readAll(ledger);
    const reported = await findings();
    await queryAsOwner(database, 'delete from entry where amount = 999999');
    // The journal has every row, as verify has.
    expect(forged.slice(0, -1)).toEqual(seen.slice(0, -1));
    expect(reported).not.toEqual([]);
    expect(await findings()).toEqual([]);
  });

  test('an instance cannot write packs, and the owner none of another shape', async () => {
    const { database } = ledger;
    if (database.kind === 'server')
      for (const sql of [
        'insert into entry_pack select * from entry_pack',
        'update entry_pack set amounts = amounts',
        'delete from entry_pack',
      ])
        await expect(database.query(sql)).rejects.toMatchObject({ code: '42501' });
    for (const [change, where, check] of [
      ['positions[1] = positions[2]', 'cardinality(positions) > 1', 'positions'],
      ['positions[1] = positions[1] + 256', 'true', 'positions'],
      ['transfer_ids[1] = transfer_ids[2]', 'cardinality(positions) > 1', 'transfers'],
      ['first_transfer = first_transfer - 16', 'true', 'transfers'],
      ['node_ids = node_ids[2:]', 'true', 'lengths'],
      ['amounts[1] = null', 'true', 'values'],
      ['directions[1] = 3', 'true', 'values'],
      ['idempotency_keys = null', 'wallet_id < 0', 'house'],
      ['other_seqs = seqs', 'wallet_id > 0', 'house'],
    ])
      await expect(
        queryAsOwner(database, `update entry_pack set ${change} where ${where}`),
        change,
      ).rejects.toMatchObject({ constraint: `entry_pack_${check}_check` });
    // From here on, by who can write the schema, too.
    await queryAsOwner(
      database,
      `do $$ declare c record; begin
        for c in select conname from pg_constraint
          where conrelid = 'entry_pack'::regclass and contype = 'c'
        loop execute format('alter table entry_pack drop constraint %I', c.conname); end loop;
      end $$`,
    );
  });

  test.each([
    ['of people', 'wallet_id > 0', 'balances_after[2]', 'has the wrong balance_after'],
    ['of people', 'wallet_id > 0', 'amounts[2]', 'is packed as something else'],
    ['of people', 'wallet_id > 0', 'positions[2]', 'does not follow the one before it'],
    ['of the house', 'wallet_id < 0', 'amounts[2]', 'does not agree with seal'],
    ['of the house', 'wallet_id < 0', 'other_balances[2]', 'does not agree with seal'],
    ['of the house', 'wallet_id < 0', 'transfer_ids[2]', 'is missing'],
  ])('a changed pack %s (%s: %s) is found', async (_, where, value, detail) => {
    const change = (by: number) =>
      queryAsOwner(
        ledger.database,
        `update entry_pack set ${value} = ${value} + ${by} where ${where}
          and (wallet_id, block) = (select wallet_id, block from entry_pack where ${where}
            order by wallet_id, block limit 1)`,
      );
    await change(1600);
    const found = await findings();
    await change(-1600);
    expect(found.some((finding) => finding.includes(detail))).toBe(true);
    expect(await findings()).toEqual([]);
  });

  test('a pack that is gone, or a list that is shorter, is found', async () => {
    const { database } = ledger;
    await queryAsOwner(database, 'create table kept as select * from entry_pack');
    for (const tamper of [
      'delete from entry_pack where wallet_id < 0',
      'delete from entry_pack where wallet_id > 0',
      'update entry_pack set seqs = seqs[1:3]',
      "update entry_pack set idempotency_keys[1] = 'forged' where wallet_id < 0",
      "update entry_pack set node_ids[1] = 'forged' where wallet_id > 0",
    ]) {
      await queryAsOwner(database, tamper);
      expect(await findings()).not.toEqual([]);
      await queryAsOwner(database, 'delete from entry_pack');
      await queryAsOwner(database, 'insert into entry_pack select * from kept');
    }
    await queryAsOwner(database, 'drop table kept');
    expect(await findings()).toEqual([]);
  });

  test('a name that is used again is found', async () => {
    const { database, users } = ledger;
    await signDailyHead(database);
    const again = {
      ...ledger.reward(users[0], '2026-03-02', 1),
      eventAt: new Date('2026-03-01T00:00:00Z'),
    };
    await postTransfers(database, [again]);
    expect((await verifyLedgerSinceHead(database))?.findings).toEqual([
      { check: 'keys', row: expect.any(String), detail: expect.stringMatching(HAS_KEY) },
    ]);
    expect((await findings())[0]).toMatch(HAS_KEY);
  });
});
