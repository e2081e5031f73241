/** Attacks that every kind of signer refuses. */
import { expect, test } from 'vitest';
import type { TakenPayout } from '../../../signer/src/service-client.ts';
import { type Document, type Forger, writeForged } from './compromised-service.ts';
import { testDocuments } from './document-attacks.ts';
import { toToken } from './payout-chain-actions.ts';
import { createSoftPasskey } from './soft-passkey.ts';

type Change = (forger: Forger) => Promise<object> | object;

/** What a compromised service would like to change. */
const CHANGES: [string, Change][] = [
  ['another address', async ({ otherAddress }) => ({ address: await otherAddress() })],
  ['a raised amount', ({ unit }) => ({ amount: String(4n * unit) })],
  ['another payout', () => ({ payout_id: 8 })],
];

/** Attacks on the approvals of operators. */
function testApprovals(forger: Forger): void {
  const { lab, make, makeDocument, handOver, countSent, expectRefused } = forger;

  test('what the operators approved is paid: the attacks below differ in one thing', async () => {
    expect(await handOver([make(makeDocument())])).toMatchObject([{ outcome: 'sent' }]);
    expect(await countSent()).toBe(1);
  });

  test('no approval', () => expectRefused(make(makeDocument(), []), /0 of 1/));

  test('a forged approval: the passkey of an attacker under the id of an operator', () => {
    const taken = make(makeDocument());
    const stranger = createSoftPasskey(lab.service.baseUrl);
    const forged = { ...stranger.assert(taken.document_hash), id: lab.operators[0].passkey.id };
    const approvals = [{ user_id: lab.operators[0].userId, passkey_credential: forged }];
    return expectRefused({ ...taken, approvals }, /0 of 1/);
  });

  test.each(CHANGES)('an approval moved to a document with %s', async (_what, change) => {
    const { approvals } = make(makeDocument());
    await expectRefused({ ...make(makeDocument(await change(forger))), approvals }, /0 of 1/);
  });

  test.each(CHANGES)('a changed document under the approved hash: %s', async (_what, change) => {
    const taken = make(makeDocument());
    const document = writeForged(makeDocument(await change(forger))).text;
    await expectRefused({ ...taken, document }, /another hash/);
  });
}

/** Attacks by handing over again, or too much. */
function testQueues(forger: Forger): void {
  const { make, makeDocument, handOver, countSent, unit } = forger;

  test('a replayed queue is paid once', async () => {
    const taken = make(makeDocument());
    const reports = await handOver([taken, taken, taken]);
    await handOver([taken]);
    expect(new Set(reports.map(({ tx_hash }) => tx_hash)).size).toBe(1);
    expect(await countSent()).toBe(1);
  });

  test('the number of a paid payout with another document is not paid', async () => {
    await handOver([make(makeDocument())]);
    const address = await forger.otherAddress();
    expect(await handOver([make(makeDocument({ address }))])).toEqual([]);
    expect(await countSent()).toBe(1);
  });

  test('small payouts without an operator are bounded by the hour', async () => {
    const token = {
      ...toToken(forger.currency, null, 8),
      ...{ payout_max: String(unit), automatic_max: String(unit) },
      ...{ hour_max: String(2n * unit), address_hour_max: String(unit) },
    };
    const small = (payout_id: number, changes = {}) => {
      const document = { payout_id, request_id: `request-${payout_id}`, amount: String(unit) };
      return make(makeDocument({ ...document, ...changes }), []);
    };
    const other = { address: await forger.otherAddress() };
    const reports = await handOver([small(1), small(2), small(3, other), small(4, other)], {
      tokens: [token],
    });
    const outcomes = new Map(reports.map((report) => [report.payout_id, report.outcome]));
    expect([1, 2, 3, 4].map((id) => outcomes.get(id))).toEqual([
      ...['sent', 'postponed', 'sent', 'postponed'],
    ]);
    expect(await countSent()).toBe(2);
  });
}

/** Payouts of one batch that want the same; the rest of the batch is paid. */
function testBatches(forger: Forger): void {
  const { lab, make, makeDocument, signAsOwner, handOver, countSent } = forger;
  const makeThree = () =>
    [7, 8, 9].map((payout_id) =>
      makeDocument({
        ...{ payout_id, request_id: `request-${payout_id}` },
        ...(payout_id === 8 && { user_id: lab.operators[1].userId }),
      }),
    );

  /** The payout 8 is refused, and the others are paid. */
  async function expectOne(taken: readonly TakenPayout[], reason: RegExp): Promise<void> {
    const reports = await handOver(taken);
    const refused = { outcome: 'refused', reason: expect.stringMatching(reason) };
    const find = (id: number) => reports.find(({ payout_id }) => payout_id === id);
    expect([7, 8, 9].map(find)).toMatchObject([{ outcome: 'sent' }, refused, { outcome: 'sent' }]);
    expect(await countSent()).toBe(2);
  }

  test('one passkey for payouts of two owners in one batch', async () => {
    const passkey = createSoftPasskey(lab.service.baseUrl);
    const taken = makeThree().map((document) => {
      return { ...make(document), ...signAsOwner(document, passkey) };
    });
    await expectOne(taken, /of another owner/);
  });

  test('one hold of the ledger for two payouts in one batch', async () => {
    const taken = makeThree().map((document) => make(document));
    const holds = taken.map(({ payout_id, document_hash }) => {
      return { payout_id, document_hash, step: payout_id === 9 ? 65 : 33 };
    });
    forger.lies = { body: { holds } };
    await expectOne(taken, /no money of the ledger/);
  });
}

