import type { Db } from '../db/index.ts';
import { showContract } from '../deposits/index.ts';
import type { Clock } from '../lib/clock.ts';
import { exactAmount } from '../lib/exact-json.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { AMOUNT_MAX, formatAmount, parseAmount } from '../lib/money.ts';
import {
  type Person,
  QUOTE_TTL_MS,
  readAllowance,
  requireTerms,
  type Terms,
  toTokenUnits,
} from './terms.ts';

/**
 * The amount of an order. @throws `invalid_parameter`, `payout_below_minimum`
 */
export function requireAmount(text: string, terms: Terms): bigint {
  const { scale, code } = terms.currency;
  const amount = parseAmount(text, scale);
  if (amount <= 0n) throw fieldError('amount', 'not_positive', 'must be above 0');
  if (amount > AMOUNT_MAX) throw fieldError('amount', 'too_large', 'is too large');
  const { minimum, fee } = terms.rule;
  if (amount < minimum)
    throw failure('payout_below_minimum', {
      detail: `The minimum is ${formatAmount(minimum, scale)} ${code}.`,
    });
  toTokenUnits(amount - fee, terms);
  return amount;
}

interface Place {
  readonly chainId?: number | null | undefined;
  readonly addressPrefix?: string | null | undefined;
  readonly contract?: string | null | undefined;
}

/** Where a currency is on its network, in the form of the API. The contract has its checksum. */
export const toPlace = ({ chainId, addressPrefix, contract }: Place) => ({
  ...(chainId != null && { chain_id: chainId }),
  ...(addressPrefix != null && { address_prefix: addressPrefix }),
  ...(contract != null && { contract }),
});

export interface QuoteOrder {
  readonly currency: string;
  readonly network: string;
  readonly amount?: string;
}

/** What a payout would cost, and what would arrive. It moves no money and holds none. */
export async function quotePayout(db: Db, clock: Clock, person: Person, order: QuoteOrder) {
  const terms = await requireTerms(db, clock, order);
  const { currency, network, token, rule, policy } = terms;
  const { scale } = currency;
  const amount = order.amount === undefined ? rule.minimum : requireAmount(order.amount, terms);
  const left = await readAllowance(db, clock, terms, person);
  const contract = await showContract(token.contract);
  return {
    currency: currency.code,
    network: network.code,
    amount: exactAmount(amount, scale),
    fee: exactAmount(rule.fee, scale),
    arrives: exactAmount(amount - rule.fee, scale),
    minimum: exactAmount(rule.minimum, scale),
    decimals: token.decimals,
    ...toPlace({ ...network, contract }),
    left_today: exactAmount(left, scale),
    quote_version: policy.version,
    valid_until: new Date(clock.now().getTime() + QUOTE_TTL_MS).toISOString(),
  };
}
