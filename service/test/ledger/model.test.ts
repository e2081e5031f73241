/**
 * A model of the ledger in memory beside the real one: thousands of random commands; each answer
 * and all balances are compared, and finally the real ledger is verified. The seed is printed.
 */
import { randomInt } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../src/db/index.ts';
import {
  type AccountRef,
  cancelHold,
  expireHolds,
  type HoldResult,
  installLedger,
  isOverdrawn,
  type PostResult,
  placeHold,
  postTransfers,
  readBalances,
  settleHold,
  verifyLedger,
} from '../../src/ledger/index.ts';
import { createManualClock } from '../../src/lib/clock.ts';
import { ENGINES, openTestDatabase } from '../support/databases.ts';
import { reverseOne } from '../support/reverse-one.ts';
import { sized } from '../support/scale.ts';
import { testMasterKey } from '../support/test-config.ts';
import { insertUser } from '../support/test-users.ts';
import { createModel, type ModelItem } from './model.ts';

const RUNS = sized({ quick: 6, full: 40, soak: 200 });
const COMMANDS_PER_RUN = 100;
const PEOPLE = 3;
/** Far more than needed on a busy machine. */
const TIME_LIMIT_MS = 120_000 + RUNS * 10_000;
/** Regression: with this seed a release left a debt recorded that was paid. */
const SUITE_SEED = -1_921_117_543;

/**
 * The suite runs the same commands each time; `MODEL_SEED` is another seed, or `random`, which is
 * printed.
 */
function readSeed(text = String(SUITE_SEED)): number {
  const seed = text === 'random' ? randomInt(2 ** 31) : Number(text);
  if (!Number.isSafeInteger(seed))
    throw new Error(`MODEL_SEED must be a whole number or "random", not ${text}`);
  return seed;
}

const SEED = readSeed(process.env.MODEL_SEED);

const item = fc.record({
  from: fc.nat(PEOPLE * 2 + 1),
  to: fc.nat(PEOPLE * 2 + 1),
  amount: fc.bigInt({ min: 1n, max: 60n }),
  mayOverdraw: fc.boolean(),
  key: fc.nat(150),
});
const key = fc.nat(60);
const command = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('post' as const),
      items: fc.array(item, { minLength: 1, maxLength: 8 }),
      atomic: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('hold' as const),
      account: fc.nat(PEOPLE * 2 - 1),
      amount: fc.bigInt({ min: 1n, max: 60n }),
      life_s: fc.nat(3),
      key,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('settle' as const),
      hold: fc.nat(20),
      amount: fc.option(fc.bigInt({ min: 1n, max: 60n }), { nil: undefined }),
      releaseRest: fc.boolean(),
      key,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('cancel' as const), hold: fc.nat(20), key }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('reverse' as const), transfer: fc.nat(40), key }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      seconds: fc.integer({ min: 1, max: 2 }),
    }),
  },
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;
type Of<K extends Command['kind']> = Extract<Command, { kind: K }>;
/** The answers of both sides. */
interface Both {
  readonly real: string[];
  readonly expected: string[];
}

const codeOf = (result: PostResult | HoldResult): string =>
  result.status === 'refused' ? result.code : result.status;

