/** Attacks with documents whose approvals have ended. */
import { expect, test } from 'vitest';
import type { Forger } from './compromised-service.ts';
import { toToken } from './payout-chain-actions.ts';
import { createSoftPasskey } from './soft-passkey.ts';

/** Registers the tests. */
export function testDocuments(forger: Forger): void {
  const { lab, make, makeDocument, handOver, countSent, expectRefused } = forger;

  test('a passkey of two operators is no configuration: it would be four eyes', async () => {
    const four = make(makeDocument({ amount: String(6n * forger.unit) }), [0]);
    const [{ passkey }] = lab.operators;
    const public_key = passkey.publicKey.toString('base64url');
    const name = (credential_id: string, key: string) =>
      lab.operators.map(({ userId }, at) => ({
        ...{ name: `operator ${at}`, user_id: userId },
        keys: [
          at === 0 ? { credential_id: passkey.id, public_key } : { credential_id, public_key: key },
        ],
      }));
    const other = createSoftPasskey(lab.service.baseUrl);
    const otherKey = other.publicKey.toString('base64url');
    for (const operators of [name(passkey.id, otherKey), name(other.id, `${public_key}=`)])
      await expect(handOver([four], { operators })).rejects.toThrow(/is configured twice/);
    expect(await countSent()).toBe(0);
  });

  test('a document that was refused is not paid later', async () => {
    const taken = make(makeDocument());
    const token = { ...toToken(forger.currency, null, 8), payout_max: '1' };
    await expectRefused(taken, /payout_max/, { tokens: [token] });
    await expectRefused(taken, /payout_max/);
    const next = make(makeDocument({ attempt: 2 }));
    expect(await handOver([next])).toMatchObject([{ outcome: 'sent' }]);
    expect(await countSent()).toBe(1);
  });

  test('a document is not paid once the payout has a newer one', async () => {
    await expectRefused(make(makeDocument({ attempt: 3 }), []), /0 of 1/);
    await expectRefused(make(makeDocument({ attempt: 2 })), /a newer document/);
    await expectRefused(make(makeDocument()), /a newer document/);
    const next = make(makeDocument({ attempt: 3 }));
    expect(await handOver([next])).toMatchObject([{ outcome: 'sent' }]);
    expect(await countSent()).toBe(1);
  });
}
