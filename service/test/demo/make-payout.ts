/**
 * A payout to an address on the local chain: requested by its user, approved by the policy, signed
 * by `edge-signer` as a process of its own, and confirmed block by block.
 */
import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { DEMO_NETWORK, type DemoChain } from '../support/chains/demo-chain.ts';
import { expectOk } from './http-client.ts';
import { runSigner } from './run-signer.ts';

export interface PayoutOptions {
  readonly baseUrl: string;
  readonly operatorToken: string;
  readonly token: string;
  readonly passwordHash: string;
  readonly chain: DemoChain;
  /** A new address waits for 24 hours. */
  passADay(): Promise<void>;
  print(line: string): void;
}

interface Payout {
  readonly id: number;
  readonly status: string;
  readonly confirmations: number;
  readonly required_confirmations: number;
  readonly tx_hash?: string;
}

const PAYEE = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const AMOUNT = '10';
const ARRIVES = 9_500_000n;
const TRIES = 300;
const PAUSE_MS = 50;
const TOTP_STEP_MS = 30_000;

const RULE = {
  currency: 'USDT',
  network: DEMO_NETWORK,
  fee: '0.5',
  minimum: '1',
  person_day_max: '100',
  day_max: '1000',
  email_only_day_max: '0',
  automatic_max: '50',
  four_eyes_above: '100',
};

/** Enrols an authenticator app, and proves it: accounts without one are paid less, or nothing. */
async function stepUp({ baseUrl, token, passwordHash, print }: PayoutOptions): Promise<void> {
  const { secret } = await expectOk<{ secret: string }>(`${baseUrl}/me/authenticator`, {
    method: 'POST',
    token,
  });
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const enrolled = { authenticator_code: totp.generate() };
  await expectOk(`${baseUrl}/me/authenticator/confirm`, { token, body: enrolled });
  const { login_ticket } = await expectOk<{ login_ticket: string }>(
    `${baseUrl}/me/reauthenticate`,
    {
      token,
      body: { login_password: passwordHash },
    },
  );
  // Each code works once: the next one is accepted early.
  const authenticator_code = totp.generate({ timestamp: Date.now() + TOTP_STEP_MS });
  await expectOk(`${baseUrl}/me/reauthenticate/2fa`, {
    token,
    body: { login_ticket, method: 'AUTHENTICATOR', authenticator_code },
  });
  print('   the user has enrolled an authenticator app, and proven it');
}

/** Polls until the payout is so far: review, signer and chain work on their own. */
async function waitFor(
  { baseUrl, token }: PayoutOptions,
  id: number,
  isThere: (payout: Payout) => boolean,
): Promise<Payout> {
  for (let tries = 0; tries < TRIES; tries++) {
    const payout = await expectOk<Payout>(`${baseUrl}/payouts/${id}`, { token });
    if (isThere(payout)) return payout;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  throw new Error('the payout did not get so far');
}

/** The operator writes a policy, the user an address book; a day later it can be used. */
async function prepare(options: PayoutOptions): Promise<number> {
  const { baseUrl, operatorToken, token, print } = options;
  await expectOk(`${baseUrl}/operator/payout-policy`, {
    method: 'PUT',
    token: operatorToken,
    body: { rules: [RULE], automatic_age_days: 0, reviews_new_address: false },
  });
  await stepUp(options);
  const { id, usable_at } = await expectOk<{ id: number; usable_at: string }>(
    `${baseUrl}/me/payout-addresses`,
    { token, body: { network: DEMO_NETWORK, address: PAYEE, label: 'cold wallet' } },
  );
  print(`   address ${PAYEE}, usable at ${usable_at}: the demo moves that to now`);
  await options.passADay();
  return id;
}

/** Requests the payout that a quote describes. */
async function request(options: PayoutOptions, addressId: number): Promise<Payout> {
  const { baseUrl, token, print } = options;
  const query = `currency=USDT&network=${DEMO_NETWORK}&amount=${AMOUNT}`;
  const quote = await expectOk<Record<string, unknown>>(`${baseUrl}/payouts/quote?${query}`, {
    token,
  });
  print(`   ${AMOUNT} USDT leave, the fee is ${quote.fee}, ${quote.arrives} arrive`);
  const order = { wallet: 'asset', currency: 'USDT', amount: AMOUNT, address_id: addressId };
  return expectOk<Payout>(`${baseUrl}/payouts`, {
    token,
    body: { ...order, quote_version: quote.quote_version },
    headers: { 'idempotency-key': randomUUID() },
  });
}

/** Makes a payout, from the address book to its arrival; returns its statuses. */
export async function makePayout(options: PayoutOptions): Promise<string[]> {
  const { chain, print } = options;
  const { id, status } = await request(options, await prepare(options));
  const statuses = [status];
  const note = (payout: Payout): void => {
    if (statuses.at(-1) !== payout.status) statuses.push(payout.status);
    print(
      `   ${payout.status}, ` +
        `${payout.confirmations} of ${payout.required_confirmations} confirmations`,
    );
  };
  note(await waitFor(options, id, (payout) => payout.status === 'approved'));
  const stop = await runSigner(options);
  try {
    note(await waitFor(options, id, (payout) => payout.status === 'sent'));
  } finally {
    await stop();
  }
  for (let block = 1; block <= chain.confirmations; block++) {
    await chain.mine();
    const isLast = block === chain.confirmations;
    note(
      await waitFor(options, id, ({ status: now, confirmations }) =>
        isLast ? now === 'confirmed' : confirmations === block,
      ),
    );
  }
  const held = await chain.balanceOf(PAYEE);
  if (held !== ARRIVES) throw new Error(`the address holds ${held} millionths`);
  print(`   the address holds ${Number(held) / 1e6} USDT on the chain`);
  return statuses;
}
