/** The signer's own limits by hour, address and currency, and its budget for gas. */
import type { SignerConfig } from './config.ts';
import type { Spent } from './state.ts';
import { Refusal } from './verify-payout.ts';

export type LimitsConfig = Pick<SignerConfig, 'tokens' | 'gas_budget_day'>;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

const sum = (amounts: readonly string[]): bigint =>
  amounts.reduce((total, amount) => total + BigInt(amount), 0n);

/** Counts what is accepted, including what this cycle accepts. */
export class Allowance {
  readonly #config: LimitsConfig;
  readonly #now: number;
  readonly #spent: Spent[];

  /** @param spent of the last 24 hours */
  constructor(config: LimitsConfig, spent: readonly Spent[], now: number) {
    this.#config = config;
    this.#spent = [...spent];
    this.#now = now;
  }

  /** Counts a payout, or throws. @throws Refusal when a limit leaves no room */
  add(payout: Omit<Spent, 'accepted_at'>): void {
    const { currency, address, amount, gas_cost } = payout;
    const token = this.#config.tokens.find((known) => known.currency === currency);
    if (!token) throw new Refusal('refused', 'the currency is not configured');
    const lately = this.#spent.filter(
      (other) => other.accepted_at > this.#now - HOUR_MS && other.currency === currency,
    );
    const ofAddress = lately.filter((other) => other.address === address);
    const wanted = BigInt(amount);
    if (wanted > BigInt(token.hour_max) || wanted > BigInt(token.address_hour_max))
      throw new Refusal('refused', 'the amount is above an hourly limit');
    if (sum(lately.map((other) => other.amount)) + wanted > BigInt(token.hour_max))
      throw new Refusal('postponed', 'the hourly limit of the currency is reached');
    if (sum(ofAddress.map((other) => other.amount)) + wanted > BigInt(token.address_hour_max))
      throw new Refusal('postponed', 'the hourly limit of the address is reached');
    const gas = sum(this.#spent.map((other) => other.gas_cost)) + BigInt(gas_cost);
    if (gas > BigInt(this.#config.gas_budget_day))
      throw new Refusal('postponed', 'the budget for network fees is used up');
    this.#spent.push({ currency, address, amount, gas_cost, accepted_at: this.#now });
  }
}
