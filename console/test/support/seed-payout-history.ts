/**
 * Payouts in several statuses, an address book, and a queue for operators, on the network of the
 * seeded deposits: no node runs there, so nothing is sent.
 */
import { createHash } from 'node:crypto';
import { transaction } from '../../../service/src/db/index.ts';
import { createOutgoing } from '../../../service/src/http/index.ts';
import { installPersonKeys } from '../../../service/src/identity/index.ts';
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
import { DEMO_NETWORK } from '../../../service/test/support/chains/demo-chain.ts';
import { PAYEE } from '../../../service/test/support/payout-chain-types.ts';
import { testConfig } from '../../../service/test/support/test-config.ts';
import { PHONE } from './seed.ts';
import type { SeededAccount } from './seed-account.ts';
import type { SeededEvent, SeedStage } from './seed-history.ts';
import { DAY_MS, HOUR_MS } from './seed-usage.ts';

const SIGNER = 'seed/signer';
const RULE = {
  ...{ currency: 'USDT', network: DEMO_NETWORK, fee: '1', minimum: '5', person_day_max: '1000' },
  ...{ day_max: '100000', email_only_day_max: '1000', automatic_max: '50', four_eyes_above: '300' },
};
const ORIGIN = { ip: '127.0.0.1', userAgent: PHONE['user-agent'], language: 'en' } as const;

type Deps = PayoutsDeps & Pick<SeedStage, 'clock'>;

/** A user who withdraws to one address. */
async function openUser(deps: Deps, userId: number) {
  const { database, clock } = deps;
  const add = (address: string, label: string) =>
    addAddress(database, clock, ORIGIN, { userId, network: DEMO_NETWORK, address, label });
  const { id: address_id } = await add(PAYEE, 'Cold wallet');
  clock.advance(2 * DAY_MS);
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
  await takePayouts(deps, { network: DEMO_NETWORK, signer: SIGNER, limit: 10 });
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
  await user.request('75');
  await user.request('20');
  await user.request('320');
  await user.add('0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359', 'Exchange');
}

/** Hours before now at which the first payout is requested. */
const BEGAN_HOURS_AGO = 8;

/** Addresses of two days before, and a payout each hour. */
export function seedPayoutHistory(stage: SeedStage, { account }: SeededAccount): SeededEvent {
  const { database, clock, masterKey } = stage;
  const begin_ms = Date.now() - BEGAN_HOURS_AGO * HOUR_MS;
  return {
    at_ms: begin_ms,
    async run() {
      clock.set(new Date(begin_ms - 2 * DAY_MS));
      installDecisions(database, masterKey);
      installPersonKeys(database, masterKey);
      await live(
        {
          ...{ database, clock, masterKey, config: testConfig() },
          outgoing: createOutgoing({ allowsLoopback: false }),
          isMoneyFrozen: async () => false,
          sharesDevices: async () => false,
        },
        account.userId,
      );
    },
  };
}
