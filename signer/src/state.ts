/**
 * The durable state of an EVM signer. What a payout is signed with is written before it is signed,
 * so that any number of restarts gives the same payout the same nonce.
 */
import * as store from './payout-store.ts';

const KIND: store.StoreKind = {
  signer: 'chain_id integer not null',
  payout: 'nonce integer not null unique, gas integer not null, gas_cost text not null',
  signed: 'max_fee text not null, priority_fee text not null',
  // Nonces that `use-nonce` has used; no payout gets them.
  more: 'create table if not exists used_nonce (nonce integer not null primary key) strict;',
  order: 'nonce',
  cost: 'gas_cost',
};

interface Gas {
  readonly gas: number;
  /** Most that its gas may cost, in wei. */
  readonly gas_cost: string;
}

export interface AcceptedPayout extends store.AcceptedPayout, Gas {}

export interface StoredPayout extends store.StoredPayout, Gas {
  readonly nonce: number;
}

export interface SignedTransaction extends store.SignedTransaction {
  readonly max_fee: string;
  readonly priority_fee: string;
}

export class SignerState extends store.PayoutStore<StoredPayout, SignedTransaction> {
  constructor(path: string, owner: { readonly address: string; readonly chainId: number }) {
    super(path, KIND, { address: owner.address, chain_id: owner.chainId });
  }

  /** The nonce after all that this state has given away. */
  get nextNonce(): number {
    const [row] = this.all<{ next: number }>(
      `select coalesce(max(nonce) + 1, 0) as next
       from (select nonce from payout union all select nonce from used_nonce)`,
    );
    return row?.next ?? 0;
  }

  noteUsed(nonce: number): void {
    this.insert('used_nonce', [{ nonce }], 'on conflict do nothing');
  }

  hasNonce(nonce: number): boolean {
    return this.all('select 1 from payout where nonce = ?', nonce).length > 0;
  }

  /**
   * Gives payouts the next nonces, for ever.
   * @param nonceMin the chain's next nonce: others may have used some
   */
  accept(payouts: readonly AcceptedPayout[], nonceMin: number, now: number): void {
    this.inTransaction(() => {
      const first = Math.max(nonceMin, this.nextNonce);
      this.insertPayouts(
        payouts.map((payout, at) => ({ ...payout, nonce: first + at })),
        now,
      );
    });
  }

  /**
   * Takes up payouts again whose nonces the chain has no longer used: a reorganisation was deeper
   * than what is taken as final.
   * @returns how many
   */
  reopen(nonceMin: number): number {
    return this.run('update payout set is_done = 0 where is_done = 1 and nonce >= ?', nonceMin);
  }

  /** One of the transactions of a payout is paid: the dearest may be. */
  protected override noteCost({ payout_id, max_fee }: SignedTransaction): void {
    const [payout] = this.all<Gas>('select gas, gas_cost from payout where id = ?', payout_id);
    const cost = BigInt(payout?.gas ?? 0) * BigInt(max_fee);
    if (payout && cost > BigInt(payout.gas_cost))
      this.run('update payout set gas_cost = ? where id = ?', String(cost), payout_id);
  }

  /**
   * The nonce is used by a transaction that pays nothing, or the nonces after it would wait for
   * ever.
   */
  protected override free(): void {}
}
