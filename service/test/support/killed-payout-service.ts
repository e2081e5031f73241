/** Kills the service at statements and calls of a chain, on a path of a payout, and repeats it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, inject } from 'vitest';
import { runKilledChild } from './child-node.ts';
import { useChainLab } from './payout-chain-lab.ts';
import { type ChainLab, CONFIRMATIONS } from './payout-chain-types.ts';
import type { ChildAction, ChildOrder } from './payout-child.ts';
import { fundHotWallet, postOne, USDT } from './payout-tokens.ts';
import { sized } from './scale.ts';

const CHILD = new URL('./payout-child.ts', import.meta.url).pathname;
/** Every nth step. Coprime to the length of a round, so that all kinds are met. */
const STRIDE = sized({ quick: 149, full: 29, soak: 1 });
/** Decisions are short. */
const DECISION_STRIDE = sized({ quick: 67, full: 17, soak: 1 });
export const KILLS_TIMEOUT_MS = sized({ quick: 240_000, full: 1_200_000, soak: 7_200_000 });

/** @returns what the child printed, or undefined when it was killed */
async function runPayoutChild(path: string, killAt: number): Promise<{ id: number } | undefined> {
  const output = await runKilledChild(CHILD, [path, String(killAt)]);
  return output === undefined ? undefined : (JSON.parse(output) as { id: number });
}

/** A path of a payout that a child process takes. */
export interface KilledPath {
  readonly name: string;
  /** What an operator or the user does; default: the payout is paid. */
  readonly action?: ChildAction;
  /** Runs before the child that is killed. @returns a payout that it continues with, if any */
  prepare?(path: string): Promise<number | undefined>;
  /** Runs after the repetition, for the payout of the round. */
  check(id: number): Promise<void>;
}

export interface KilledService {
  readonly lab: ChainLab;
  /** Runs a child with an order to its end. */
  runToEnd(path: string): Promise<unknown>;
  /** Runs to the end after a kill at each step; returns how often it was killed. */
  killEverywhere(path: KilledPath): Promise<number>;
}

/** The child kills itself at statements of the PostgreSQL client. Call it inside `describe`. */
export function useKilledService(): KilledService {
  const lab = useChainLab('server');
  let address = 0;
  let url = '';

  beforeEach(async () => {
    // Enough for a payout at each step of a round.
    await fundHotWallet(lab, 100_000n * USDT);
    await postOne(lab, {
      ...{ currency: 'USDT', amount: 99_000n * USDT },
      ...{ debit: { house: 'deposit_clearing' }, credit: { userId: lab.user, wallet: 'asset' } },
    });
    const { rows } = await lab.database.query<{ name: string; id: number }>(
      'select current_database() as name, id from payout_address',
    );
    const place = new URL(inject('postgresUrl'));
    place.pathname = `/${rows[0]?.name}`;
    [url, address] = [place.href, rows[0]?.id ?? 0];
  });

  function writeOrder(key: string, more: Pick<ChildOrder, 'action' | 'payoutId'>): string {
    const order: ChildOrder = {
      ...{ url, key, config: lab.config(), userId: lab.user, addressId: address },
      ...{ blocks: CONFIRMATIONS, operator: lab.operators[0].userId },
      ...more,
    };
    const path = join(lab.folder, 'order.json');
    writeFileSync(path, JSON.stringify(order));
    return path;
  }

  return {
    lab,
    runToEnd: (path) => runPayoutChild(path, 0),
    async killEverywhere({ name, action, prepare, check }) {
      const act = action && { action };
      for (let killAt = 1, kills = 0; ; killAt += action ? DECISION_STRIDE : STRIDE) {
        const key = `${name}-${killAt}`;
        const payoutId = await prepare?.(writeOrder(key, { ...act }));
        const path = writeOrder(key, { ...act, ...(payoutId !== undefined && { payoutId }) });
        const killed = (await runPayoutChild(path, killAt)) === undefined;
        const done = await runPayoutChild(path, 0);
        await check(done?.id ?? 0);
        if (!killed) return kills;
        kills++;
      }
    },
  };
}
