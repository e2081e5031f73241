/** A compromised service hands anything over; the UTXO signer refuses it. */
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Report, TakenPayout } from '../../../signer/src/service-client.ts';
import { toCanonicalJson } from '../../src/payouts/document.ts';
import { litecoinMissing } from '../support/chains/litecoin.ts';
import { ledger_keys, writeHead } from '../support/compromised-service.ts';
import { toToken } from '../support/payout-chain-actions.ts';
import { COIN, useUtxoLab } from '../support/payout-utxo-lab.ts';
import { createSoftPasskey } from '../support/soft-passkey.ts';

if (litecoinMissing !== undefined) console.warn(`The UTXO tests are skipped: ${litecoinMissing}.`);

describe.skipIf(litecoinMissing !== undefined)('a compromised service and a UTXO signer', () => {
  const lab = useUtxoLab();
  beforeEach(async () => {
    await lab.fund(10, 10, 10);
  });

  const issued = () => {
    const now = new Date().toISOString();
    return { requested_at: now, attempt: 1, issued_at: now };
  };

  function makeDocument(changes: object = {}): Record<string, unknown> {
    return {
      ...{ version: 1, payout_id: 7, user_id: lab.user, network: 'TESTNET', chain_id: null },
      ...{ address_prefix: 'rltc', currency: 'LTC', contract: null, address: lab.payee },
      ...{ amount: String(2n * COIN), ...issued(), ...changes },
    };
  }

  const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

  /** A payout as a compromised service hands it over, approved by operators of the lab. */
  function make(document: Record<string, unknown>, approvers = [0]): TakenPayout {
    const text = toCanonicalJson(document);
    return {
      payout_id: document.payout_id as number,
      document: text,
      document_hash: hashOf(text),
      approvals: approvers.map((at) => {
        const { userId, passkey } = lab.operators[at === 0 ? 0 : 1];
        return { user_id: userId, passkey_credential: passkey.assert(hashOf(text)) };
      }),
    };
  }

  /** Runs a signer against a service that hands these over; returns its reports. */
  async function handOver(taken: readonly TakenPayout[], changes: object = {}): Promise<Report[]> {
    const reports: Report[] = [];
    const send = (async (url: string, init?: RequestInit) => {
      const answer = (body: unknown) => new Response(JSON.stringify(body));
      if (url.endsWith('/oauth2/token')) return answer({ access_token: 'x', expires_in: 3600 });
      if (url.endsWith('/take')) return answer({ payouts: taken, head: writeHead(taken) });
      if (url.endsWith('/reports')) {
        reports.push(...(JSON.parse(String(init?.body)) as { reports: Report[] }).reports);
        return new Response(null, { status: 204 });
      }
      return fetch(url, init);
    }) as typeof fetch;
    const signer = lab.open({ send, config: lab.config({ ledger_keys, ...changes }) });
    await signer.start();
    await signer.cycle();
    await signer.cycle();
    signer.close();
    return reports;
  }

  /** Transactions of the hot wallet in the pool. */
  async function countSent(): Promise<number> {
    await lab.node.mine();
    const scan = await lab.node.call<{ unspents: { height: number }[] }>('scantxoutset', [
      'start',
      [`addr(${lab.hotWallet})`],
    ]);
    const height = await lab.node.height();
    return scan.unspents.filter((coin) => coin.height === height).length;
  }

  async function expectRefused(taken: TakenPayout, reason: RegExp, changes = {}): Promise<void> {
    const [report] = await handOver([taken], changes);
    expect(report).toMatchObject({ outcome: 'refused', reason: expect.stringMatching(reason) });
    expect(await countSent()).toBe(0);
  }

  test('what the operators approved is paid: the attacks below differ in one thing', async () => {
    expect(await handOver([make(makeDocument())])).toMatchObject([{ outcome: 'sent' }]);
    expect(await countSent()).toBe(1);
  });

  test('no approval', () => expectRefused(make(makeDocument(), []), /0 of 1/));

  test('a forged approval: the passkey of somebody else under the id of an operator', () => {
    const taken = make(makeDocument());
    const forger = createSoftPasskey(lab.service.baseUrl);
    const forged = { ...forger.assert(taken.document_hash), id: lab.operators[0].passkey.id };
    const approvals = [{ user_id: lab.operators[0].userId, passkey_credential: forged }];
    return expectRefused({ ...taken, approvals }, /0 of 1/);
  });

  test.each([
    ['another address', () => ({ address: lab.hotWallet })],
    ['a raised amount', () => ({ amount: String(4n * COIN) })],
  ])('a changed document under the approved hash: %s', (_what, change) => {
    const taken = make(makeDocument());
    const document = toCanonicalJson(makeDocument(change()));
    return expectRefused({ ...taken, document }, /another hash/);
  });

  test.each([
    ['another address', async () => ({ address: await lab.node.call('getnewaddress') })],
    ['a raised amount', async () => ({ amount: String(4n * COIN) })],
    ['another payout', async () => ({ payout_id: 8 })],
  ])('an approval moved to a document with %s', async (_what, change) => {
    const { approvals } = make(makeDocument());
    await expectRefused({ ...make(makeDocument(await change())), approvals }, /0 of 1/);
  });

  test.each([
    ['the prefix of another chain', () => ({ address_prefix: 'ltc' }), /another chain/],
    ['an EVM chain', () => ({ chain_id: 1 }), /another chain/],
    ['a contract', () => ({ contract: `0x${'a'.repeat(40)}` }), /contract/],
    ['the hot wallet itself', () => ({ address: lab.hotWallet }), /not one of a user/],
    ['a wrong checksum', () => ({ address: `${lab.payee.slice(0, -1)}q` }), /checksum/],
    ['an EVM address', () => ({ address: `0x${'1'.repeat(40)}` }), /checksum/],
    ['capital letters', () => ({ address: lab.payee.toUpperCase() }), /checksum/],
    [
      'an address of Bitcoin',
      () => ({ address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }),
      /checksum/,
    ],
    ['dust', () => ({ amount: '5460' }), /dust/],
    ['more than one payout may pay', () => ({ amount: String(2000n * COIN) }), /payout_max/],
    ['an old document', () => ({ issued_at: '2020-01-01T00:00:00.000Z' }), /too old/],
  ])('approved, but %s', (_what, change, reason) =>
    expectRefused(make(makeDocument(change()), [0, 1]), reason),
  );

  test('a replayed queue is paid once', async () => {
    const taken = make(makeDocument());
    const reports = await handOver([taken, taken, taken]);
    await handOver([taken]);
    expect(new Set(reports.map(({ tx_hash }) => tx_hash)).size).toBe(1);
    expect(await countSent()).toBe(1);
  });

  test('the number of a paid payout with another document is not paid', async () => {
    await handOver([make(makeDocument())]);
    const address = await lab.node.call('getnewaddress');
    expect(await handOver([make(makeDocument({ address }))])).toEqual([]);
    expect(await countSent()).toBe(1);
  });

  test('small payouts without an operator are bounded by the hour', async () => {
    const token = {
      ...toToken('LTC', null, 8),
      automatic_max: String(COIN),
      hour_max: String(2n * COIN),
      address_hour_max: String(COIN),
    };
    const other = await lab.node.call('getnewaddress');
    const small = (id: number, address: unknown = lab.payee) =>
      make(makeDocument({ payout_id: id, amount: String(COIN), address }), []);
    const queue = [
      small(1),
      small(2),
      small(3, other),
      small(4, await lab.node.call('getnewaddress')),
    ];
    const reports = await handOver(queue, { tokens: [token] });
    const outcomes = new Map(reports.map((report) => [report.payout_id, report.outcome]));
    expect([1, 2, 3, 4].map((id) => outcomes.get(id))).toEqual([
      ...['sent', 'postponed', 'sent', 'postponed'],
    ]);
    expect(await countSent()).toBe(2);
  });

  test('the budget for fees is a limit, and too few coins are', async () => {
    const taken = make(makeDocument());
    expect((await handOver([taken], { fee_budget_day: '1' }))[0]).toMatchObject({
      ...{ outcome: 'postponed', reason: expect.stringMatching(/fees/) },
    });
    const dear = make(makeDocument({ amount: String(40n * COIN) }), [0, 1]);
    expect((await handOver([dear]))[0]).toMatchObject({
      ...{ outcome: 'postponed', reason: expect.stringMatching(/few coins/) },
    });
    expect(await countSent()).toBe(0);
  });

  test('a node of another chain is refused', async () => {
    const signer = lab.open({
      config: lab.config({ address_prefix: 'tltc', state_file: ':memory:' }),
    });
    await expect(signer.start()).rejects.toThrow(/another chain/);
    signer.close();
    expect(() => lab.open({ config: lab.config({ address_prefix: 'doge' }) })).toThrow(
      /must be one/,
    );
  });
});
