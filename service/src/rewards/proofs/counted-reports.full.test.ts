import { PROOF_CHECKS, verifyRewardProof } from '@edge-account/sdk/reward-proof';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTestDatabase, RUN_ENGINES } from '../../../test/support/databases.ts';
import { addOnline, insertDevice } from '../../../test/support/network.ts';
import { settleInOneTree } from '../../../test/support/settle-in-one-tree.ts';
import { createNetwork, type SettledNetwork } from '../../../test/support/settled-network.ts';
import { testMasterKey } from '../../../test/support/test-config.ts';
import { asPerson, createTestServer } from '../../../test/support/test-server.ts';
import { type Database, type Db, transaction } from '../../db/index.ts';
import { recordTraffic } from '../../devices/index.ts';
import type { HttpServer } from '../../http/index.ts';
import { postTransfers } from '../../ledger/index.ts';
import { createManualClock } from '../../lib/clock.ts';
import {
  createProofKey,
  registerRewards,
  releaseHeld,
  settleDue,
  verifySettlements,
} from '../index.ts';

const HOUR_MS = 3_600_000;
const START = new Date('2026-05-01T00:00:00Z');
const END = new Date(START.getTime() + HOUR_MS);
const DUE = new Date(END.getTime() + 600_000);
const KEYS = [createProofKey(testMasterKey).published];
const WAITING =
  "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";

/** Undoes a change. */
class Undone extends Error {}

interface Line {
  readonly bill_id?: number;
  readonly reward_type: string;
  readonly status: string;
  readonly is_correction: boolean;
}

