import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { ADVISORY_LOCKS, queryNamed, type Transaction, takeNamedLock } from '../db/index.ts';
import { notifyOwner, type RequestOrigin, type StepUp } from '../identity/index.ts';
import { type HoldResult, placeHold, type RequestKey, toFailure } from '../ledger/index.ts';
import { failure } from '../lib/failures.ts';
import { formatAmount } from '../lib/money.ts';
import { isFrozen } from '../wallets/index.ts';
import type { PayoutsDeps } from './context.ts';
import { writeDocument } from './document.ts';
import { findPayouts, type PayoutRow, tellStatus } from './queries.ts';
import {
  type DescribedOrder,
  describeOrder,
  type OrderOfUser,
  type OwnerAssertion,
  proveOwner,
} from './sign-order.ts';
import { readAllowance } from './terms.ts';

export interface PayoutRequest extends OrderOfUser {
  readonly stepUp: StepUp;
  /** Signature of the order. */
  readonly credential?: AuthenticationResponseJSON;
  readonly origin: RequestOrigin;
  readonly key: RequestKey;
}

/** The payout of the same request before. @throws `idempotency_key_reused` */
async function findRequested(
  tx: Transaction,
  { idempotencyKey, requestHash }: RequestKey,
): Promise<PayoutRow | undefined> {
  const { rows } = await tx.query<{ id: number; request_hash: string }>(
    'select id, request_hash from payout where idempotency_key = $1',
    [idempotencyKey],
  );
  const [row] = rows;
  if (row && row.request_hash !== requestHash) throw failure('idempotency_key_reused');
  return row && (await findPayouts(tx, [row.id]))[0];
}

interface Checked extends DescribedOrder {
  readonly id: number;
}

/** @throws the codes of `requestPayout` */
async function check(tx: Transaction, deps: PayoutsDeps, request: PayoutRequest): Promise<Checked> {
  const { clock } = deps;
  const { userId, stepUp } = request;
  if (await isFrozen(tx, deps, userId)) throw failure('money_frozen');
  const described = await describeOrder(tx, clock, request);
  const { terms, target, amount } = described;
  if (target.usable_at > clock.now())
    throw failure('payout_address_not_usable', {
      detail: `Payouts to this address are possible from ${target.usable_at.toISOString()}.`,
    });
  const left = await readAllowance(tx, clock, terms, { userId, stepUp });
  const { scale, code } = terms.currency;
  if (amount > left)
    throw failure('payout_above_limit', {
      detail: `The limits leave ${formatAmount(left, scale)} ${code} today.`,
    });
  const { rows } = await tx.query<{ id: number }>(
    `select nextval(pg_get_serial_sequence('payout', 'id')) as id`,
  );
  return { id: Number(rows[0]?.id), ...described };
}

/** @throws why the ledger refused it */
function requireHold(result: HoldResult): number {
  if (result.status === 'refused') throw toFailure(result);
  return result.hold.id;
}

/** Sets aside what arrives and the fee, apart: each is settled as a posting of its own. */
async function hold(tx: Transaction, userId: number, { id, terms, amount }: Checked) {
  const { fee } = terms.rule;
  const common = {
    account: { userId, wallet: 'asset' },
    currency: terms.currency.code,
    reference: `payout:${id}`,
  };
  const net = await placeHold(tx, {
    ...common,
    idempotencyKey: `payout/${id}`,
    amount: amount - fee,
    businessId: 'withdrawal',
  });
  const ofFee =
    fee === 0n
      ? null
      : requireHold(
          await placeHold(tx, {
            ...common,
            idempotencyKey: `payout/${id}/fee`,
            amount: fee,
            businessId: 'withdrawal_fee',
          }),
        );
  return { net: requireHold(net), ofFee };
}

const INSERT_PAYOUT = `insert into payout (id, user_id, address_id, network, currency, amount, fee,
    hold_id, fee_hold_id, idempotency_key, request_hash, status, reason_code, policy_version,
    step_up, document, document_hash, check_at, followed_at, requested_at, updated_at,
    owner_assertion)
  overriding system value
  values (:id, :user_id, :address_id, :network, :currency, :amount, :fee, :hold_id, :fee_hold_id,
    :idempotency_key, :request_hash, 'requested', 'waits_for_check', :policy_version, :step_up,
    :document, :document_hash, :now, :now, :now, :now, :owner_assertion::text::jsonb)`;

async function insert(
  tx: Transaction,
  { clock }: PayoutsDeps,
  { userId, stepUp, key }: PayoutRequest,
  { owner, ...checked }: Checked & { readonly owner: OwnerAssertion | null },
): Promise<void> {
  const { id, terms, target, amount, facts } = checked;
  const { net, ofFee } = await hold(tx, userId, checked);
  const now = clock.now();
  const at = now.toISOString();
  const version = { version: 1, attempt: 1, requested_at: at, issued_at: at } as const;
  const document = writeDocument({ ...version, payout_id: id, ...facts });
  await queryNamed(tx, INSERT_PAYOUT, {
    ...{ id, user_id: userId, address_id: target.id, amount, now, step_up: stepUp },
    ...{ network: terms.network.code, currency: terms.currency.code, fee: terms.rule.fee },
    ...{ hold_id: net, fee_hold_id: ofFee, policy_version: terms.policy.version },
    ...{ idempotency_key: key.idempotencyKey, request_hash: key.requestHash },
    ...{ document: document.text, document_hash: document.hash },
    owner_assertion: owner && JSON.stringify(owner),
  });
}

/**
 * Requests a payout: the money is held until it is paid, cancelled or rejected.
 * @throws `money_frozen`, `not_found`, `payout_address_not_usable`, `payout_unavailable`,
 *   `payout_stopped`, `quote_expired`, `payout_below_minimum`, `payout_above_limit`,
 *   `insufficient_funds`; UnprovenError
 */
export async function requestPayout(
  tx: Transaction,
  deps: PayoutsDeps,
  request: PayoutRequest,
): Promise<PayoutRow> {
  // Requests of one currency come one after the other: their sums are limited.
  await takeNamedLock(tx, ADVISORY_LOCKS.payoutLimits, request.order.currency);
  const before = await findRequested(tx, request.key);
  if (before) return before;
  const checked = await check(tx, deps, request);
  const owner = await proveOwner(tx, deps, request, checked);
  await insert(tx, deps, request, { ...checked, owner });
  const { clock } = deps;
  const { currency } = checked.terms;
  const amount = `${formatAmount(checked.amount, currency.scale)} ${currency.code}`;
  const { address } = checked.target;
  await notifyOwner(tx, clock, {
    ...{ userId: request.userId, origin: request.origin, type: 'payout_requested' },
    notice: { kind: 'payoutRequested', values: { amount, address } },
    details: { payout_id: checked.id, amount, address },
  });
  const [row] = await tellStatus(tx, clock, [checked.id]);
  if (!row) throw new Error('the payout was not written');
  return row;
}
