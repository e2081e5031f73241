/** What the hot wallet holds and has not promised to payouts under way. */
import type { Holdings } from './evm-wallet.ts';
import type { StoredPayout } from './state.ts';
import { type PayoutDocument, Refusal } from './verify-payout.ts';

/** The chain's own coin, in which gas is paid. */
const COIN = null;

/** A payout that the wallet must be able to pay with its gas. */
export interface Payable {
  readonly contract: string | null;
  readonly amount: bigint;
  /** Most that its gas may cost. */
  readonly gas: bigint;
}

export class Funds {
  readonly #free: Map<string | null, bigint>;

  /** @param open payouts whose transactions may not be in the chain yet */
  constructor({ next, balances }: Holdings, open: readonly StoredPayout[]) {
    this.#free = new Map(balances);
    for (const { nonce, is_void, document, gas_cost } of open) {
      if (nonce < next) continue;
      const { contract, amount } = JSON.parse(document) as PayoutDocument;
      this.#take(COIN, BigInt(gas_cost));
      if (!is_void) this.#take(contract, BigInt(amount));
    }
  }

  #take(contract: string | null, amount: bigint): void {
    this.#free.set(contract, (this.#free.get(contract) ?? 0n) - amount);
  }

  /**
   * True when the wallet has what arrives and its gas. Its chain would not take the transaction
   * otherwise, and those with later nonces would wait for it.
   */
  has({ contract, amount, gas }: Payable): boolean {
    const free = (of: string | null): bigint => this.#free.get(of) ?? 0n;
    return contract === COIN
      ? free(COIN) >= amount + gas
      : free(contract) >= amount && free(COIN) >= gas;
  }

  /** Promises it to a payout. @throws Refusal when the wallet holds too little */
  take(payable: Payable): void {
    if (!this.has(payable)) throw tooLittle();
    this.#take(payable.contract, payable.amount);
    this.#take(COIN, payable.gas);
  }
}

export const tooLittle = (): Refusal =>
  new Refusal('postponed', 'the hot wallet holds too little now', 'hot_wallet');
