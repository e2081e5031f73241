import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Engine, RUN_ENGINES } from '../../../test/support/databases.ts';
import { type MoneyServer, OPERATOR, openMoneyServer } from '../../../test/support/money-server.ts';
import { asOperator } from '../../../test/support/test-server.ts';
import { recordVerification } from '../../audit/index.ts';
import { runAudited } from '../../db/index.ts';
import { registerOverview } from './index.ts';
import { readOverview } from './read-overview.ts';

const DAY_MS = 86_400_000;

describe.each(RUN_ENGINES)('GET /operator/overview on %s', (engine: Engine) => {
  let server: MoneyServer;
  let overdue_s = 0;
  let pushed_s = 0;
  beforeAll(async () => {
    server = await openMoneyServer(engine);
    const { app, database, clock } = server;
    registerOverview(app, {
      ...{ database, clock, grace_s: 600, sendsMail: true },
      measurePushes: async () => ({ waiting: pushed_s > 0 ? 3 : 0, oldest_s: pushed_s }),
      measureRetention: async () => ({ mail: overdue_s }),
    });
  });
  afterAll(() => server.close());

  interface Body {
    readonly people: number;
    readonly connected_devices: number;
    readonly days: { date: string; joined: number; rewards: object[]; deposits: object[] }[];
    readonly alerts: object[];
    readonly last_verification?: object;
    readonly queues: { queue: string; waiting: number }[];
  }
  const read = async (): Promise<Body> =>
    (
      await server.app.inject({
        url: '/operator/overview',
        headers: { ...asOperator('operator:overview'), prefer: 'amounts=string' },
      })
    ).json<Body>();
  const pay = (amount: string) => server.post('/operator/rewards', server.reward({ amount }));

  test('needs its scope', async () => {
    const answer = await server.app.inject({ url: '/operator/overview', headers: OPERATOR });
    expect(answer.json()).toMatchObject({ status: 403, code: 'insufficient_scope' });
  });

  test('counts rewards on the day on which they are recorded, reversals too', async () => {
    expect((await pay('1.5')).statusCode).toBe(200);
    server.clock.advance(15_000);
    const first = await read();
    expect(first.days).toHaveLength(30);
    expect(first.days.at(-1)?.rewards).toEqual([{ currency: 'EDGE', amount: '1.5' }]);
    expect(first.days.at(-2)?.rewards).toEqual([]);
    expect(first.alerts).toEqual([]);
    server.clock.advance(DAY_MS);
    await pay('0.000000000000000001');
    await pay('2');
    server.clock.advance(15_000);
    const later = await read();
    expect(later.days.slice(-2).map(({ rewards }) => rewards)).toEqual([
      [{ currency: 'EDGE', amount: '1.5' }],
      [{ currency: 'EDGE', amount: '2.000000000000000001' }],
    ]);
  });

  test('leaves out what moves between accounts of the house', async () => {
    const figures = async () => {
      server.clock.advance(15_000);
      return (await read()).days.slice(-2).map(({ rewards, deposits }) => [rewards, deposits]);
    };
    const before = await figures();
    const move = async (debit: object, house: string, amount: string): Promise<void> => {
      const item = { debit, credit: { house }, currency: 'EDGE', amount };
      const moved = await server.post('/operator/transfers', {
        transfers: [{ ...item, business_id: 'adjustment' }],
      });
      expect(moved.json().results).toMatchObject([{ status: 'posted' }]);
    };
    await move({ house: 'treasury' }, 'reward_pool', '100');
    await move({ house: 'reward_pool' }, 'treasury', '3.5');
    await move({ house: 'deposit_clearing' }, 'withdrawal_clearing', '20');
    await move({ house: 'deposit_clearing' }, 'reward_pool', '0.25');
    expect(await figures()).toEqual(before);
    await pay('4');
    expect((await figures())[1]?.[0]).toEqual([
      { currency: 'EDGE', amount: '6.000000000000000001' },
    ]);
    await move({ user_id: server.user, wallet: 'bonus' }, 'reward_pool', '4');
    expect(await figures()).toEqual(before);
  });

  test('answers from memory for 15 seconds', async () => {
    const before = await read();
    await pay('7');
    expect(await read()).toEqual(before);
    server.clock.advance(15_000);
    expect((await read()).days.at(-1)?.rewards).toEqual([
      { currency: 'EDGE', amount: '9.000000000000000001' },
    ]);
  });

  test('shows the last verification that was recorded', async () => {
    expect(await read()).not.toHaveProperty('last_verification');
    const parts = ['ledger', 'rewards'];
    const { database, clock } = server;
    const recorded = { since: '2026-11-09T00:00:00.000Z', parts, findings: 2 };
    const facts = { actor_kind: 'command', actor_id: 'ada', operation: 'verify' } as const;
    const subject = { subject_kind: 'commands', subject_id: 'verify' };
    await runAudited({ ...facts, ...subject }, () => recordVerification(database, recorded));
    clock.advance(15_000);
    expect(await read()).toMatchObject({
      last_verification: { ...recorded, at: expect.any(String) },
    });
    await runAudited({ ...facts, ...subject }, () =>
      recordVerification(database, { since: null, parts, findings: 0 }),
    );
    clock.advance(15_000);
    const { last_verification: last } = await read();
    expect(last).toMatchObject({ parts, findings: 0 });
    expect(last).not.toHaveProperty('since');
  });

  test('counts what operators decide: referees on hold until they are released', async () => {
    expect(await read()).toMatchObject({ deposits_on_hold: 0, held_referees: 0 });
    await server.database.query(
      `insert into reward_user (user_id, hold_reason, held_at, released_at)
       values (71, 'shared_key', now(), null), (72, 'shared_address', now(), null),
         (73, 'shared_key', now(), now()), (74, null, null, null)`,
    );
    server.clock.advance(15_000);
    expect(await read()).toMatchObject({ held_referees: 2 });
  });

  test('tells what is kept too long, and pushes that wait', async () => {
    const namesOf = async () => JSON.stringify((await read()).alerts);
    expect(await namesOf()).not.toMatch(/RetentionLate|PushesLate/);
    [overdue_s, pushed_s] = [3601, 601];
    server.clock.advance(15_000);
    expect(await namesOf()).toMatch(/PushesLate.*RetentionLate/);
    expect((await read()).queues).toContainEqual({ queue: 'pushes', waiting: 3, oldest_s: 601 });
    [overdue_s, pushed_s] = [0, 0];
  });

  test('leaves mails out where they go to the mailbox of development', async () => {
    const { database, clock } = server;
    const deps = { database, clock, grace_s: 600 };
    const others = {
      measurePushes: async () => ({ waiting: 0, oldest_s: 0 }),
      measureRetention: async () => ({}),
    };
    const namesOf = async (sendsMail: boolean) =>
      (await readOverview({ ...deps, ...others, sendsMail })).queues.map(({ queue }) => queue);
    expect(await namesOf(true)).toContain('mail_codes');
    expect(await namesOf(false)).toEqual(['webhooks', 'pushes', 'community']);
  });

  test('counts devices that are connected to instances that are alive', async () => {
    const { database, clock } = server;
    const until = new Date(clock.now().getTime() + 60_000);
    const add = (connections: number, alive: Date) =>
      database.query(
        `insert into connection_node (node, alive_until, connections)
         values (gen_random_uuid(), $1, $2)`,
        [alive, connections],
      );
    await add(40, until);
    await add(2, until);
    await add(1000, new Date(clock.now().getTime() - 1));
    clock.advance(15_000);
    expect(await read()).toMatchObject({ connected_devices: 42 });
  });
});