describe.each(RUN_ENGINES)('the evidence of a line on %s', (engine) => {
  const clock = createManualClock(START);
  let database: Database;
  let network: SettledNetwork;
  let app: HttpServer;

  beforeEach(async () => {
    database = await openTestDatabase(engine, { isOwner: true });
    network = await createNetwork(database, clock, START);
    app = createTestServer();
    registerRewards(app, {
      db: database,
      clock,
      grace_s: 600,
      period: 'hour' as const,
      rewardCurrency: 'EDGE',
      proofKey: createProofKey(testMasterKey),
    });
  });
  afterEach(async () => {
    await app.close();
    await database.close();
  });

  const deps = () => ({
    database,
    clock,
    rewardCurrency: 'EDGE',
    grace_s: 600,
    period: 'hour' as const,
  });
  const get = async (path: string, userId: number) =>
    (await app.inject({ url: path, headers: asPerson(userId, 'account:read', 'dashboard:read') }))
      .body;
  const linesOf = async (userId: number, filter = ''): Promise<Line[]> =>
    JSON.parse(await get(`/me/rewards?current=1&size=20${filter}`, userId)).records;
  const report = (db: Db, ids: readonly string[], device = 0) =>
    recordTraffic(
      db,
      { clock, window_s: 604_800 },
      'relay',
      ids.map((reportId) => ({
        reportId,
        nodeId: network.devices[device]?.nodeId ?? '',
        bytesUp: 500_000_000n,
        bytesDown: 0n,
        from: START,
        to: END,
      })),
    );

  /** The proof of each bill of a user, which must be valid. */
  async function proofsOf(userId: number, filter = '') {
    // A held line and the one that released it have the same bill.
    const bills = new Set((await linesOf(userId, filter)).flatMap(({ bill_id }) => bill_id ?? []));
    const texts = await Promise.all([...bills].map((id) => get(`/me/rewards/${id}/proof`, userId)));
    for (const text of texts) {
      const outcome = await verifyRewardProof(text, KEYS);
      expect(PROOF_CHECKS.filter((check) => !outcome[check])).toEqual([]);
    }
    return texts.map((text) => JSON.parse(text)).toReversed();
  }
  const namesOf = (proof: { reports: { report_id: string }[] }): string[] =>
    proof.reports.map(({ report_id }) => report_id);

  async function correct(): Promise<void> {
    clock.set(new Date(DUE.getTime() + HOUR_MS));
    await settleDue(deps());
  }

  async function checkBothBills(): Promise<void> {
    const [top] = network.users;
    expect((await proofsOf(top, '&rewardType=TRAFFIC')).map(namesOf)).toEqual([
      ['b1'],
      ['a1', 'b1'],
    ]);
    await proofsOf(top);
    expect((await verifySettlements(database)).problems).toEqual([]);
  }

  async function settleWithOnline(): Promise<void> {
    await addOnline(database, START, [
      { deviceId: network.devices[0]?.id ?? 0, online_ms: HOUR_MS },
    ]);
    clock.set(DUE);
    await settleDue(deps());
  }

  test('settled reports stay, though an instance with a slow clock adds one', async () => {
    clock.set(new Date(END.getTime() + 300_000));
    await report(database, ['b1']);
    await settleWithOnline();
    clock.set(new Date(END.getTime() + 240_000));
    await report(database, ['a1']);
    await correct();
    await checkBothBills();
  });

  if (engine === 'server')
    test('settled reports stay, though an earlier one waited to be stored', async () => {
      clock.set(new Date(END.getTime() + 240_000));
      const isHeld = Promise.withResolvers<void>();
      const mayEnd = Promise.withResolvers<void>();
      const holder = transaction(database, async (tx) => {
        await report(tx, ['zz'], 1);
        isHeld.resolve();
        await mayEnd.promise;
        throw new Undone();
      }).catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
      await isHeld.promise;
      const waiting = report(database, ['a1', 'zz']);
      await vi.waitFor(async () => expect((await database.query(WAITING)).rowCount).toBe(1));
      clock.advance(60_000);
      await report(database, ['b1']);
      await settleWithOnline();
      mayEnd.resolve();
      await Promise.all([holder, waiting]);
      await correct();
      const [top] = network.users;
      expect((await proofsOf(top, '&rewardType=TRAFFIC')).map(namesOf)).toEqual([
        ['b1'],
        ['a1', 'b1', 'zz'],
      ]);
      expect((await verifySettlements(database)).problems).toEqual([]);
    });

  test('reports that do not add up to the quantity are named', async () => {
    clock.set(END);
    await report(database, ['b1']);
    await database.query('update traffic_hour set bytes = bytes + 1');
    await settleWithOnline();
    const [top] = network.users;
    expect((await verifySettlements(database)).problems).toEqual([
      'reward_line 1/1 has 500000001, but its reports make up 500000000: relay/b1',
    ]);
    const [line] = await linesOf(top, '&rewardType=TRAFFIC');
    expect(JSON.parse(await get(`/me/rewards/${line?.bill_id}/proof`, top))).toMatchObject({
      code: 'not_provable',
    });
  });

  test('hours settled by versions before keep their proofs', async () => {
    await database.query(
      `create function as_before() returns trigger language plpgsql as $$
        begin new.report_ids := null; new.reports_hash := null; return new; end $$`,
    );
    await database.query(
      `create trigger as_before before insert on reward_line for each row execute function
        as_before()`,
    );
    await network.use(START);
    await settleInOneTree(database, () => settleDue(deps()));
    await database.query('drop trigger as_before on reward_line');
    await network.use(END);
    await settleInOneTree(database, () => settleDue(deps()));
    await network.use(new Date(END.getTime() + HOUR_MS));
    await settleDue(deps());
    const seen = new Set<string>();
    for (const userId of network.users) {
      for (const { format, line, reports } of await proofsOf(userId))
        seen.add(`${format.at(-1)} ${line.reward_type} ${reports.length}`);
    }
    expect([...seen].sort()).toEqual(
      [2, 3, 4].flatMap((format) =>
        [
          'BONUS 0',
          `PENALTY ${format === 2 ? 0 : 1}`,
          'REFERRAL 0',
          'TRAFFIC 1',
          'TRAFFIC 2',
          'UPTIME 0',
        ].map((kind) => `${format} ${kind}`),
      ),
    );
    expect((await verifySettlements(database)).problems).toEqual([]);
    // A changed report of such an hour is not provable either.
    await database.query(
      `update traffic_report set bytes_up = bytes_up - 5, bytes_down = bytes_down + 5
        where report_id like '%-1'`,
    );
    const [top] = network.users;
    const traffic = await linesOf(top, '&rewardType=TRAFFIC');
    for (const { bill_id } of traffic)
      expect(JSON.parse(await get(`/me/rewards/${bill_id}/proof`, top))).toMatchObject({
        code: 'not_provable',
      });
    expect(traffic).toHaveLength(3);
  });

  test('a changed time online is named, and is not provable', async () => {
    await network.use(START);
    await settleDue(deps());
    const [top] = network.users;
    const [uptime] = await linesOf(top, '&rewardType=UPTIME');
    const [device] = network.devices;
    for (const change of [-1, 1, -HOUR_MS]) {
      // More than the whole hour counts as the hour.
      const [id, userId] =
        change > 0 ? [network.devices[1]?.id, network.users[1]] : [device?.id, top];
      const bill =
        change > 0 ? (await linesOf(userId, '&rewardType=UPTIME'))[0]?.bill_id : uptime?.bill_id;
      await database.query(
        'update device_hour set online_ms = online_ms + $2 where device_id = $1',
        [id, change],
      );
      expect((await verifySettlements(database)).problems).toEqual([
        expect.stringContaining(`device_hour ${id} at 2026-05-01T00Z has `),
      ]);
      expect(JSON.parse(await get(`/me/rewards/${bill}/proof`, userId))).toMatchObject({
        code: 'not_provable',
      });
      await database.query(
        'update device_hour set online_ms = online_ms - $2 where device_id = $1',
        [id, change],
      );
    }
    // A late report is corrected: until then it is not a difference.
    const late = network.devices[1]?.id;
    await database.query('update device_hour set online_ms = online_ms + 1 where device_id = $1', [
      late,
    ]);
    await database.query(
      'insert into late_uptime (hour, device_id, changed_at) values ($1, $2, $3)',
      [START, late, clock.now()],
    );
    expect((await verifySettlements(database)).problems).toEqual([]);
    await correct();
    await database.query('delete from late_uptime');
    expect((await verifySettlements(database)).problems).toEqual([]);
    await proofsOf(network.users[1]);
  });

  test('held and released rewards are bound to their referee', async () => {
    const [, middle, bottom] = network.users;
    // The third user shares both addresses with another one: rewards for it are held.
    await database.query("update device set registered_address = '10.0.0.1' where user_id = $1", [
      bottom,
    ]);
    await insertDevice(database, middle, { address: '10.0.0.1' });
    await network.use(START);
    await settleDue(deps());
    const { rows: held } = await database.query<{ batch_id: number; leaf: number }>(
      "select batch_id, leaf from reward_line where status = 'held'",
    );
    expect(held).toHaveLength(2);
    await releaseHeld(database, clock, bottom, 'test');
    await settleDue(deps());
    const released = (await proofsOf(middle)).filter(({ line }) => line.part === 'released');
    expect(released).toHaveLength(1);
    expect(released[0].line.referee).toMatch(/^[0-9a-f]{64}$/);
    expect((await verifySettlements(database)).problems).toEqual([]);
    const changes = [
      [
        `update reward_line set referee_id = ${middle} where status = 'held'`,
        `reward_line ${held[0]?.batch_id}/${2 ** 32} to`,
      ],
      [
        `update reward_line set referee_id = ${middle} where part = 'released'`,
        'one of them is not as it was settled',
      ],
      [
        `update reward_batch set referee_id = ${middle} where kind = 'release'`,
        'released another referee than',
      ],
      [
        `update reward_batch set hour = hour - interval '1 hour' where kind = 'release'`,
        'is of another hour in the ledger',
      ],
    ];
    for (const [statement = '', named] of changes)
      await transaction(database, async (tx) => {
        await tx.query(statement);
        expect((await verifySettlements(tx)).problems.join('\n')).toContain(named);
        throw new Undone();
      }).catch((error: unknown) => {
        if (!(error instanceof Undone)) throw error;
      });
  });

  test('a posting under the name of a line leaves its neighbours provable', async () => {
    const [top, middle] = network.users;
    const [taken] = await postTransfers(database, [
      {
        idempotencyKey: 'reward:1:0',
        debit: { house: 'reward_pool' },
        credit: { userId: middle, wallet: 'bonus' },
        currency: 'EDGE',
        amount: 5n,
        businessId: 'reward',
        eventAt: START,
        rewardType: 'BONUS',
      },
    ]);
    await network.use(START);
    await settleDue(deps());
    const refused = await linesOf(top, '&status=refused');
    expect(refused).toHaveLength(1);
    expect(refused[0]).not.toHaveProperty('bill_id');
    for (const userId of network.users) expect(await proofsOf(userId)).not.toEqual([]);
    const id = taken?.status === 'posted' ? taken.transferId * 2 : 0;
    expect(JSON.parse(await get(`/me/rewards/${id}/proof`, middle))).toMatchObject({
      code: 'not_paid_by_rules',
    });
    expect((await verifySettlements(database)).problems).toEqual([]);
  });
});
