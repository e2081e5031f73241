/** Payouts on a real chain of the Bitcoin family, and events of that chain. */
import { schnorr } from '@noble/curves/secp256k1.js';
import { p2tr } from '@scure/btc-signer';
import { describe, expect, test } from 'vitest';
import { NETWORK } from '../support/chains/deposit-bench.ts';
import { litecoinMissing } from '../support/chains/litecoin.ts';
import { CONFIRMATIONS } from '../support/payout-chain-types.ts';
import { COIN, useUtxoLab } from '../support/payout-utxo-lab.ts';
import { sized } from '../support/scale.ts';

const DEPTHS = sized({
  quick: [1, 4],
  full: [1, 2, 3, 4, 6, 12],
  soak: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12],
});
/** The amount that arrives of 2 coins. */
const NET = (199n * COIN) / 100n;

const KINDS = ['bech32', 'legacy', 'p2sh-segwit', 'taproot'];
const TAPROOT = { bech32: 'rltc', pubKeyHash: 0, scriptHash: 0, wif: 0 };

if (litecoinMissing !== undefined) console.warn(`The UTXO tests are skipped: ${litecoinMissing}.`);

describe.skipIf(litecoinMissing !== undefined)('payouts on a UTXO chain', () => {
  const lab = useUtxoLab();

  /** Taproot is not known to the wallet of the node. */
  const newAddress = async (kind: string): Promise<string> =>
    kind === 'taproot'
      ? (p2tr(schnorr.getPublicKey(new Uint8Array(32).fill(7)), undefined, TAPROOT).address ?? '')
      : lab.node.call<string>('getnewaddress', ['', kind]);

  const inPool = (hash: string): Promise<boolean> =>
    lab.node.call<string[]>('getrawmempool').then((hashes) => hashes.includes(hash));

  /** Blocks without a transaction: the pool stays as it is. */
  async function mineEmpty(blocks: number): Promise<void> {
    const own = await lab.node.call<string>('getnewaddress');
    for (let at = 0; at < blocks; at++) await lab.node.call('generateblock', [own, []]);
  }

  test('an approved payout arrives, and the books agree with the chain', async () => {
    await lab.fund(5);
    expect(await lab.verify()).toEqual([]);
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.start();
    await signer.cycle();
    expect(await lab.read(id)).toMatchObject({ status: 'sent', reason_code: 'in_pool' });
    expect(await lab.verify()).toEqual([]);
    await lab.node.mine();
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'sent', reason_code: 'in_block' });
    expect(await lab.verify()).toEqual([]);
    await lab.node.mine(2);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed', confirmations: 3 });
    expect(await lab.onChain(lab.payee)).toBe(NET);
    expect(await lab.balance(lab.user)).toEqual({ balance: 98n * COIN, hold: 0n });
    expect(await lab.verify()).toEqual([]);
    await signer.cycle();
    expect(signer.deps.state.listOpen()).toEqual([]);
    signer.close();
  });

  test('a currency that is stopped before it is sent waits', async () => {
    await lab.fund(5, 5);
    const ids = [await lab.approved('2'), await lab.approved('2')] as const;
    const resume = () => lab.database.query('delete from payout_stop');
    let isStopped = false;
    let now = Date.now();
    const send = (async (url: string, init?: RequestInit) => {
      if (url.endsWith('/reports') && !isStopped) {
        isStopped = true;
        await lab.database.query(
          `insert into payout_stop values ('LTC', 'incident', 'client:test', now())`,
        );
      }
      return fetch(url, init);
    }) as typeof fetch;
    const signer = lab.open({ send, now: () => now });
    for (let cycle = 0; cycle < 3; cycle++) {
      await signer.cycle();
      now += 200_000;
    }
    for (const id of ids) expect(await lab.read(id)).toMatchObject({ status: 'signed' });
    const hashOf = (id: number) => signer.deps.state.listSigned(id)[0]?.tx_hash ?? '';
    expect(signer.deps.state.listSigned(ids[0])).toHaveLength(1);
    expect(await inPool(hashOf(ids[0]))).toBe(false);
    await resume();
    await signer.cycle();
    expect(await inPool(hashOf(ids[0]))).toBe(true);
    signer.close();
    await lab.node.mine(CONFIRMATIONS);
    await lab.follow();
    for (const id of ids) expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect(await lab.onChain(lab.payee)).toBe(2n * NET);
  });

  test('small coins are spent together', async () => {
    await lab.fund(1, 1, 1);
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.cycle();
    expect(signer.deps.state.listCoins(id)).toHaveLength(2);
    signer.close();
    await lab.node.mine(CONFIRMATIONS);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect(await lab.onChain(lab.payee)).toBe(NET);
    expect(await lab.verify()).toEqual([]);
  });

  test('an address needs the checksum and the prefix of the network', async () => {
    const { accessToken } = await lab.service.tokens.login(lab.user);
    const add = async (address: string) => {
      const answer = await fetch(`${lab.service.baseUrl}/me/payout-addresses`, {
        method: 'POST',
        headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ network: NETWORK, address, label: 'mine' }),
      });
      return [answer.status, await answer.text()] as const;
    };
    for (const kind of KINDS) {
      const address = await newAddress(kind);
      expect(await add(address)).toMatchObject([200, expect.stringContaining(address)]);
      const last = address.endsWith('q') ? 'p' : 'q';
      const wrong = await add(address.slice(0, -1) + last);
      expect(wrong).toMatchObject([400, expect.stringContaining('wrong_checksum')]);
    }
    const ofBitcoin = await add('bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq');
    expect(ofBitcoin).toMatchObject([400, expect.stringContaining('wrong_checksum')]);
  });

  test.each(KINDS.slice(1))('addresses of the kind %s are paid', async (kind) => {
    await lab.fund(5);
    const address = await newAddress(kind);
    await lab.database.query(
      'update payout_address set address = $1, address_key = lower($1) where user_id = $2',
      [address, lab.user],
    );
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.cycle();
    signer.close();
    await lab.node.mine(CONFIRMATIONS);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect(await lab.onChain(address)).toBe(NET);
  });

  test.each(DEPTHS)('a reorganisation of depth %i around the confirmation', async (depth) => {
    await lab.fund(5);
    const id = await lab.approved('2');
    const signer = lab.open();
    await signer.cycle();
    await lab.node.mine(Math.max(CONFIRMATIONS, depth));
    await signer.cycle();
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    await lab.rollBack(depth);
    await mineEmpty(depth + 1);
    await lab.follow();
    await lab.follow();
    expect(await lab.read(id)).toMatchObject(
      depth < CONFIRMATIONS
        ? { status: 'confirmed' }
        : { status: 'sent', reason_code: 'reorganised' },
    );
    expect(await lab.balance(lab.user)).toEqual({ balance: 98n * COIN, hold: 0n });
    expect(await lab.verify()).toEqual([]);
    await signer.cycle();
    expect(signer.deps.state.listOpen()).toHaveLength(depth < CONFIRMATIONS ? 0 : 1);
    signer.close();
    const restarted = lab.open();
    await restarted.start();
    await restarted.cycle();
    expect(restarted.deps.state.listSigned(id)).toHaveLength(1);
    restarted.close();
    await lab.node.mine(Math.max(CONFIRMATIONS, depth));
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
    expect(await lab.onChain(lab.payee)).toBe(NET);
    expect(await lab.verify()).toEqual([]);
  });

  test('a transaction that waits is replaced at a higher fee, with the same coins', async () => {
    await lab.fund(5);
    const id = await lab.approved('2');
    let now = Date.now();
    const signer = lab.open({ now: () => now });
    await signer.cycle();
    const [first] = signer.deps.state.listSigned(id);
    now += 1_700_000;
    await signer.cycle();
    expect(signer.deps.state.listSigned(id)).toHaveLength(1);
    now += 200_000;
    await signer.cycle();
    const [second] = signer.deps.state.listSigned(id);
    signer.close();
    expect(BigInt(second?.fee ?? 0)).toBeGreaterThan(BigInt(first?.fee ?? 0));
    expect(await inPool(first?.tx_hash ?? '')).toBe(false);
    expect(await inPool(second?.tx_hash ?? '')).toBe(true);
    await lab.node.mine(CONFIRMATIONS);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed', tx_hash: second?.tx_hash });
    expect(await lab.onChain(lab.payee)).toBe(NET);
    expect(await lab.verify()).toEqual([]);
  });

  /** A node that estimates no fee, whatever the transactions before have paid. */
  const withoutEstimate = (async (url: string, init?: RequestInit) => {
    const response = await fetch(url, init);
    if (!String(init?.body).includes('estimatesmartfee')) return response;
    const answers = (await response.json()) as { result: object }[];
    const cut = ({ result, ...answer }: { result: object }) => {
      return { ...answer, result: { ...result, feerate: undefined } };
    };
    return Response.json(answers.map(cut));
  }) as typeof fetch;

  test('fees are raised up to the bound, and not above', async () => {
    await lab.fund(2);
    const id = await lab.approved('1.99');
    let now = Date.now();
    const config = lab.config({ fee_rate_max: 30 });
    const signer = lab.open({ now: () => now, config, send: withoutEstimate });
    for (let cycles = 0; cycles < 8; cycles++) {
      await signer.cycle();
      now += 2_000_000;
    }
    const rates = signer.deps.state.listSigned(id).map(({ rate }) => rate);
    signer.close();
    expect(rates).toEqual([25, 19, 14, 10]);
    await lab.node.mine(CONFIRMATIONS);
    await lab.follow();
    expect(await lab.read(id)).toMatchObject({ status: 'confirmed' });
  });

  test('a payout waits while fees are above the bound', async () => {
    await lab.fund(5);
    const id = await lab.approved('2');
    const dear = lab.open({ config: lab.config({ fee_rate_min: 600 }) });
    await dear.cycle();
    dear.close();
    expect(await lab.read(id)).toMatchObject({ status: 'approved' });
    const signer = lab.open({ send: withoutEstimate });
    await signer.cycle();
    signer.close();
    expect(await lab.read(id)).toMatchObject({ status: 'sent' });
  });
});
