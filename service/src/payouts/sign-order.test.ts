import { hash } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import { RUN_ENGINES } from '../../test/support/databases.ts';
import { usePayoutLab } from '../../test/support/payout-lab.ts';
import { createSoftPasskey, type SoftPasskey } from '../../test/support/soft-passkey.ts';

/** The signer's hot wallet. */
const SENDER = `0x${'5e'.repeat(20)}`;

interface Options {
  readonly order: string;
  readonly options: {
    readonly challenge: string;
    readonly allowCredentials: readonly { readonly id: string }[];
  };
}

let keys = 0;

describe.each(RUN_ENGINES)('payouts that a passkey signs, on %s', (engine) => {
  const lab = usePayoutLab(engine);
  let passkey: SoftPasskey;
  let key: string;

  beforeEach(async () => {
    passkey = createSoftPasskey();
    await passkey.enrol(lab.server.database, lab.user);
    key = `signed-${++keys}`;
  });

  /** The sign-in is old: the signature proves the person. */
  function post(path: string, body: object, changes: { user?: number; key?: string } = {}) {
    const { user = lab.user, key: own = key } = changes;
    const as = lab.server.asUser(user, { authTime: new Date('2026-01-01T00:00:00Z') });
    return lab.server.call('POST', path, { as, key: own, body });
  }

  const body = (amount: string) => {
    return { wallet: 'asset', currency: 'ETH', amount, address_id: lab.address };
  };

  async function optionsOf(amount: string, changes = {}): Promise<Options> {
    const answer = await post('/payouts/signing-options', body(amount), changes);
    expect(answer.statusCode).toBe(200);
    return answer.json();
  }

  const request = (amount: string, passkey_credential?: object) =>
    post('/payouts', { ...body(amount), ...(passkey_credential && { passkey_credential }) });

  test('the signature replaces the second factor, and is handed to the signer', async () => {
    const { order, options } = await optionsOf('1');
    expect(hash('sha256', order, 'base64url')).toBe(options.challenge);
    expect(JSON.parse(order)).toMatchObject({
      ...{ kind: 'payout-order', request_id: key, user_id: lab.user, currency: 'ETH' },
      amount: '990000000000000000',
    });
    const signature = passkey.assert(options.challenge);
    const answer = await request('1', signature);
    expect(answer.json()).toMatchObject({ status: 'requested' });
    await lab.server.review();
    const [taken] = await lab.takeOf(answer.json().id);
    expect(taken).toMatchObject({
      owner: {
        public_key: passkey.publicKey.toString('base64url'),
        passkey_credential: { id: passkey.id },
      },
    });
    expect(JSON.parse(taken?.document ?? '')).toMatchObject({ request_id: key });
  });

  test('an account with a passkey must sign; a repeated request is the same', async () => {
    const as = lab.server.asUser(lab.user);
    const unsigned = await lab.server.call('POST', '/payouts', { as, key, body: body('1') });
    expect(unsigned.json()).toMatchObject({ code: 'payout_signature_required' });
    const { challenge } = (await optionsOf('1')).options;
    const first = await request('1', passkey.assert(challenge));
    expect(first.statusCode).toBe(200);
    const again = await request('1', passkey.assert(challenge));
    expect(again.json().id).toBe(first.json().id);
    const other = await request('2', passkey.assert(challenge));
    expect(other.json()).toMatchObject({ code: 'idempotency_key_reused' });
  });

  test('a signature of anything else is refused, and not recorded under the key', async () => {
    const { challenge } = (await optionsOf('1')).options;
    const stranger = createSoftPasskey();
    const wrong = {
      amount: passkey.assert((await optionsOf('2')).options.challenge),
      request: passkey.assert((await optionsOf('1', { key: `other-${key}` })).options.challenge),
      passkey: stranger.assert(challenge),
      forged: { ...stranger.assert(challenge), id: passkey.id, rawId: passkey.id },
      unverified: passkey.assert(challenge, { flags: 0x01 }),
      site: passkey.assert(challenge, { origin: 'https://evil.example' }),
    };
    for (const [what, signature] of Object.entries(wrong))
      expect((await request('1', signature)).json(), what).toMatchObject({
        code: 'approval_invalid',
      });
    const other = await lab.server.addUser();
    await stranger.enrol(lab.server.database, other);
    expect((await request('1', stranger.assert(challenge))).json()).toMatchObject({
      code: 'approval_invalid',
    });
    expect((await request('1', passkey.assert(challenge))).statusCode).toBe(200);
  });

  test('the passkey that signed before is offered alone, while the user has it', async () => {
    const second = createSoftPasskey();
    await second.enrol(lab.server.database, lab.user);
    const { options } = await optionsOf('1');
    expect(options.allowCredentials).toHaveLength(2);
    const answer = await request('1', second.assert(options.challenge));
    const { id } = answer.json() as { id: number };
    await lab.server.review();
    await lab.takeOf(id);
    const tx_hash = `0x${String(id).padStart(64, '0')}`;
    await lab.server.report([
      { payout_id: id, outcome: 'sent', tx_hash, sender: SENDER, nonce: 0 },
    ]);
    key = `next-${key}`;
    const next = await optionsOf('1');
    expect(next.options.allowCredentials).toMatchObject([{ id: second.id }]);
    await lab.server.database.query('delete from passkey where credential_id = $1', [second.id]);
    const last = await optionsOf('1');
    expect(last.options.allowCredentials).toMatchObject([{ id: passkey.id }]);
  });
});
