/** Events of a chain during payouts: reorganisations, fees, and programs that use the same key. */
import { join } from 'node:path';
import { privateKeyToAccount } from 'viem/accounts';
import { describe, expect, test } from 'vitest';
import { readHouseBalances } from '../../src/ledger/index.ts';
import { RUN_ENGINES } from '../support/databases.ts';
import { useChainLab } from '../support/payout-chain-lab.ts';
import { ETH, HOT_KEY, HOT_WALLET, PAYEE, WINDOW } from '../support/payout-chain-types.ts';
import { sized } from '../support/scale.ts';

const ALL = Array.from({ length: 12 }, (_, at) => at + 1);
const DEPTHS = sized({
  quick: [1, 4],
  full: [1, 4],
  soak: ALL,
});

describe.each(RUN_ENGINES)('payouts and their chain, on %s', (engine) => {
  const lab = useChainLab(engine);

  const clearing = async (): Promise<bigint> => {
    const house = await readHouseBalances(lab.database);
    const found = house.filter(({ currency }) => currency === 'ETH');
    return found.find(({ account }) => account === 'withdrawal_clearing')?.balance ?? 0n;
  };

  test.each(DEPTHS)('a reorganisation of depth %i around the confirmation', async (depth) => {
    const start = await lab.onChain(PAYEE);
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.cycle();
    await lab.anvil.mine(Math.max(3, depth));
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    const settled = await clearing();
    await lab.anvil.rollback(depth);
    await lab.anvil.mine(depth);
    await lab.follow();
    await lab.follow();
    // Its block is the third from the head.
    expect(await lab.read(id)).toMatchObject(
      depth < 3 ? { status: 'confirmed' } : { status: 'sent', reason_code: 'reorganised' },
    );
    expect(await lab.balance(lab.user)).toEqual({ balance: 998n * ETH, hold: 0n });
    // The transaction was dropped with its block: a restart sends it again.
    signer.close();
    const restarted = lab.open();
    await restarted.start();
    await restarted.cycle();
    restarted.close();
    await lab.anvil.mine(Math.max(3, depth));
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect((await lab.onChain(PAYEE)) - start).toBe((199n * ETH) / 100n);
    expect(await lab.balance(lab.user)).toEqual({ balance: 998n * ETH, hold: 0n });
    // The network fee of the other block may differ; the arrived amount is settled once.
    const change = (await clearing()) - settled;
    expect(change < 0n ? -change : change).toBeLessThan(ETH / 1000n);
  });

  test('two signers by mistake pay once', async () => {
    const ids = [await lab.approved('1'), await lab.approved('1'), await lab.approved('1')];
    const start = await lab.onChain(PAYEE);
    const first = lab.open();
    const second = lab.open({ config: lab.config({ state_file: join(lab.folder, 'b.sqlite') }) });
    await Promise.all([first.cycle(), second.cycle()]);
    await Promise.all([first.cycle(), second.cycle()]);
    expect(() => lab.open()).toThrow(/locked/);
    first.close();
    second.close();
    // Where both used a nonce, the payout that lost it is given back once that is final.
    await lab.anvil.mine(WINDOW + 3);
    for (let rounds = 0; rounds < 3; rounds++) await lab.follow();
    const paid = (await lab.onChain(PAYEE)) - start;
    const rows = await Promise.all(ids.map((id) => lab.read(id)));
    const confirmed = rows.filter(({ status }) => status === 'confirmed');
    const failed = rows.filter(({ status }) => status === 'failed');
    expect(confirmed.length).toBeGreaterThan(0);
    expect(confirmed.length + failed.length).toBe(3);
    expect(new Set(confirmed.map(({ tx_hash }) => tx_hash)).size).toBe(confirmed.length);
    expect(paid).toBe(BigInt(confirmed.length) * ((99n * ETH) / 100n));
    const left = 1000n * ETH - BigInt(confirmed.length) * ETH;
    expect(await lab.balance(lab.user)).toEqual({ balance: left, hold: 0n });
    const count = await lab.anvil.call('eth_getTransactionCount', [HOT_WALLET, 'latest']);
    expect(Number(count)).toBe(confirmed.length);
  });

  test('a nonce used from outside: the payout fails and is refunded', async () => {
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.cycle();
    await lab.anvil.call('anvil_dropAllTransactions');
    const raw = await privateKeyToAccount(HOT_KEY).signTransaction({
      ...{ type: 'eip1559', chainId: 31337, nonce: 0, gas: 21_000n, value: 1n },
      ...{ to: HOT_WALLET, maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 10n ** 9n },
    });
    await lab.anvil.sendRaw(raw);
    await lab.anvil.mine(2);
    await signer.cycle();
    await lab.follow();
    // The block is not final yet: the chain may still pay the payout.
    expect(await lab.read(id)).toMatchObject({ status: 'sent' });
    await lab.anvil.mine(2);
    await signer.cycle();
    await lab.follow();
    // Deep enough to confirm a payment, not to give money back.
    expect(await lab.read(id)).toMatchObject({
      ...{ status: 'sent', reason_code: 'nonce_used_in_block' },
    });
    expect(await lab.balance(lab.user)).toMatchObject({ hold: 2n * ETH });
    await lab.anvil.mine(WINDOW);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'failed', reason_code: 'nonce_used' });
    expect(await lab.balance(lab.user)).toEqual({ balance: 1000n * ETH, hold: 0n });
    const next = await lab.approved('1');
    await signer.cycle();
    signer.close();
    await lab.anvil.mine(3);
    await lab.follow();
    expect(await lab.read(next)).toMatchObject({ status: 'confirmed' });
  });

  test('the receipts of payouts that are final are read in one request, and once', async () => {
    const ids = [await lab.approved('1'), await lab.approved('1'), await lab.approved('1')];
    const asked: number[] = [];
    const send = (async (url: string, init?: RequestInit) => {
      const count = String(init?.body).split('eth_getTransactionReceipt').length - 1;
      if (count > 0) asked.push(count);
      return fetch(url, init);
    }) as typeof fetch;
    const signer = lab.open({ send });
    await signer.cycle();
    await lab.anvil.mine(5);
    await signer.cycle();
    await signer.cycle();
    signer.close();
    expect(asked).toEqual([3]);
    await lab.follow();
    for (const id of ids) expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
  });

  test('a payout waits while fees are above the bound', async () => {
    const id = await lab.approved('1');
    await lab.anvil.call('anvil_setNextBlockBaseFeePerGas', ['0x174876e800']);
    await lab.anvil.mine();
    const signer = lab.open();
    await signer.cycle();
    expect(await lab.read(id)).toMatchObject({ status: 'approved' });
    await lab.anvil.call('anvil_setNextBlockBaseFeePerGas', ['0x3b9aca00']);
    await lab.anvil.mine();
    await signer.cycle();
    signer.close();
    expect(await lab.read(id)).toMatchObject({ status: 'sent' });
  });

  test('a transaction that is stuck is replaced at a higher fee, with the same nonce', async () => {
    const start = await lab.onChain(PAYEE);
    const id = await lab.approved('2');
    let now = Date.now();
    const signer = lab.open({ now: () => now });
    await signer.cycle();
    const [first] = signer.deps.state.listSigned(id);
    // The fees of the chain have risen above those of the transaction.
    await lab.anvil.call('anvil_setNextBlockBaseFeePerGas', ['0x2540be400']);
    await lab.anvil.mine();
    expect((await lab.onChain(PAYEE)) - start).toBe(0n);
    now += 200_000;
    await signer.cycle();
    const [second] = signer.deps.state.listSigned(id);
    signer.close();
    expect(BigInt(second?.max_fee ?? 0)).toBeGreaterThan(BigInt(first?.max_fee ?? 0));
    await lab.anvil.mine(3);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed', tx_hash: second?.tx_hash });
    expect((await lab.onChain(PAYEE)) - start).toBe((199n * ETH) / 100n);
    const count = await lab.anvil.call('eth_getTransactionCount', [HOT_WALLET, 'latest']);
    expect(Number(count)).toBe(1);
  });
});