/** Owners with passkeys. */
function withOwners(forger: Forger) {
  const { lab, make, makeDocument, signAsOwner, handOver } = forger;
  const newPasskey = () => createSoftPasskey(lab.service.baseUrl);
  return {
    ...forger,
    newPasskey,
    next: (changes: object = {}): Document =>
      makeDocument({ payout_id: 8, request_id: 'request-8', ...changes }),
    /** A payout that its owner signed is paid: their passkey is known from then on. */
    async payOnce() {
      const passkey = newPasskey();
      const document = makeDocument();
      const owner = signAsOwner(document, passkey);
      const reports = await handOver([{ ...make(document), ...owner }]);
      expect(reports).toMatchObject([{ outcome: 'sent' }]);
      return { passkey, ...owner };
    },
  };
}
type OwnerForger = ReturnType<typeof withOwners>;

/** Attacks on what the owner of a payout has signed. */
function testOrders(forger: OwnerForger): void {
  const { make, makeDocument, signAsOwner, handOver, countSent, expectRefused } = forger;
  const { newPasskey, next, payOnce } = forger;

  test('an owner signs with the passkey that is known', async () => {
    const { passkey } = await payOnce();
    const taken = { ...make(next()), ...signAsOwner(next(), passkey) };
    expect(await handOver([taken])).toMatchObject([{ outcome: 'sent' }]);
    expect(await countSent()).toBe(2);
  });

  test('an assertion that was left out', async () => {
    await payOnce();
    await expectRefused(make(next()), /has not signed it/);
  });

  test('an assertion that was repeated for another payout', async () => {
    const { owner } = await payOnce();
    await expectRefused({ ...make(next()), owner }, /not signed what the document says/);
    const again = makeDocument({ payout_id: 8 });
    await expectRefused({ ...make(again), owner }, /the request for another payout/);
  });

  test('two payouts of one request in one batch', async () => {
    const passkey = newPasskey();
    const documents = [makeDocument(), makeDocument({ payout_id: 8 })];
    const reports = await handOver(
      documents.map((document) => ({ ...make(document), ...signAsOwner(document, passkey) })),
    );
    const outcomes = new Map(reports.map(({ payout_id, outcome }) => [payout_id, outcome]));
    expect([7, 8].map((id) => outcomes.get(id))).toEqual(['sent', 'refused']);
    expect(await countSent()).toBe(1);
  });

  test.each(CHANGES.slice(0, 2))('an order signed with other values: %s', async (_what, change) => {
    const passkey = newPasskey();
    const changed = makeDocument(await change(forger));
    const taken = { ...make(changed), ...signAsOwner(makeDocument(), passkey) };
    await expectRefused(taken, /not signed what the document says/);
    await payOnce();
  });
}

/** Attacks with other passkeys. */
function testKeys(forger: OwnerForger): void {
  const { lab, make, makeDocument, signAsOwner, handOver, countSent, expectRefused } = forger;
  const { newPasskey, next, payOnce } = forger;

  test('another passkey than the known one, also under its id', async () => {
    const { passkey } = await payOnce();
    const { owner } = signAsOwner(next(), newPasskey());
    await expectRefused({ ...make(next()), owner }, /another passkey/);
    const { id } = passkey;
    const credential = { ...owner.passkey_credential, id, rawId: id };
    const forged = { owner: { ...owner, passkey_credential: credential } };
    await expectRefused({ ...make(next()), ...forged }, /not signed what the document says/);
  });

  test('the passkey of another owner', async () => {
    const { passkey } = await payOnce();
    const theirs = next({ user_id: lab.operators[1].userId });
    const taken = { ...make(theirs), ...signAsOwner(theirs, passkey) };
    await expectRefused(taken, /of another owner/);
  });

  test('an assertion without verification of the user', async () => {
    const passkey = newPasskey();
    const weak = { ...passkey, assert: (hash: string) => passkey.assert(hash, { flags: 0x01 }) };
    const document = makeDocument();
    const taken = { ...make(document), ...signAsOwner(document, weak) };
    await expectRefused(taken, /not signed what the document says/);
  });

  test('a new passkey is trusted once the known one is forgotten', async () => {
    await payOnce();
    const signer = forger.open(fetch, {});
    expect(signer.deps.state.owners.forget(lab.user)).toBe(true);
    expect(signer.deps.state.owners.forget(lab.user)).toBe(false);
    signer.close();
    const taken = { ...make(next()), ...signAsOwner(next(), newPasskey()) };
    expect(await handOver([taken])).toMatchObject([{ outcome: 'sent' }]);
    expect(await countSent()).toBe(2);
  });
}

/** Registers the tests. */
export function testAttacks(forger: Forger): void {
  testApprovals(forger);
  testQueues(forger);
  testBatches(forger);
  testDocuments(forger);
  const owners = withOwners(forger);
  testOrders(owners);
  testKeys(owners);
}