describe.each(ENGINES)('the ledger and its model on %s', (engine) => {
  const clock = createManualClock('2026-11-10T00:00:00Z');
  let database: Database;
  let runs = 0;
  beforeAll(async () => {
    database = await openTestDatabase(engine);
    installLedger(database, { clock, masterKey: testMasterKey });
  });
  afterAll(() => database.close());

  async function play(commands: readonly Command[]): Promise<void> {
    const run = ++runs;
    const people = await Promise.all(Array.from({ length: PEOPLE }, () => insertUser(database)));
    const refs: AccountRef[] = [
      ...people.flatMap((userId): AccountRef[] => [
        { userId, wallet: 'asset' },
        { userId, wallet: 'bonus' },
      ]),
      { house: 'reward_pool' },
      { house: 'adjustment' },
    ];
    const model = createModel(refs.map((ref) => 'house' in ref));
    const holdIds: number[] = [];
    const transferIds: number[] = [];
    const refAt = (index: number): AccountRef => refs[index] ?? { house: 'adjustment' };
    const noteTransfers = (results: readonly PostResult[]): void => {
      for (const result of results)
        if (result.status === 'posted') transferIds.push(result.transferId);
    };
    const posting = ({ from, to, amount, mayOverdraw, key: n }: ModelItem) => ({
      idempotencyKey: `m${run}:t${n}`,
      debit: refAt(from),
      credit: refAt(to),
      currency: 'USDT',
      amount,
      businessId: 'adjustment',
      eventAt: new Date('2026-11-01T00:00:00Z'),
      mayOverdraw,
    });

    const idle: Both = { real: [], expected: [] };
    const pick = <T>(list: readonly T[], n: number): { index: number; value: T | undefined } => {
      const index = n % Math.max(1, list.length);
      return { index, value: list[index] };
    };

    async function post({ items, atomic }: Of<'post'>): Promise<Both> {
      const results = await postTransfers(database, items.map(posting), { atomic });
      noteTransfers(results);
      return { real: results.map(codeOf), expected: model.post(items, atomic) };
    }

    async function wait({ seconds }: Of<'wait'>): Promise<Both> {
      clock.advance(seconds * 1000);
      await expireHolds(database);
      model.wait(seconds);
      return idle;
    }

    async function hold(step: Of<'hold'>): Promise<Both> {
      const account = refAt(step.account);
      if ('house' in account) throw new Error('only people have holds');
      const order = {
        idempotencyKey: `m${run}:h${step.key}`,
        account,
        currency: 'USDT',
        amount: step.amount,
        businessId: 'withdrawal',
      };
      const result = await placeHold(database, {
        ...order,
        ...(step.life_s > 0 && { life_s: step.life_s }),
      });
      if (result.status === 'done') holdIds.push(result.hold.id);
      return {
        real: [codeOf(result)],
        expected: [model.hold(step.key, step.account, step.amount, step.life_s)],
      };
    }

    async function reverse(step: Of<'reverse'>): Promise<Both> {
      const { index, value: transferId } = pick(transferIds, step.transfer);
      if (transferId === undefined) return idle;
      const result = await reverseOne(database, {
        idempotencyKey: `m${run}:r${step.key}`,
        transferId,
      });
      noteTransfers([result]);
      return { real: [codeOf(result)], expected: [model.reverse(step.key, index)] };
    }

    async function cancel(step: Of<'cancel'>): Promise<Both> {
      const { index, value: holdId } = pick(holdIds, step.hold);
      if (holdId === undefined) return idle;
      const result = await cancelHold(database, { idempotencyKey: `m${run}:c${step.key}`, holdId });
      return { real: [codeOf(result)], expected: [model.cancel(step.key, index)] };
    }

    async function settle({ amount, releaseRest, ...step }: Of<'settle'>): Promise<Both> {
      const { index, value: holdId } = pick(holdIds, step.hold);
      if (holdId === undefined) return idle;
      const order = {
        idempotencyKey: `m${run}:s${step.key}`,
        holdId,
        credit: { house: 'adjustment' } as const,
        eventAt: clock.now(),
        releaseRest,
      };
      const result = await settleHold(database, {
        ...order,
        ...(amount !== undefined && { amount }),
      });
      return {
        real: [codeOf(result)],
        expected: [model.settle(step.key, index, amount, releaseRest)],
      };
    }

    const players: { [K in Command['kind']]: (step: Of<K>) => Promise<Both> } = {
      post,
      wait,
      hold,
      reverse,
      cancel,
      settle,
    };

    for (const [at, step] of commands.entries()) {
      const { real, expected } = await players[step.kind](step as never);
      expect({ at, kind: step.kind, answers: real }).toEqual({
        at,
        kind: step.kind,
        answers: expected,
      });
    }
    for (const [index, ref] of refs.entries()) {
      if ('house' in ref) continue;
      const balances = await readBalances(database, ref.userId, ref.wallet);
      const usdt = balances.find((balance) => balance.currency === 'USDT');
      expect({ index, available: usdt?.balance, hold: usdt?.hold }).toEqual({
        index,
        ...model.balance(index),
      });
    }
    for (const [n, userId] of people.entries())
      expect(await isOverdrawn(database, userId)).toBe(
        model.isOverdrawn(n * 2) || model.isOverdrawn(n * 2 + 1),
      );
  }

  test(`${RUNS * COMMANDS_PER_RUN} random commands give the same answers and balances`, {
    timeout: TIME_LIMIT_MS + 60_000,
  }, async () => {
    console.log(`the model on ${engine}: MODEL_SEED=${SEED} MODEL_RUNS=${RUNS}`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(command, { minLength: COMMANDS_PER_RUN, maxLength: COMMANDS_PER_RUN }),
        play,
      ),
      {
        numRuns: RUNS,
        verbose: 1,
        seed: SEED,
        // A run that was cut short has tested nothing of the rest.
        interruptAfterTimeLimit: TIME_LIMIT_MS,
        markInterruptAsFailure: true,
        endOnFailure: true,
      },
    );
    expect((await verifyLedger(database)).findings).toEqual([]);
  });
});
