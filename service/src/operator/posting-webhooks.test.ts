import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { ENGINES } from '../../test/support/databases.ts';
import {
  gift,
  openPostingLab,
  type PostingLab,
  pay,
  penalty,
  reward,
  take,
} from '../../test/support/posting-fixture.ts';
import { insertUser } from '../../test/support/test-users.ts';
import { transaction } from '../db/index.ts';
import { assignPositions, fanOut, recordEvent } from '../events/index.ts';
import { ensureWalletKind } from '../ledger/index.ts';
import { systemClock } from '../lib/clock.ts';
import { stringifyExact } from '../lib/exact-json.ts';
import { POSTING_SOURCE } from './index.ts';

describe.each(ENGINES)('webhooks of events of postings on %s', (engine) => {
  let lab: PostingLab;
  beforeAll(async () => {
    lab = await openPostingLab(engine);
  });
  afterAll(() => lab.close());

  afterEach(() => lab.database.query('delete from webhook'));

  test('a user gets no events of further wallets; webhooks do', async () => {
    await ensureWalletKind(lab.database, 'savings', { isHouse: false });
    const one = await insertUser(lab.database);
    const reader = await lab.open(one);
    const hook = await lab.makeWebhook(['wallet.changed']);
    await lab.post('wallet.changed', [gift(one, 'savings'), gift(one)]);
    await assignPositions(lab.database, systemClock);
    await fanOut(lab.database, systemClock, lab.source);
    const at = await lab.lastPosition();
    expect(await take(reader, 1)).toMatchObject([{ id: at, data: { wallets: ['asset'] } }]);
    const bodies = await lab.deliveriesOf(hook);
    expect(bodies.map(({ body }) => JSON.parse(body).data)).toEqual([
      { wallets: ['savings'] },
      { wallets: ['asset'] },
    ]);
    reader.cut();
    const resumed = await lab.open(one, at - 4);
    expect(await take(resumed, 1)).toMatchObject([{ id: at, data: { wallets: ['asset'] } }]);
    resumed.cut();
  });

  test('a range becomes one delivery for each webhook of its type, in order', async () => {
    const [one, two] = [await insertUser(lab.database), await insertUser(lab.database)];
    const hooks = [
      await lab.makeWebhook([]),
      await lab.makeWebhook(['reward.*']),
      await lab.makeWebhook(['deposit.*']),
    ];
    const before = await lab.lastPosition();
    const ids = await lab.post('reward.posted', [reward(one), penalty(two)]);
    await transaction(lab.database, (tx) =>
      recordEvent(tx, systemClock, { userId: one, type: 'deposit.credited', data: {} }),
    );
    await lab.post('wallet.changed', [pay(one, two)]);
    await assignPositions(lab.database, systemClock);
    await Promise.all(hooks.map(() => fanOut(lab.database, systemClock, lab.source)));
    await fanOut(lab.database, systemClock, lab.source);
    const seen = await Promise.all(hooks.map(lab.deliveriesOf));
    const told = seen.map((list) =>
      list.map(({ at, body }) => [at - before, JSON.parse(body).type, JSON.parse(body).user_id]),
    );
    const rewards = [
      [2, 'reward.posted', one],
      [3, 'reward.posted', two],
    ];
    const deposit = [5, 'deposit.credited', one];
    expect(told).toEqual([
      [...rewards, deposit, [6, 'wallet.changed', one], [7, 'wallet.changed', two]],
      rewards,
      [deposit],
    ]);
    const body = JSON.parse(seen[1]?.[1]?.body ?? '');
    expect(body).toMatchObject({
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: { id: ids[1], amount: -0.5 },
    });
    // A repeated step creates no duplicate.
    await lab.database.query('update webhook set position = $1 where id = any($2)', [
      before,
      hooks,
    ]);
    await fanOut(lab.database, systemClock, lab.source);
    expect(await Promise.all(hooks.map(lab.deliveriesOf))).toEqual(seen);
  });

  test('events are described only for webhooks of their type', async () => {
    const one = await insertUser(lab.database);
    await lab.makeWebhook(['deposit.*', 'wallet.changed']);
    await expect.poll(() => lab.countStreams()).toBe(0);
    lab.described.length = 0;
    await lab.post('reward.posted', [reward(one)]);
    await assignPositions(lab.database, systemClock);
    await fanOut(lab.database, systemClock, lab.source);
    expect(lab.described).toEqual([]);
  });

  test('webhooks that are far behind take whole ranges, step by step', async () => {
    const one = await insertUser(lab.database);
    const hook = await lab.makeWebhook(['reward.posted']);
    for (const size of [400, 700, 1000, 1])
      await lab.post(
        'reward.posted',
        Array.from({ length: size }, () => reward(one)),
      );
    await assignPositions(lab.database, systemClock);
    await fanOut(lab.database, systemClock, lab.source);
    const deliveries = await lab.deliveriesOf(hook);
    expect(deliveries).toHaveLength(2101);
    expect(new Set(deliveries.map(({ body }) => JSON.parse(body).data.id)).size).toBe(2101);
  });

  test('the event of a reward equals its answer, byte for byte', async () => {
    const one = await insertUser(lab.database);
    const [id = 0] = await lab.post('reward.posted', [
      reward(one, {
        amount: 10n ** 30n + 1n,
        nodeId: 'n',
        remark: '\u2028x',
        businessId: 'referral_reward',
      }),
    ]);
    const [told] = await POSTING_SOURCE.describe(lab.database, 'reward.posted', [id]);
    expect(told).toEqual({
      transferId: id,
      side: 1,
      userId: one,
      data:
        `{"id":${id},"user_id":${one},"currency":"EDGE",` +
        '"amount":1000000000000.000000000000000001,"reward_type":"TASK",' +
        '"business_id":"referral_reward","node_id":"n",' +
        `"remark":${stringifyExact('\u2028x')},"event_at":"2026-05-01T00:00:00.120Z"}`,
    });
  });
});
