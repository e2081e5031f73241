/**
 * Payouts in several statuses, an address book, and a queue for operators, on a network without an
 * endpoint: nothing is sent. The network is closed again, so that the service asks no chain.
 */
import { createHash } from 'node:crypto';
import { type Database, transaction } from '../../../service/src/db/index.ts';
import { createOutgoing } from '../../../service/src/http/index.ts';
import { installPersonKeys } from '../../../service/src/identity/index.ts';
import { postTransfers } from '../../../service/src/ledger/index.ts';
import { createManualClock } from '../../../service/src/lib/clock.ts';
import type { MasterKey } from '../../../service/src/master-key.ts';
import { rejectPayout } from '../../../service/src/payouts/approve-payout.ts';
import { installDecisions, type PayoutsDeps } from '../../../service/src/payouts/index.ts';
import { addAddress } from '../../../service/src/payouts/payout-addresses.ts';
import { putPolicy } from '../../../service/src/payouts/policy.ts';
import { endPayout } from '../../../service/src/payouts/release-payout.ts';
import { reportPayouts } from '../../../service/src/payouts/report-payouts.ts';
import { requestPayout } from '../../../service/src/payouts/request-payout.ts';
import { reviewPayouts } from '../../../service/src/payouts/review-payouts.ts';
import { settlePayout } from '../../../service/src/payouts/settle-payout.ts';
import { takePayouts } from '../../../service/src/payouts/take-payouts.ts';
import { PAYEE } from '../../../service/test/support/payout-chain-types.ts';
import { testConfig } from '../../../service/test/support/test-config.ts';
import type { SeededAccount } from './seed-account.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const NETWORK = 'POLYGON';
const SIGNER = 'seed/signer';
const RULE = {
  ...{ currency: 'USDT', network: NETWORK, fee: '1', minimum: '5', person_day_max: '1000' },
  ...{ day_max: '100000', email_only_day_max: '500', automatic_max: '50', four_eyes_above: '300' },
};
const ORIGIN = { ip: '127.0.0.1', userAgent: 'npm run seed', language: 'en' } as const;

type Clock = ReturnType<typeof createManualClock>;
type Deps = PayoutsDeps & { readonly clock: Clock };

/** Payouts are possible while work is done, though no chain answers. */
async function whileOpen(database: Database, work: () => Promise<void>): Promise<void> {
  await database.query(
    `insert into deposit_wallet (family, xpub, created_at) values ('evm', 'seed', now())`,
  );
  await database.query(
    `update network set wallet_id = (select max(id) from deposit_wallet), is_enabled = true,
       rpc_urls_sealed = '' where code = $1`,
    [NETWORK],
  );
  await work();
  await database.query(
    `update network set wallet_id = null, is_enabled = false, rpc_urls_sealed = null
     where code = $1`,
    [NETWORK],
  );
  await database.query(`delete from deposit_wallet where xpub = 'seed'`);
}

async function fund({ database, clock }: Deps, userId: number): Promise<void> {
  const [result] = await postTransfers(database, [
    {
      ...{ idempotencyKey: 'seed/usdt', currency: 'USDT', amount: 900_000_000n },
      debit: { house: 'deposit_clearing' },
      credit: { userId, wallet: 'asset' },
      businessId: 'deposit',
      eventAt: clock.now(),
    },
  ]);
  if (result?.status !== 'posted') throw new Error('the user was not funded');
}

/** A user who withdraws to one address. */
async function openUser(deps: Deps, userId: number) {
  const { database, clock } = deps;
  const add = (address: string, label: string) =>
    addAddress(database, clock, ORIGIN, { userId, network: NETWORK, address, label });
  const { id: address_id } = await add(PAYEE, 'Cold wallet');
  clock.advance(2 * DAY_MS);
  await fund(deps, userId);
  return {
    add,
    async request(amount: string): Promise<number> {
      clock.advance(HOUR_MS);
      const requestId = `seed-${amount}`;
      const row = await transaction(database, (tx) =>
        requestPayout(tx, deps, {
          ...{ userId, stepUp: 'strong', origin: ORIGIN, requestId },
          key: { idempotencyKey: `payout:seed:${requestId}`, requestHash: requestId },
          order: { currency: 'USDT', amount, address_id },
        }),
      );
      await reviewPayouts(deps);
      return row.id;
    },
  };
}

/** The hot wallet of the seeded signer. */
const SENDER = `0x${'5e'.repeat(20)}`;

const hashOf = (text: string): string => `0x${createHash('sha256').update(text).digest('hex')}`;

/** Takes a payout as a signer would, and reports its transaction. */
async function send(deps: Deps, payout_id: number): Promise<void> {
  await takePayouts(deps, { network: NETWORK, signer: SIGNER, limit: 10 });
  const tx_hash = hashOf(`seed ${payout_id}`);
  const report = { payout_id, outcome: 'sent', tx_hash, sender: SENDER, nonce: payout_id } as const;
  await reportPayouts(deps, { signer: SIGNER, reports: [report] });
}

async function live(deps: Deps, userId: number): Promise<void> {
  const { database, clock } = deps;
  await putPolicy(
    database,
    clock,
    { rules: [RULE], automatic_age_days: 0, reviews_new_address: false },
    'client:seed',
  );
  const user = await openUser(deps, userId);
  const confirmed = await user.request('26');
  await send(deps, confirmed);
  await settlePayout(deps, confirmed, {
    ...{ txHash: hashOf(`seed ${confirmed}`), height: 1, blockHash: hashOf('block') },
    ...{ isSuccess: true, fee: 0n, transfers: [], isToSelf: false },
  });
  const rejected = await user.request('60');
  const remark = 'The owner asked for it.';
  await rejectPayout(deps, { payoutId: rejected, by: 'client:seed', remark });
  const cancelled = await user.request('12');
  const ending = { status: 'cancelled', reason: 'cancelled_by_user' } as const;
  await transaction(database, (tx) => endPayout(tx, clock, { id: cancelled, userId }, ending));
  await send(deps, await user.request('31'));
  await user.request('75');
  await user.request('20');
  await user.request('320');
  await user.add('0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', 'Exchange');
}

/** Writes it into the database of a service that is stopped. */
export async function seedPayoutHistory(
  database: Database,
  masterKey: MasterKey,
  { account }: SeededAccount,
): Promise<void> {
  const clock = createManualClock(new Date(Date.now() - 2 * DAY_MS - 8 * HOUR_MS));
  installDecisions(database, masterKey);
  installPersonKeys(database, masterKey);
  const deps = {
    ...{ database, clock, masterKey, config: testConfig() },
    outgoing: createOutgoing({ allowsLoopback: false }),
    isMoneyFrozen: async () => false,
    sharesDevices: async () => false,
  };
  await whileOpen(database, () => live(deps, account.userId));
}
