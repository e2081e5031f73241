/** A compromised service sends false heads of the ledger; the signer refuses. */
import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type Lies, useCompromisedService } from '../support/compromised-service.ts';
import { RUN_ENGINES } from '../support/databases.ts';

describe.each(RUN_ENGINES)('a head of the ledger that lies on %s', (engine) => {
  const forger = useCompromisedService(engine);
  const { make, makeDocument, handOver, countSent, expectRefused } = forger;

  test.each<[string, Lies, RegExp]>([
    ['no known key signed', { key: generateKeyPairSync('ed25519').privateKey }, /no known key/],
    ['is of another network', { body: { network: 'OTHER' } }, /another network/],
    ['is old', { body: { signed_at: '2020-01-01T00:00:00.000Z' } }, /not of now/],
    ['is another text', { body: { kind: 'head' } }, /another form/],
  ])('a head of the ledger that %s', async (_what, changes, reason) => {
    forger.lies = changes;
    await expect(handOver([make(makeDocument())])).rejects.toThrow(reason);
    expect(await countSent()).toBe(0);
  });

  test.each([
    ['fewer seals', { seals: 0 }],
    ['fewer transfers', { transfers: 0 }],
    ['fewer steps', { steps: 999 }],
    ['another seal', { mac: 'bb' }],
  ])('a ledger that was reset, with %s', async (_what, shard0) => {
    await handOver([make(makeDocument())]);
    forger.lies = { shard0 };
    const next = make(makeDocument({ payout_id: 8 }));
    await expect(handOver([next])).rejects.toThrow(/went back in its shard 0/);
    expect(await countSent()).toBe(1);
  });

  const seen = { position: 5, mac: 'dd' };
  const next = { position: 9, mac: 'ff' };

  test.each([
    ['lacks the last entry that was seen', { last: { position: 4, mac: 'cc' } }],
    ['has another one in its place', { last: next, seen: { ...seen, mac: 'ee' } }],
    ['shows an older one', { last: next, seen: { position: 4, mac: 'dd' } }],
    ['shows none, and has grown since', { last: next }],
  ])('a log of decisions that %s', async (_what, decisions) => {
    await handOver([make(makeDocument())]);
    forger.lies = { body: { decisions } };
    const more = make(makeDocument({ payout_id: 8 }));
    await expect(handOver([more])).rejects.toThrow(/has lost its entry 5/);
    expect(await countSent()).toBe(1);
  });

  test('a head that leaves the log of decisions out', async () => {
    forger.lies = { body: { decisions: undefined } };
    await expect(handOver([make(makeDocument())])).rejects.toThrow(/nothing of the log/);
    expect(await countSent()).toBe(0);
  });

  test('a payout whose money no hold of the head covers', async () => {
    forger.lies = { shard0: { steps: 7 } };
    await expectRefused(make(makeDocument()), /no money of the ledger/);
    forger.loseState();
    forger.lies = { body: { holds: [] } };
    await expectRefused(make(makeDocument()), /no money of the ledger/);
  });

  test('the money of another payout', async () => {
    await handOver([make(makeDocument())]);
    const second = make(makeDocument({ payout_id: 8 }));
    const hold = { payout_id: 8, document_hash: second.document_hash, step: 7 * 16 + 1 };
    forger.lies = { body: { holds: [hold] } };
    const [report] = await handOver([second]);
    expect(report).toMatchObject({ outcome: 'refused' });
    expect(await countSent()).toBe(1);
  });
});
