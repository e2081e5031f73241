/** Verification that continues from the last signed head. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  copyRow,
  dropGuards,
  openTamperedLedger,
  type TamperedLedger,
} from '../../../test/ledger/tampering-fixture.ts';
import { ENGINES } from '../../../test/support/databases.ts';
import { type Database, type Transaction, transaction } from '../../db/index.ts';
import {
  cancelHold,
  placeHold,
  postTransfers,
  signDailyHead,
  signHead,
  verifyLedger,
  verifyLedgerSinceHead,
} from '../index.ts';

const DAY_MS = 86_400_000;
/** Rows of the ledger that were posted after the head. */
const NEW = 'created_at > (select max(created_at) from ledger_head)';

describe.each(ENGINES)('verifying since the last head on %s', (engine) => {
  let database: Database;
  let ledger: TamperedLedger;

  beforeAll(async () => {
    ledger = await openTamperedLedger(engine);
    ({ database } = ledger);
    ledger.clock.advance(DAY_MS);
    await signDailyHead(database);
    ledger.clock.advance(1000);
    await postTransfers(
      database,
      Array.from({ length: 30 }, (_, n) => ledger.reward(2000 + n)),
    );
    const account = { userId: await onlyUser(), wallet: 'asset' };
    const terms = { account, currency: 'EDGE', amount: 9n, businessId: 'withdrawal' };
    const kept = await placeHold(database, { idempotencyKey: 'new1', ...terms });
    const gone = await placeHold(database, { idempotencyKey: 'new2', ...terms });
    expect(kept.status).not.toBe('refused');
    if (gone.status !== 'refused')
      await cancelHold(database, { idempotencyKey: 'new3', holdId: gone.hold.id });
    await postTransfers(database, [
      {
        ...ledger.reward(9000),
        amount: 10n ** 30n,
        debit: { userId: account.userId, wallet: 'bonus' },
        credit: { house: 'adjustment' },
        requestKey: 'refused later',
      },
    ]);
  });
  afterAll(() => database.close());

  async function onlyUser(): Promise<number> {
    const { rows } = await database.query<{ id: number }>('select id from app_user limit 1');
    return rows[0]?.id ?? 0;
  }

  /** Runs work in a transaction that is rolled back. */
  async function undone(work: (tx: Transaction) => Promise<void>): Promise<void> {
    const undo = new Error('undo');
    await transaction(database, async (tx) => {
      await work(tx);
      throw undo;
    }).catch((error: unknown) => {
      if (error !== undo) throw error;
    });
  }

  /** What both verifications find after `tamper`. */
  async function after(tamper: (tx: Transaction) => Promise<unknown>): Promise<{
    since: string[];
    all: string[];
  }> {
    const rowsOf = (report: { findings: readonly { row: string }[] } | undefined): string[] =>
      report?.findings.map(({ row }) => row) ?? ['no head'];
    let found = { since: ['nothing was verified'], all: ['nothing was verified'] };
    await undone(async (tx) => {
      await tamper(tx);
      found = {
        since: rowsOf(await verifyLedgerSinceHead(tx)),
        all: rowsOf(await verifyLedger(tx)),
      };
    });
    return found;
  }

  async function change(
    table: string,
    set: string,
    where: string,
  ): Promise<{
    since: string[];
    all: string[];
  }> {
    return after(async (tx) => {
      await dropGuards(tx, table);
      const { rowCount } = await tx.query(`update ${table} set ${set} where ${where}`);
      expect(rowCount).toBeGreaterThan(0);
    });
  }

  test('an unchanged ledger has no findings; what was read is what was posted since', async () => {
    const head = await database.query<{ body: string }>(
      'select body from ledger_head order by day desc limit 1',
    );
    expect(await verifyLedgerSinceHead(database)).toMatchObject({
      findings: [],
      transfers: 30,
      heads: 1,
      since: (JSON.parse(head.rows[0]?.body ?? '{}') as { signed_at: string }).signed_at,
    });
    expect(await verifyLedger(database)).toMatchObject({ findings: [], since: null });
  });

  test.each([
    ['transfer', 'amount = amount + 1', NEW],
    ['transfer', "idempotency_key = idempotency_key || 'x'", NEW],
    ['transfer', "remark = 'other'", NEW],
    ['entry', 'balance_after = balance_after + 1', NEW],
    ['entry', 'seq = seq + 1', NEW],
    ['entry', 'amount = amount + 1', NEW],
    ['hold_step', 'amount = amount + 1', NEW],
    ['hold', 'remaining = remaining - 1', `${NEW} and state = 'open'`],
    ['hold', "reference = 'other'", NEW],
    ['refused_posting', "code = 'other'", NEW],
    ['account', 'credits = credits + 1', 'wallet_id > 0 and seq > 0'],
    ['account', 'credits = credits + 1, debits = debits + 1, seq = seq + 1', 'wallet_id > 0'],
    ['account', 'held = held + 1', 'held > 0'],
    ['account', 'overdrawn = not overdrawn', 'wallet_id > 0 and seq > 30'],
    ['ledger_shard', 'transfers = transfers + 1', 'true'],
    ['batch_seal', 'mac = set_byte(mac, 0, get_byte(mac, 0) # 1)', NEW],
    ['ledger_head', 'body = replace(body, \'"shard":0\', \'"shard":1\')', 'true'],
  ])('%s with %s is found', async (table, set, where) => {
    const { since, all } = await change(table, set, where);
    expect(since).not.toEqual([]);
    expect(all).not.toEqual([]);
  });

  test.each(['transfer', 'entry', 'hold_step', 'batch_seal', 'refused_posting'])(
    'a new row of %s that is gone is found',
    async (table) => {
      const { since } = await after(async (tx) => {
        await dropGuards(tx, table);
        await tx.query(
          `delete from ${table} where ctid = (select ctid from ${table} where ${NEW} limit 1)`,
        );
      });
      expect(since).not.toEqual([]);
    },
  );

  test('a transfer with the key of another one is found', async () => {
    const { since } = await after(async (tx) => {
      await dropGuards(tx, 'transfer');
      await copyRow(tx, 'transfer', { id: '(select max(id) + 160000 from transfer)' }, NEW);
    });
    expect(since.join()).toMatch(/transfer \d+/);
  });

  test('an older row is found by the whole verification, or when a new one uses it', async () => {
    const older = `not (${NEW})`;
    const changed = await change('transfer', "remark = 'other'", `${older} and id % 16 = 1`);
    expect(changed.since).toEqual([]);
    expect(changed.all).not.toEqual([]);

    const forged = await after(async (tx) => {
      await dropGuards(tx, 'account');
      await dropGuards(tx, 'entry');
      await tx.query(
        `update entry set balance_after = balance_after + 5
          where wallet_id > 0 and ${older} and position = (
            select max(o.position) from entry o
            where o.wallet_id = entry.wallet_id and not (o.${NEW}))`,
      );
    });
    expect(forged.since.join()).toMatch(/entry \d+\/\d+/);
  });

  test('a tail that was cut off is found by a head that was kept elsewhere', async () => {
    const kept = await signHead(database);
    await undone(async (tx) => {
      for (const table of ['batch_seal', 'ledger_shard']) await dropGuards(tx, table);
      await tx.query(`delete from batch_seal where ${NEW}`);
      await tx.query(
        `update ledger_shard l set seals = h.seals, transfers = h.transfers, steps = h.steps,
            refusals = h.refusals, mac = decode(h.mac, 'hex')
          from (select body from ledger_head order by day desc limit 1) as last,
            json_to_recordset(last.body::json -> 'shards') as h (shard smallint, seals bigint,
              transfers bigint, steps bigint, refusals bigint, mac text)
          where h.shard = l.shard`,
      );
      expect(await verifyLedgerSinceHead(tx)).toMatchObject({ findings: [] });
      const found = await verifyLedgerSinceHead(tx, [kept]);
      expect(found?.findings[0]?.detail).toContain('its tail was cut off');
    });
  });

  test('without a head there is nothing to continue from', async () => {
    await undone(async (tx) => {
      await tx.query('delete from ledger_head');
      expect(await verifyLedgerSinceHead(tx)).toBeUndefined();
    });
  });
});
