/** A compromised service hands anything over; the signer refuses, and the chain sees nothing. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { useCompromisedService, writeForged } from '../support/compromised-service.ts';
import { RUN_ENGINES } from '../support/databases.ts';
import { commonConfig } from '../support/payout-chain-actions.ts';
import { ETH, HOT_WALLET, PAYEE } from '../support/payout-chain-types.ts';
import { testAttacks } from '../support/signer-attacks.ts';

const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';

describe.each(RUN_ENGINES)('a compromised service on %s', (engine) => {
  const forger = useCompromisedService(engine);
  const { lab, make, makeDocument, handOver, countSent, expectRefused } = forger;

  testAttacks(forger);

  test('an operator who is not in the configuration of the signer', () =>
    expectRefused(make(makeDocument()), /0 of 1/, { operators: [] }));

  test('a document that says one thing twice', () => {
    const { text } = writeForged(makeDocument());
    const document = text.replace('{', `{"address":"${OTHER}",`);
    const document_hash = createHash('sha256').update(document).digest('base64url');
    return expectRefused({ ...make(makeDocument()), document, document_hash }, /not canonical/);
  });

  test('one operator for two, twice', async () => {
    const document = makeDocument({ amount: String(6n * ETH) });
    await expectRefused(make(document, [0, 0]), /1 of 2/);
  });

  test('an operator approves their own payout', () =>
    expectRefused(make(makeDocument({ user_id: lab.operators[0].userId })), /0 of 1/));

  test('an operator approves their own payout from their other account', () => {
    const [own, other] = commonConfig(lab).operators;
    const operators = [
      { ...own, name: 'one person' },
      { ...other, name: 'one person' },
    ];
    const taken = make(makeDocument({ user_id: lab.operators[0].userId }), [1]);
    return expectRefused(taken, /0 of 1/, { operators });
  });

  test('an approval without verification of the user', () => {
    const taken = make(makeDocument());
    const { userId, passkey } = lab.operators[0];
    const passkey_credential = passkey.assert(taken.document_hash, { flags: 0x01 });
    return expectRefused(
      { ...taken, approvals: [{ user_id: userId, passkey_credential }] },
      /0 of/,
    );
  });

  test.each([
    ['the contract of another token', { contract: '0x'.padEnd(42, 'a') }, /contract/],
    ['a currency that is not configured', { currency: 'EDGE' }, /contract/],
    ['another chain', { chain_id: 1 }, /another chain/],
    ['an address without checksum', { address: PAYEE.toLowerCase() }, /checksum/],
    ['the hot wallet itself', { address: HOT_WALLET }, /not one of a user/],
    ['more than one payout may pay', { amount: String(2000n * ETH) }, /payout_max/],
    ['an old document', { issued_at: '2020-01-01T00:00:00.000Z' }, /too old/],
    ['a document from the future', { issued_at: '9999-01-01T00:00:00.000Z' }, /the future/],
  ])('approved, but %s', (_what, changes, reason) =>
    expectRefused(make(makeDocument(changes), [0, 1]), reason),
  );

  test('a document of a clock that is two minutes fast waits, and needs no operator', async () => {
    const issued_at = new Date(Date.now() + 120_000).toISOString();
    const waits = { outcome: 'postponed', reason: expect.stringMatching(/clocks/) };
    // In each of two cycles: no refusal is kept.
    expect(await handOver([make(makeDocument({ issued_at }))])).toMatchObject([waits, waits]);
    expect(await countSent()).toBe(0);
  });

  test('a queue replayed to a signer that lost its state', async () => {
    const taken = make(makeDocument());
    await handOver([taken]);
    forger.loseState();
    await expect(handOver([taken], { documents_since: undefined })).rejects.toThrow(
      /documents_since/,
    );
    const documents_since = new Date(Date.now() + 1000).toISOString();
    const [report] = await handOver([taken], { documents_since });
    expect(report).toMatchObject({
      ...{ outcome: 'refused', reason: expect.stringMatching(/documents_since/) },
    });
    expect(await countSent()).toBe(1);
  });

  test('the budget for gas is a limit', async () => {
    const reports = await handOver([make(makeDocument())], { gas_budget_day: '1' });
    expect(reports[0]).toMatchObject({ outcome: 'postponed' });
    expect(await countSent()).toBe(0);
  });
});
