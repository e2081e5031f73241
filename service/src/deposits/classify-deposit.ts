/** What becomes of a payment that was seen: pure, so that it can be asked again when a block or a token changes. */
import type { Currency } from '../ledger/index.ts';
import { formatAmount } from '../lib/money.ts';
import { DEPOSIT_REASONS } from './deposit-reasons.ts';
import type { Token } from './networks.ts';
import type { DepositStatus } from './schemas.ts';

const { say } = DEPOSIT_REASONS;

/** Shown in place of a currency: a name that a look-alike token gives itself is never repeated. */
export const UNKNOWN_CURRENCY = 'UNKNOWN';

export type Decision = 'hold' | 'release' | 'reject';

export interface Payment {
  readonly network: string;
  /** As people see it; absent for the chain's own coin. */
  readonly contract: string | undefined;
  readonly rawAmount: bigint;
  readonly decision?: Decision | undefined;
  readonly decisionReason?: string | undefined;
}

export interface Verdict {
  readonly status: Extract<
    DepositStatus,
    'confirming' | 'below_minimum' | 'unsupported' | 'on_hold' | 'rejected'
  >;
  readonly reason: string | undefined;
  readonly currency: string;
  readonly decimals: number;
  /** Minor units of the currency; what it cannot express is cut off, and the payment held. */
  readonly amount: bigint;
}

/** Token units as minor units of the currency, cut off; `isExact` tells whether anything was. */
export function convertUnits(
  raw: bigint,
  decimals: number,
  scale: number,
): { amount: bigint; isExact: boolean } {
  if (scale >= decimals) return { amount: raw * 10n ** BigInt(scale - decimals), isExact: true };
  const unit = 10n ** BigInt(decimals - scale);
  return { amount: raw / unit, isExact: raw % unit === 0n };
}

function judgeSupported(
  payment: Payment,
  token: Token,
  currency: Currency,
  amount: bigint,
  isExact: boolean,
): Pick<Verdict, 'status' | 'reason'> {
  const { decision, decisionReason } = payment;
  if (decision === 'reject') return { status: 'rejected', reason: decisionReason };
  if (decision === 'hold') return { status: 'on_hold', reason: decisionReason };
  if (amount > 0n && decision === 'release') return { status: 'confirming', reason: undefined };
  if (token.distrustReason !== undefined)
    return { status: 'on_hold', reason: token.distrustReason };
  if (amount === 0n || amount < token.minDeposit) {
    return {
      status: 'below_minimum',
      reason: say('below_minimum', {
        amount: formatAmount(token.minDeposit, currency.scale),
        currency: currency.code,
      }),
    };
  }
  if (!isExact)
    return { status: 'on_hold', reason: say('too_many_decimals', { currency: currency.code }) };
  return { status: 'confirming', reason: undefined };
}

/** Judges a payment by the token that it was made in; both absent for a contract that is not on the list. */
export function classifyDeposit(
  payment: Payment,
  token: Token | undefined,
  currency: Currency | undefined,
): Verdict {
  if (!token || !currency) {
    const { contract, network } = payment;
    const reason =
      contract === undefined
        ? say('coin_not_supported', { network })
        : say('token_not_supported', { contract, network });
    return { status: 'unsupported', reason, currency: UNKNOWN_CURRENCY, decimals: 0, amount: 0n };
  }
  const { amount, isExact } = convertUnits(payment.rawAmount, token.decimals, currency.scale);
  const known = { currency: currency.code, decimals: token.decimals, amount };
  if (!token.isEnabled)
    return {
      ...known,
      status: 'unsupported',
      reason: say('switched_off', { currency: currency.code, network: payment.network }),
    };
  return { ...known, ...judgeSupported(payment, token, currency, amount, isExact) };
}
