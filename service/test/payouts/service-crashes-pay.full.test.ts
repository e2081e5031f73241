/**
 * SIGKILL of the service at statements and calls of a chain, on two paths of a payout: nothing is
 * paid twice, nothing is lost. The other paths are in `service-crashes.full.test.ts`.
 */
import { describe, expect, test } from 'vitest';
import { KILLS_TIMEOUT_MS, useKilledService } from '../support/killed-payout-service.ts';
import { PAYEE } from '../support/payout-chain-types.ts';
import { tokensOf } from '../support/payout-tokens.ts';

const NET = 2_990_000n;

describe('a service that is killed', () => {
  const { lab, killEverywhere } = useKilledService();
  const balance = () => lab.balance(lab.user, 'USDT');

  test('pays once, from the request to the confirmation', {
    timeout: KILLS_TIMEOUT_MS,
  }, async () => {
    let paid = await tokensOf(lab, PAYEE);
    let { balance: left } = await balance();
    const kills = await killEverywhere({
      name: 'pay',
      async check(id) {
        expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
        paid += NET;
        left -= 3_000_000n;
        expect(await tokensOf(lab, PAYEE)).toBe(paid);
        expect(await balance()).toEqual({ balance: left, hold: 0n });
        expect(await lab.verify()).toEqual([]);
      },
    });
    expect(kills).toBeGreaterThan(1);
  });

  test('gives back once what its user cancels', { timeout: KILLS_TIMEOUT_MS }, async () => {
    const before = await balance();
    const kills = await killEverywhere({
      name: 'cancel',
      action: 'cancel',
      async check(id) {
        expect(await lab.read(id)).toMatchObject({ status: 'cancelled' });
        expect(await balance()).toEqual(before);
        expect(await lab.verify()).toEqual([]);
      },
    });
    expect(kills).toBeGreaterThan(0);
  });
});
