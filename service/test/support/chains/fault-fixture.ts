/**
 * An EVM chain whose endpoint is reached through a proxy that can change its answers, and payments
 * on it.
 */
import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { CONFIRMATIONS, ONE_USDT, useEvmLab } from './evm-lab.ts';
import { type FaultProxy, type Intercept, startFaultProxy } from './fault-proxy.ts';

/** Applies `change` to the answers of one method. */
export function changing(
  method: string,
  change: (result: unknown, params: readonly unknown[]) => unknown,
): Intercept {
  return async (request, ask) =>
    request.method === method ? change(await ask(), request.params) : ask();
}

/** Registers the hooks of the suite; its properties are set before the first test. */
export function useFaultFixture() {
  const lab = useEvmLab({ engine: 'server', rpcUrls: () => [fixture.proxy.url] });

  /** Three payments in one block, deep enough. */
  async function payThree(): Promise<void> {
    for (const amount of [1n, 2n, 3n]) await lab.payUsdt(lab.alice.address, amount * ONE_USDT);
    await lab.anvil.mine(CONFIRMATIONS);
  }
  const listStatuses = async () => (await lab.bench.deposits()).map(({ status }) => status);
  async function expectAllCredited(): Promise<void> {
    expect(await listStatuses()).toEqual(['credited', 'credited', 'credited']);
    expect(await lab.bench.balance(lab.alice.userId, 'USDT')).toBe(6n * ONE_USDT);
  }
  const fixture = { lab, payThree, listStatuses, expectAllCredited } as {
    readonly lab: typeof lab;
    readonly payThree: typeof payThree;
    readonly listStatuses: typeof listStatuses;
    readonly expectAllCredited: typeof expectAllCredited;
    proxy: FaultProxy;
  };

  beforeAll(async () => {
    fixture.proxy = await startFaultProxy(lab.anvil.url);
  });
  afterAll(() => fixture.proxy.stop());
  beforeEach(() => {
    fixture.proxy.intercept(undefined);
    fixture.proxy.target(lab.anvil.url);
  });
  return fixture;
}
