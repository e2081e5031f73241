import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import { createNetwork, type SettledNetwork } from '../../../test/support/settled-network.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import { asPerson, createTestServer } from '../../../test/support/test-server.ts';
import { type Database, transaction } from '../../db/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import { createProofKey, registerRewards, settleDue, verifySettlements } from '../index.ts';

const START = new Date('2026-05-01T00:00:00Z');

/** Undoes a change. */
class Undone extends Error {}

interface Change {
  readonly table: string;
  readonly set: string;
  readonly where: string;
  /** What the check of the ledger says. */
  readonly named: string;
  /** Of the request for the proof; default `not_provable`. */
  readonly code?: string;
  readonly detail: string;
}

describe.each(RUN_ENGINES)('settled records on %s', (engine) => {
  const clock = createManualClock(START);
  let database: Database;
  let network: SettledNetwork;

  beforeAll(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    network = await createNetwork(database, clock, START);
    await network.use(START);
    await settleDue({
      database,
      clock,
      rewardCurrency: 'EDGE',
      grace_s: 600,
      period: 'hour' as const,
    });
  });
  afterAll(() => database.close());

  test('what was changed in the database since is found, named, and cannot be proven', async () => {
    const { rows } = await database.query(
      `select count(*)::int as settlements, sum(lines)::int as lines from reward_batch
        where state = 'settled'`,
    );
    expect(await verifySettlements(database)).toEqual({
      ...rows[0],
      archived: 0,
      unread: 0,
      problems: [],
    });

    const [userId] = network.users;
    const { rows: paid } = await database.query<{ batch: number; leaf: number; bill: number }>(
      `select l.batch_id as batch, l.leaf, t.id * 2 as bill from reward_line l
        join transfer t on t.idempotency_key = 'reward:' || l.batch_id || ':' || l.leaf
        where l.user_id = $1 and l.reward_type = 'TRAFFIC'`,
      [userId],
    );
    const { batch, leaf, bill } = paid[0] ?? { batch: 0, leaf: 0, bill: 0 };
    const path = `/me/rewards/${bill}/proof`;
    const firstReport = `id = (
      select report_ids[1] from reward_line where batch_id = ${batch} and leaf = ${leaf}
    )`;
    const line = `reward_line ${batch}/${leaf}`;
    const otherReports = `${line} was settled from other reports than there are now`;
    const otherLines = `The lines of settlement ${batch} are not those that were settled`;
    const contradicting = 'The records contradict each other (reported)';
    const advice = 'Tell the operator: a check of the ledger names the changed records.';
    const changes: readonly Change[] = [
      // Its own line, a neighbour's, a penalty's reason, the rules, a report, the bill, the root.
      {
        table: 'reward_line',
        set: 'amount = amount + 1',
        where: `batch_id = ${batch} and leaf = ${leaf}`,
        named: `reward_line ${batch}/${leaf} does not agree`,
        detail: otherLines,
      },
      {
        table: 'reward_line',
        set: 'amount = amount - 1',
        where: `batch_id = ${batch} and leaf = 0`,
        named: `reward_line ${batch}/0 `,
        detail: otherLines,
      },
      {
        table: 'reward_line',
        set: "reason = 'changed'",
        where: `batch_id = ${batch} and leaf = 1`,
        named: `reward_line ${batch}/0 to `,
        detail: otherLines,
      },
      {
        table: 'reward_rules',
        set: "body = replace(body, '0.5', '0.6')",
        where: 'version = 1',
        named: 'reward_rules 1',
        detail: 'The records contradict each other (ruled)',
      },
      {
        table: 'traffic_report',
        set: 'bytes_up = bytes_up + 1',
        where: 'refusal is null',
        named: 'traffic_report relay/1777593600000-1 is not what the relay sent',
        detail: 'Traffic report relay/1777593600000-1 is not what the relay sent',
      },
      {
        table: 'traffic_report',
        set: "report_id = 'forged'",
        where: firstReport,
        named: `${otherReports}: relay/forged`,
        detail: contradicting,
      },
      {
        table: 'traffic_report',
        set: `report_id = 'forged', bytes_up = bytes_up - 5, bytes_down = bytes_down + 5,
          from_at = from_at + interval '1 second'`,
        where: firstReport,
        named: 'traffic_report relay/forged is not what the relay sent',
        detail: 'Traffic report relay/forged is not what the relay sent',
      },
      {
        table: 'traffic_report',
        set: "refusal = 'report_too_late'",
        where: 'refusal is null',
        named: `reward_line ${batch}/${leaf} was settled from other`,
        detail: contradicting,
      },
      {
        table: 'reward_line',
        set: "report_ids = '{}'",
        where: `batch_id = ${batch} and leaf = ${leaf}`,
        named: `${otherReports}: none`,
        detail: contradicting,
      },
      {
        table: 'reward_line',
        set: 'referee_id = 1',
        where: `batch_id = ${batch} and leaf = 1`,
        named: `reward_line ${batch}/0 to `,
        detail: otherLines,
      },
      {
        table: 'reward_chunk',
        set: 'leaf_format = 2',
        where: `batch_id = ${batch}`,
        named: `reward_line ${batch}/0 to `,
        detail: otherLines,
      },
      {
        table: 'transfer',
        set: "idempotency_key = idempotency_key || 'x'",
        where: `idempotency_key = 'reward:${batch}:${leaf}'`,
        named: `reward_line ${batch}/${leaf} has no bill`,
        code: 'not_paid_by_rules',
        detail: 'An operator posted this bill; it has no rule and no usage.',
      },
      {
        table: 'transfer',
        set: "reference = 'rewards'",
        where: `idempotency_key = 'reward-root:${batch}'`,
        named: 'the ledger does not carry',
        detail: `The ledger does not carry the root of settlement ${batch}`,
      },
    ];
    for (const { table, set, where, named, code, detail } of changes) {
      await transaction(database, async (tx) => {
        expect(
          (await tx.query(`update ${table} set ${set} where ${where}`)).rowCount,
          set,
        ).toBeGreaterThan(0);
        expect((await verifySettlements(tx)).problems.join('\n')).toContain(named);
        const changed = createTestServer();
        registerRewards(changed, {
          db: tx,
          clock,
          grace_s: 600,
          period: 'hour' as const,
          rewardCurrency: 'EDGE',
          proofKey: createProofKey(testMasterKey),
        });
        const answer = (
          await changed.inject({ url: path, headers: asPerson(userId, 'account:read') })
        ).json();
        expect(answer, set).toMatchObject({
          status: 409,
          code: code ?? 'not_provable',
          detail: code ? detail : `${detail}, so no proof can be made. ${advice}`,
        });
        await changed.close();
        throw new Undone();
      }).catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
    }
    expect((await verifySettlements(database)).problems).toEqual([]);
  });

  test('a settlement with another time is verified when its root was posted since', async () => {
    const at = new Date('2026-06-01T00:00:00Z');
    const { rows: ends } = await database.query<{ shard: number; transfers: number }>(
      'select shard, transfers from ledger_shard',
    );
    const none = await verifySettlements(database, { at, transfers: ends });
    expect(none).toMatchObject({ settlements: 0, problems: [] });
    const starts = ends.map(({ shard }) => ({ shard, transfers: 0 }));
    const { rows } = await database.query(
      'select from reward_batch where root_transfer is not null',
    );
    expect(rows.length).toBeGreaterThan(0);
    expect(await verifySettlements(database, { at, transfers: starts })).toMatchObject({
      ...{ settlements: rows.length, problems: [] },
    });
  });

  test('a bill of a settlement under way cannot be proven yet', async () => {
    const app = createTestServer();
    const proofKey = createProofKey(testMasterKey);
    const deps = {
      db: database,
      clock,
      grace_s: 600,
      period: 'hour' as const,
      rewardCurrency: 'EDGE',
      proofKey,
    };
    registerRewards(app, deps);
    await database.query(`create function refuse_end() returns trigger language plpgsql as
      $$ begin raise exception 'refused by the test'; end $$`);
    await database.query(`create trigger refuse_end before update on reward_batch for each row
      when (new.state = 'settled') execute function refuse_end()`);
    const [userId = 0] = network.users;
    const settle = () => settleDue({ database, ...deps });
    const prove = async (bill: number) => {
      const url = `/me/rewards/${bill}/proof`;
      return app.inject({ url, headers: asPerson(userId, 'account:read') });
    };
    clock.advance(3_600_000);
    await network.use(new Date(START.getTime() + 3_600_000));
    await expect(settle()).rejects.toThrow('refused by the test');
    const { rows } = await database.query<{ bill: number }>(
      `select t.id * 2 as bill from reward_line l join reward_batch b on b.id = l.batch_id
        join transfer t on t.idempotency_key = 'reward:' || l.batch_id || ':' || l.leaf
        where l.user_id = $1 and l.reward_type = 'TRAFFIC' and b.state = 'posting'`,
      [userId],
    );
    const bill = rows[0]?.bill ?? 0;
    const answer = await prove(bill);
    expect(answer.json()).toMatchObject({
      ...{ status: 409, code: 'not_settled', detail: 'The hour is being settled.' },
    });
    expect(answer.headers['retry-after']).toBe('10');
    await database.query('drop trigger refuse_end on reward_batch');
    await settle();
    expect((await prove(bill)).statusCode).toBe(200);
    await app.close();
  });
});
