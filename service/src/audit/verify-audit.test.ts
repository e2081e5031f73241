import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../test/support/databases.ts';
import { testMasterKey } from '../../test/support/test-config.ts';
import { type AuditFacts, type Database, runAudited, transaction } from '../db/index.ts';
import { installLedger, signDailyHead, signHead, verifyLedger } from '../ledger/index.ts';
import { createManualClock } from '../lib/clock.ts';
import { type AuditPlace, readAuditPlace, sealEntries, verifyAudit } from './index.ts';

const ANA: AuditFacts = {
  actor_kind: 'person',
  ...{ actor_id: '7', operation: 'stopPayouts' },
  ...{ subject_kind: 'payout-stops', subject_id: 'ETH', reason: 'incident' },
};

describe.each(RUN_ENGINES)('the seals of the audit log on %s', (engine) => {
  const clock = createManualClock('2026-11-10T12:00:00Z');
  const opened: Database[] = [];
  let database: Database;
  let last: number;

  /** A change by Ana, in a transaction. */
  const stop = (currency: string): Promise<unknown> =>
    runAudited(ANA, () =>
      database.query(
        `insert into payout_stop (currency, reason, stopped_by, stopped_at)
         values ($1, 'incident', 'user:7', now())`,
        [currency],
      ),
    );
  const findProblems = async (from?: AuditPlace) => (await verifyAudit(database, from)).problems;

  beforeEach(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    opened.push(database);
    installLedger(database, { clock, masterKey: testMasterKey });
    for (const currency of ['ETH', 'BTC', 'LTC']) {
      await stop(currency);
      await sealEntries(database);
    }
    const { rows } = await database.query<{ id: number }>('select max(id) as id from audit_entry');
    last = rows[0]?.id ?? 0;
  });
  afterAll(async () => {
    for (const one of opened) await one.close();
  });

  test('cover each entry once, and agree with what is there', async () => {
    const { rows } = await database.query<{ count: number }>('select count(*) from audit_entry');
    const whole = await verifyAudit(database);
    expect(whole).toMatchObject({ entries: rows[0]?.count, unsealed: 0, problems: [] });
    await stop('DOGE');
    expect(await verifyAudit(database)).toMatchObject({ unsealed: 1, problems: [] });
    await Promise.all([sealEntries(database), sealEntries(database)]);
    expect(await verifyAudit(database)).toMatchObject({
      ...{ entries: whole.entries + 1, seals: whole.seals + 1, unsealed: 0, problems: [] },
    });
  });

  test('wait for a change that commits after a later one', async () => {
    let commit = (): void => {};
    if (database.kind === 'embedded') return;
    const begun = Promise.withResolvers<void>();
    const slow = runAudited(ANA, () =>
      transaction(database, async (tx) => {
        await tx.query(
          `insert into payout_stop (currency, reason, stopped_by, stopped_at)
           values ('SLOW', 'x', 'user:7', now())`,
        );
        begun.resolve();
        await new Promise<void>((resolve) => {
          commit = resolve;
        });
      }),
    );
    await begun.promise;
    await stop('FAST');
    await sealEntries(database);
    commit();
    await slow;
    expect(await verifyAudit(database)).toMatchObject({ unsealed: 1, problems: [] });
    await sealEntries(database);
    expect(await verifyAudit(database)).toMatchObject({ unsealed: 0, problems: [] });
  });

  test.each([
    ['another actor', "update audit_entry set actor_id = '8' where id = $1", 'was altered'],
    ['another value before', `update audit_entry set before = '{}' where id = $1`, 'was altered'],
    ['another reason', "update audit_entry set reason = 'none' where id = $1", 'was altered'],
    ['another time', 'update audit_entry set at = now() where id = $1', 'was altered'],
    ['a removed entry', 'delete from audit_entry where id = $1', 'was removed'],
  ])('find %s', async (_what, attack, found) => {
    await database.query(attack, [last]);
    expect(await findProblems()).toEqual([`entry ${last} ${found}`]);
  });

  test('find an entry that was inserted', async () => {
    const insert = `insert into audit_entry (at, actor_kind, actor_id, operation, subject_kind,
      subject_id) values ($1, 'person', '8', 'stopPayouts', 'payout-stops', 'ETH') returning id`;
    const add = async (at: Date): Promise<number> =>
      (await database.query<{ id: number }>(insert, [at])).rows[0]?.id ?? 0;
    const bare = await add(new Date());
    const uncovered = [`entry ${bare} is covered by no seal: it was inserted`];
    expect(await findProblems()).toEqual(uncovered);
    // Not even when it claims a seal.
    await database.query('insert into audit_sealed (entry_id, position) values ($1, 1)', [bare]);
    expect(await findProblems()).toEqual(uncovered);
    await database.query('delete from audit_sealed where entry_id = $1', [bare]);
    await database.query('delete from audit_entry where id = $1', [bare]);
    // Nor by having it sealed under an older time.
    const late = await add(new Date('2020-01-01T00:00:00Z'));
    await database.query('insert into audit_unsealed (entry_id) values ($1)', [late]);
    await sealEntries(database);
    expect(await findProblems()).toEqual([
      expect.stringMatching(`^entry ${late} was inserted later: it says 2020-01-01`),
    ]);
  });

  test('find a seal that was made anew, or removed with its entries', async () => {
    const place = await readAuditPlace(database);
    await database.query("update audit_entry set actor_id = '8' where id = $1", [last]);
    await database.query('update audit_seal set leaves = $1 where position = $2', [
      Buffer.alloc(32),
      place?.position,
    ]);
    expect(await findProblems()).toEqual([
      `seal ${place?.position} was altered`,
      `entry ${last} was altered`,
    ]);
    await database.query('delete from audit_seal where position = 2');
    expect(await findProblems()).toContain('seal 2 was removed');
  });

  test('a signed head finds that the end was cut off', async () => {
    const head = await signHead(database);
    const place = await readAuditPlace(database);
    expect(JSON.parse(head.body)).toMatchObject({ audit: place });
    expect((await verifyLedger(database, [head])).findings).toEqual([]);
    await database.query('delete from audit_entry where id = $1', [last]);
    await database.query('delete from audit_sealed where entry_id = $1', [last]);
    await database.query('delete from audit_seal where position = $1', [place?.position]);
    expect(await findProblems()).toEqual([]);
    expect((await verifyLedger(database, [head])).findings).toEqual([
      expect.objectContaining({ check: 'heads', row: `audit seal ${place?.position}` }),
    ]);
  });

  test('from a signed head on, what is new is read', async () => {
    clock.advance(86_400_000);
    await signDailyHead(database);
    const place = await readAuditPlace(database);
    await stop('NEW');
    await sealEntries(database);
    expect(await verifyAudit(database, place)).toMatchObject({ entries: 1, problems: [] });
    expect((await verifyAudit(database, place)).end).toEqual(await readAuditPlace(database));
    await database.query("update audit_entry set actor_id = '8' where id > $1", [last]);
    expect(await findProblems(place)).toEqual([expect.stringContaining('was altered')]);
  });
});
