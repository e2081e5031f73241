/**
 * Judges a payment: a pure function, so that it can be called again when a block or a token
 * changes.
 */
import type { Currency } from '../ledger/index.ts';
import type { CodedMessage } from '../lib/coded-messages.ts';
import { formatAmount } from '../lib/money.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';
import type { Token } from './networks.ts';
import type { DepositStatus } from './schemas.ts';

const { create } = DEPOSIT_REASONS;

/** Shown in place of a currency: the name that a look-alike token gives itself is not repeated. */
export const UNKNOWN_CURRENCY = 'UNKNOWN';

export type Decision = 'hold' | 'release' | 'reject';

export interface Payment {
  readonly network: string;
  /** With its checksum; absent for the chain's own coin. */
  readonly contract: string | undefined;
  readonly rawAmount: bigint;
  readonly decision?: Decision | undefined;
  readonly decisionReason?: CodedMessage | undefined;
}

export interface Verdict {
  readonly status: Extract<
    DepositStatus,
    'confirming' | 'below_minimum' | 'unsupported' | 'on_hold' | 'rejected'
  >;
  readonly reason: CodedMessage | undefined;
  readonly currency: string;
  readonly decimals: number;
  /** Minor units of the currency; decimals beyond them are cut off, and the payment is held. */
  readonly amount: bigint;
}

/** Token units as minor units of the currency, cut off; `isExact`: nothing was cut off. */
export function convertUnits(
  raw: bigint,
  decimals: number,
  scale: number,
): { amount: bigint; isExact: boolean } {
  if (scale >= decimals) return { amount: raw * 10n ** BigInt(scale - decimals), isExact: true };
  const unit = 10n ** BigInt(decimals - scale);
  return { amount: raw / unit, isExact: raw % unit === 0n };
}

/** Judges a payment by its token; both absent for a contract that is not listed. */
export function classifyDeposit(
  payment: Payment,
  token: Token | undefined,
  currency: Currency | undefined,
): Verdict {
  const { contract, network, decision, decisionReason } = payment;
  if (!token || !currency) {
    const reason =
      contract === undefined
        ? create('coin_not_supported', { network })
        : create('token_not_supported', { contract, network });
    return { status: 'unsupported', reason, currency: UNKNOWN_CURRENCY, decimals: 0, amount: 0n };
  }
  const { code, scale } = currency;
  const { amount, isExact } = convertUnits(payment.rawAmount, token.decimals, scale);
  const judged = (status: Verdict['status'], reason?: CodedMessage): Verdict => ({
    status,
    reason,
    currency: code,
    decimals: token.decimals,
    amount,
  });
  if (!token.isEnabled)
    return judged('unsupported', create('switched_off', { currency: code, network }));
  if (decision === 'reject') return judged('rejected', decisionReason);
  if (decision === 'hold') return judged('on_hold', decisionReason);
  if (amount > 0n && decision === 'release') return judged('confirming');
  if (token.distrustReason !== undefined) return judged('on_hold', token.distrustReason);
  if (amount === 0n || amount < token.minDeposit) {
    const minimum = formatAmount(token.minDeposit, scale);
    return judged('below_minimum', create('below_minimum', { amount: minimum, currency: code }));
  }
  if (!isExact) return judged('on_hold', create('too_many_decimals', { currency: code }));
  return judged('confirming');
}
