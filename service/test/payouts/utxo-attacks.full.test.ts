/** A compromised service hands anything over; the UTXO signer refuses it. */
import { describe, expect, test } from 'vitest';
import { litecoinMissing } from '../support/chains/litecoin.ts';
import { useCompromisedUtxoService } from '../support/compromised-service.ts';
import { testAttacks } from '../support/signer-attacks.ts';

if (litecoinMissing !== undefined) console.warn(`The UTXO tests are skipped: ${litecoinMissing}.`);

/** With another last character than it has. */
const withOtherEnd = (address: string): string =>
  address.slice(0, -1) + (address.endsWith('q') ? 'p' : 'q');

describe.skipIf(litecoinMissing !== undefined)('a compromised service and a UTXO signer', () => {
  const forger = useCompromisedUtxoService();
  const { lab, unit: COIN, make, makeDocument, handOver, countSent, expectRefused } = forger;

  testAttacks(forger);

  test.each([
    ['the prefix of another chain', () => ({ address_prefix: 'ltc' }), /another chain/],
    ['an EVM chain', () => ({ chain_id: 1 }), /another chain/],
    ['a contract', () => ({ contract: `0x${'a'.repeat(40)}` }), /contract/],
    ['the hot wallet itself', () => ({ address: lab.hotWallet }), /not one of a user/],
    ['a wrong checksum', () => ({ address: withOtherEnd(lab.payee) }), /checksum/],
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
    ['a document from the future', () => ({ issued_at: '9999-01-01T00:00:00.000Z' }), /the future/],
  ])('approved, but %s', (_what, change, reason) =>
    expectRefused(make(makeDocument(change()), [0, 1]), reason),
  );

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
