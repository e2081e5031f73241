/** Verification that continues from the last one that found nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  dropGuards,
  openTamperedLedger,
  type TamperedLedger,
} from '../../../test/ledger/tampering-fixture.ts';
import { RUN_ENGINES } from '../../../test/support/databases.ts';
import { readLastVerification, recordVerification } from '../../audit/index.ts';
import { type Database, type Db, type Transaction, transaction } from '../../db/index.ts';
import {
  postTransfers,
  sealPlace,
  signDailyHead,
  verifyLedgerSinceHead,
  verifyLedgerSinceVerification,
} from '../index.ts';

const DAY_MS = 86_400_000;

describe.each(RUN_ENGINES)('verifying since the last verification on %s', (engine) => {
  let database: Database;
  let ledger: TamperedLedger;
  let between: number;

  const post = (first: number, count: number) =>
    postTransfers(
      database,
      Array.from({ length: count }, (_, n) => ledger.reward(first + n)),
    );
  const record = async (db: Db, place?: { body: string; mac: string }): Promise<void> => {
    const report = await verifyLedgerSinceVerification(db);
    await recordVerification(db, {
      ...{ since: report.since, parts: ['ledger'], findings: report.findings.length },
      ...{ verified_until: report.verified_until, place: place ?? sealPlace(db, report.place) },
    });
  };
  const rows = async (db: Db): Promise<string[]> =>
    (await verifyLedgerSinceVerification(db)).findings.map(({ row }) => row);
  /** Runs work in a transaction that is rolled back. */
  async function undone(work: (tx: Transaction) => Promise<void>): Promise<void> {
    const undo = new Error('undo');
    await expect(
      transaction(database, async (tx) => {
        await work(tx);
        throw undo;
      }),
    ).rejects.toBe(undo);
  }
  async function tamper(tx: Transaction): Promise<void> {
    await dropGuards(tx, 'entry');
    await tx.query('update entry set amount = amount + 1 where transfer_id = $1', [between]);
  }

  beforeAll(async () => {
    ledger = await openTamperedLedger(engine);
    ({ database } = ledger);
    ledger.clock.advance(DAY_MS);
    await signDailyHead(database);
    await post(2000, 5);
  });
  afterAll(() => database.close());

  test('without a record everything is read, and the record has how far', async () => {
    const report = await verifyLedgerSinceVerification(database);
    expect(report).toMatchObject({ continued_from: null, since: null, findings: [] });
    expect(report.verified_until).toBe(ledger.clock.now().toISOString());
    await record(database);
    expect(await verifyLedgerSinceVerification(database)).toMatchObject({
      ...{ continued_from: 'verification', since: report.verified_until, findings: [] },
      ...{ transfers: 0, seals: 0 },
    });
  });

  test('what was posted between a verification and the next head is read by the next', async () => {
    ledger.clock.advance(1000);
    const [posted] = await post(3000, 7);
    between = posted?.status === 'posted' ? posted.transferId : 0;
    ledger.clock.advance(DAY_MS);
    await signDailyHead(database);
    ledger.clock.advance(1000);
    await post(4000, 3);
    expect(await verifyLedgerSinceVerification(database)).toMatchObject({
      ...{ findings: [], transfers: 10 },
    });
    await undone(async (tx) => {
      await tamper(tx);
      expect((await verifyLedgerSinceHead(tx))?.findings).toEqual([]);
      expect((await rows(tx)).join()).toMatch(/entry -?\d+\/\d+/);
    });
  });

  test.each([
    ['whose hash is of another text', 'body'],
    ['without a hash', 'mac'],
  ])('a forged record %s is named, and moves nothing', async (_, part) => {
    await undone(async (tx) => {
      await tamper(tx);
      const { place } = await verifyLedgerSinceVerification(tx);
      const sealed = sealPlace(tx, place);
      await record(
        tx,
        part === 'body' ? { ...sealed, body: `${sealed.body} ` } : { ...sealed, mac: '' },
      );
      const found = await rows(tx);
      expect(found[0]).toMatch(/^audit_entry \d+$/);
      expect(found.slice(1).join()).toMatch(/entry -?\d+\/\d+/);
    });
  });

  /** Inserts the first true record again. @param at,body,count as SQL */
  const repeat = (tx: Transaction, at: string, body = 'body', count = 1) =>
    tx.query(
      `insert into audit_entry (at, actor_kind, actor_id, operation, subject_kind, subject_id,
          after)
        select ${at}, actor_kind, actor_id, operation, subject_kind, subject_id,
          jsonb_set(after, '{place,body}', to_jsonb(${body}))
        from (
          select *, after->'place'->>'body' as body from audit_entry
          where after ? 'place' order by id limit 1
        ) first, generate_series(1, ${count})`,
    );

  test('an old record that is repeated holds nothing back', async () => {
    await undone(async (tx) => {
      await record(tx);
      await repeat(tx, "now() + interval '1 hour'");
      expect(await verifyLedgerSinceVerification(tx)).toMatchObject({ findings: [], transfers: 0 });
    });
  });

  test('records of the future are named once, and passed over', async () => {
    await undone(async (tx) => {
      await record(tx);
      await repeat(tx, "'2100-01-01'", 'body', 3);
      expect(await verifyLedgerSinceVerification(tx)).toMatchObject({
        findings: [{ check: 'verifications', detail: expect.stringContaining('3 such records') }],
        transfers: 0,
      });
      expect(await readLastVerification(tx)).not.toMatchObject({ at: new Date('2100-01-01') });
    });
  });

  test('behind many forged records the true one is found', async () => {
    await undone(async (tx) => {
      await record(tx);
      await repeat(tx, "now() + interval '1 minute'", "body || ' '", 1001);
      const { findings, transfers } = await verifyLedgerSinceVerification(tx);
      expect(transfers).toBe(0);
      expect(findings).toHaveLength(20);
    });
  });

  test('a head or a tail that is gone since is found', async () => {
    await undone(async (tx) => {
      await record(tx);
      await dropGuards(tx, 'ledger_head');
      await tx.query('delete from ledger_head where day = (select max(day) from ledger_head)');
      expect((await rows(tx))[0]).toMatch(/^ledger_head /);
    });
    await undone(async (tx) => {
      await record(tx);
      await dropGuards(tx, 'batch_seal');
      await tx.query(
        `delete from batch_seal where (shard, position) =
          (select shard, seals from ledger_shard order by seals desc limit 1)`,
      );
      expect((await rows(tx))[0]).toMatch(/^seal /);
    });
  });
});
