/** UTXO nodes as their operators run them: without replacements, and without an index. */
import { describe, expect, test } from 'vitest';
import { litecoinMissing, startLitecoin } from '../support/chains/litecoin.ts';
import { CONFIRMATIONS } from '../support/payout-chain-types.ts';
import { COIN, useUtxoLab } from '../support/payout-utxo-lab.ts';

if (litecoinMissing !== undefined) console.warn(`The UTXO tests are skipped: ${litecoinMissing}.`);

describe.skipIf(litecoinMissing !== undefined)('a node of a UTXO chain', () => {
  const lab = useUtxoLab(['-mempoolreplacement=0']);

  test('that allows no replacement keeps the first transaction, and pays it', async () => {
    await lab.fund(5);
    const id = await lab.approved('2');
    let now = Date.now();
    const signer = lab.open({ now: () => now });
    await signer.cycle();
    const [first] = signer.deps.state.listSigned(id);
    now += 2_000_000;
    await signer.cycle();
    expect(signer.deps.state.listSigned(id)).toHaveLength(2);
    expect(await lab.node.call('getrawmempool')).toEqual([first?.tx_hash]);
    await lab.node.mine(CONFIRMATIONS);
    await lab.follow();
    await signer.cycle();
    expect(signer.deps.state.listOpen()).toEqual([]);
    signer.close();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed', tx_hash: first?.tx_hash });
    expect(await lab.onChain(lab.payee)).toBe((199n * COIN) / 100n);
    expect(await lab.verify()).toEqual([]);
  });

  test('that did not receive a transaction gets it again', async () => {
    await lab.fund(5);
    const id = await lab.approved('2');
    const sent: string[] = [];
    const send = (async (url: string, init?: RequestInit) => {
      const body = String(init?.body);
      if (body.includes('sendrawtransaction')) {
        sent.push(body);
        // The connection is cut before the node receives the first one.
        if (sent.length === 1) throw new Error('cut off');
      }
      return fetch(url, init);
    }) as typeof fetch;
    const signer = lab.open({ send });
    await expect(signer.cycle()).rejects.toThrow(/cut off/);
    expect(await lab.read(id)).toMatchObject({ status: 'sent' });
    expect(await lab.node.call('getrawmempool')).toEqual([]);
    await signer.cycle();
    signer.close();
    expect(await lab.node.call('getrawmempool')).toHaveLength(1);
    await lab.node.mine(CONFIRMATIONS);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
  });

  test('without the index of transactions is refused', async () => {
    const node = await startLitecoin();
    const signer = lab.open({ config: lab.config({ rpc_url: node.url }) });
    await expect(signer.start()).rejects.toThrow(/txindex=1/);
    signer.close();
    await node.stop();
  });
});
