/** What the signer holds back: stopped currencies, a small hot wallet, the budget for gas. */
import { describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../support/databases.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';
import { ETH, HOT_WALLET, PAYEE } from '../support/payout-chain-types.ts';

const GWEI = 10n ** 9n;

describe.each(RUN_ENGINES)('payouts that the signer holds back, on %s', (engine) => {
  const lab = useChainLab(engine);

  const stop = (currency: string) =>
    lab.database.query(`insert into payout_stop values ($1, 'incident', 'client:test', now())`, [
      currency,
    ]);
  const resume = () => lab.database.query('delete from payout_stop');
  const statusOf = async (id: number) => (await lab.read(id)).status;
  const countPending = async () =>
    Number(await lab.anvil.call('eth_getTransactionCount', [HOT_WALLET, 'pending']));
  /** Lets the signer take again what it has postponed. */
  const endPause = () => lab.database.query('update payout set check_at = now()');
  const setBaseFee = async (gwei: bigint) => {
    const fee = `0x${(gwei * GWEI).toString(16)}`;
    await lab.anvil.call('anvil_setNextBlockBaseFeePerGas', [fee]);
    await lab.anvil.mine();
  };

  /** A signer during whose first report operators stop a currency. */
  function openStopped(currency: string, now: () => number) {
    let isStopped = false;
    return lab.open({
      now,
      send: (async (url: string, init?: RequestInit) => {
        if (url.endsWith('/reports') && !isStopped) {
          isStopped = true;
          await stop(currency);
        }
        return fetch(url, init);
      }) as typeof fetch,
    });
  }

  test('a currency that is stopped before it is sent waits, also when it waits long', async () => {
    const start = await lab.onChain(PAYEE);
    const [first, held, last] = [
      await lab.approved('3', 'USDT'),
      await lab.approved('2'),
      await lab.approved('4', 'USDT'),
    ];
    let now = Date.now();
    const signer = openStopped('ETH', () => now);
    for (let cycle = 0; cycle < 3; cycle++) {
      await signer.cycle();
      now += 200_000;
    }
    expect(await Promise.all([first, held, last].map(statusOf))).toEqual([
      ...['sent', 'signed', 'signed'],
    ]);
    expect(await countPending()).toBe(1);
    // Nothing else is taken: it could not be cancelled, and would wait behind it.
    const later = await lab.approved('1', 'USDT');
    await signer.cycle();
    expect(await statusOf(later)).toBe('approved');
    await resume();
    now = Date.now();
    await signer.cycle();
    signer.close();
    await lab.anvil.mine(3);
    await lab.follow();
    for (const id of [first, held, last, later]) expect(await statusOf(id)).toBe('confirmed');
    expect((await lab.onChain(PAYEE)) - start).toBe((199n * ETH) / 100n);
  });

  test('operators take a stopped payout back: those behind it are paid', async () => {
    const start = await lab.onChain(PAYEE);
    const [held, last] = [await lab.approved('2'), await lab.approved('4', 'USDT')];
    const signer = openStopped('ETH', Date.now);
    await signer.cycle();
    expect(await countPending()).toBe(0);
    await lab.operate(`/operator/payouts/${held}/release`, { remark: 'stopped' });
    await signer.cycle();
    await signer.cycle();
    signer.close();
    await lab.anvil.mine(3);
    await lab.follow();
    expect(await Promise.all([held, last].map(statusOf))).toEqual(['in_review', 'confirmed']);
    expect(await lab.onChain(PAYEE)).toBe(start);
  });

  test('a payout for which the hot wallet is too small waits, smaller ones are paid', async () => {
    const start = await lab.onChain(PAYEE);
    const ids = [await lab.approved('60'), await lab.approved('60'), await lab.approved('2')];
    const tokens = [await lab.approved('600', 'USDT'), await lab.approved('390', 'USDT')];
    await lab.anvil.call('anvil_setBalance', [HOT_WALLET, `0x${(100n * ETH).toString(16)}`]);
    const signer = lab.open();
    await signer.cycle();
    expect(await Promise.all([...ids, ...tokens].map(statusOf))).toEqual([
      ...['sent', 'approved', 'sent', 'sent', 'sent'],
    ]);
    expect(await lab.read(ids[1] ?? 0)).toMatchObject({ reason_code: 'waits_for_hot_wallet' });
    await lab.anvil.mine(3);
    await lab.follow();
    await lab.anvil.call('anvil_setBalance', [HOT_WALLET, `0x${(100n * ETH).toString(16)}`]);
    await endPause();
    await signer.cycle();
    signer.close();
    await lab.anvil.mine(3);
    await lab.follow();
    for (const id of [...ids, ...tokens]) expect(await statusOf(id)).toBe('confirmed');
    expect((await lab.onChain(PAYEE)) - start).toBe((12_197n * ETH) / 100n);
  });

  test('a replacement above the budget for gas waits, and counts when it is made', async () => {
    const ids = [await lab.approved('1'), await lab.approved('1')] as const;
    let now = Date.now();
    const events: unknown[] = [];
    const open = (changes: object) =>
      lab.open({
        config: lab.config(changes),
        now: () => now,
        log: (event, details) => events.push({ event, ...details }),
      });
    const first = open({});
    await first.cycle();
    const { gas, gas_cost } = first.deps.state.find(ids[0]) ?? { gas: 0, gas_cost: '0' };
    first.close();
    await setBaseFee(10n);
    now += 200_000;
    // Room for the first transaction at 21 gwei, and for the second as it is.
    const raised = BigInt(gas) * 21n * GWEI;
    const signer = open({ gas_budget_day: String(raised + BigInt(gas_cost)) });
    const countSigned = (): number[] => ids.map((id) => signer.deps.state.listSigned(id).length);
    await signer.cycle();
    expect(countSigned()).toEqual([2, 1]);
    expect(events).toContainEqual({ event: 'replacement_over_budget', payout_id: ids[1] });
    const next = await lab.approved('1');
    await signer.cycle();
    expect(await lab.read(next)).toMatchObject({ reason_code: 'waits_for_signer_limit' });
    await setBaseFee(10n);
    now += 86_500_000;
    await signer.cycle();
    expect(countSigned()).toEqual([2, 2]);
    signer.close();
    await lab.anvil.mine(3);
    await lab.follow();
    for (const id of ids) expect(await statusOf(id)).toBe('confirmed');
  });
});
