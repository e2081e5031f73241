/** The signer's own limits by hour, address and currency, and its budget for gas. */
import type { SignerConfig } from './config.ts';
import type { Spent } from './payout-store.ts';
import { Refusal } from './verify-payout.ts';

export type LimitsConfig = Pick<SignerConfig, 'tokens' | 'gas_budget_day'>;

export const HOUR_MS = 3_600_000;
export const DAY_MS = 86_400_000;

/** Sums by name. */
class Sums {
  readonly #sums = new Map<string, bigint>();

  of(name: string): bigint {
    return this.#sums.get(name) ?? 0n;
  }

  add(name: string, amount: bigint): void {
    this.#sums.set(name, this.of(name) + amount);
  }
}

type Wanted = Omit<Spent, 'id' | 'accepted_at'>;

/** Counts what is accepted, including what this cycle accepts. */
export class Allowance {
  readonly #config: LimitsConfig;
  /** Of the last hour, by currency, and by currency and address. */
  readonly #byCurrency = new Sums();
  readonly #byAddress = new Sums();
  #gas = 0n;

  /** @param spent of the last 24 hours */
  constructor(config: LimitsConfig, spent: readonly Spent[], now: number) {
    this.#config = config;
    for (const one of spent) this.#count(one, one.accepted_at > now - HOUR_MS);
  }

  #count({ currency, address, amount, gas_cost }: Wanted, isOfHour: boolean) {
    this.#gas += BigInt(gas_cost);
    if (!isOfHour) return;
    this.#byCurrency.add(currency, BigInt(amount));
    this.#byAddress.add(`${currency} ${address}`, BigInt(amount));
  }

  /** Counts a payout, or throws. @throws Refusal when a limit leaves no room */
  add(payout: Wanted): void {
    const { currency, address, amount, gas_cost } = payout;
    const token = this.#config.tokens.find((known) => known.currency === currency);
    if (!token) throw new Refusal('refused', 'the currency is not configured');
    const wanted = BigInt(amount);
    if (wanted > BigInt(token.hour_max) || wanted > BigInt(token.address_hour_max))
      throw new Refusal('refused', 'the amount is above an hourly limit');
    if (this.#byCurrency.of(currency) + wanted > BigInt(token.hour_max))
      throw new Refusal('postponed', 'the hourly limit of the currency is reached');
    if (this.#byAddress.of(`${currency} ${address}`) + wanted > BigInt(token.address_hour_max))
      throw new Refusal('postponed', 'the hourly limit of the address is reached');
    if (this.#gas + BigInt(gas_cost) > BigInt(this.#config.gas_budget_day))
      throw new Refusal('postponed', 'the budget for network fees is used up');
    this.#count(payout, true);
  }
}

/** What the budget for gas leaves for transactions that replace others. */
export class GasAllowance {
  readonly #max: bigint;
  readonly #costs: Map<number, bigint>;
  #sum = 0n;

  /** @param spent of the last 24 hours */
  constructor({ gas_budget_day }: Pick<LimitsConfig, 'gas_budget_day'>, spent: readonly Spent[]) {
    this.#max = BigInt(gas_budget_day);
    this.#costs = new Map(spent.map(({ id, gas_cost }) => [id, BigInt(gas_cost)]));
    for (const cost of this.#costs.values()) this.#sum += cost;
  }

  /** Lets a payout cost at most so much in place of what it may cost now: true if there is room. */
  raise(id: number, cost: bigint): boolean {
    const sum = this.#sum - (this.#costs.get(id) ?? 0n) + cost;
    if (sum > this.#max) return false;
    this.#costs.set(id, cost);
    this.#sum = sum;
    return true;
  }
}
