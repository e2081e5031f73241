/**
 * The durable state of a signer of the Bitcoin family. The coins of a payout are written before it
 * is signed: all its transactions spend the same coins, and one of them at most is paid.
 */
import * as store from '../payout-store.ts';
import type { Coin, Outpoint, Tip } from './node.ts';

const KIND: store.StoreKind = {
  signer: 'tip text',
  payout: 'fee_max text not null, conflict_hash text, conflict_height integer',
  signed: 'psbt text not null, rate integer not null, fee text not null',
  more: `create table if not exists coin (
    txid text not null,
    vout integer not null,
    amount text not null,
    payout_id integer not null references payout (id),
    position integer not null,
    primary key (txid, vout)) strict;
  create index if not exists coin_payout on coin (payout_id, position);
  -- Transactions of the wallet that no payout of this state has, and the coin that use-coin spent.
  create table if not exists outside (tx_hash text not null primary key, coin text) strict;`,
  order: 'id',
  cost: 'fee_max',
};

interface Fee {
  /** Most that its transaction may cost. */
  readonly fee_max: string;
}

export interface AcceptedPayout extends store.AcceptedPayout, Fee {
  readonly coins: readonly Coin[];
}

export interface StoredPayout extends store.StoredPayout, Fee {
  /** The block at which another transaction was seen to have spent a coin. */
  readonly conflict_hash: string | null;
  readonly conflict_height: number | null;
}

export interface SignedTransaction extends store.SignedTransaction {
  readonly psbt: string;
  /** Smallest coins a virtual byte. */
  readonly rate: number;
  readonly fee: string;
}

export type StoredTransaction = store.Stored<SignedTransaction>;

export class UtxoState extends store.PayoutStore<StoredPayout, SignedTransaction> {
  constructor(path: string, address: string) {
    super(path, KIND, { address });
  }

  /** True for a coin that a payout has. */
  isTaken({ txid, vout }: Outpoint): boolean {
    return this.all('select 1 from coin where txid = ? and vout = ?', txid, vout).length > 0;
  }

  /** True for a transaction that this state has signed, or has noted. */
  knowsTransaction(hash: string): boolean {
    const known = 'select 1 from signed where tx_hash = ? union all select 1 from outside where ';
    return this.all(`${known} tx_hash = ?`, hash, hash).length > 0;
  }

  /** True for a coin that `use-coin` has spent. */
  isGivenBack({ txid, vout }: Outpoint): boolean {
    return this.all('select 1 from outside where coin = ?', `${txid}:${vout}`).length > 0;
  }

  /** Transactions of another state or program with the same key, once operators know of them. */
  noteOutside(transactions: readonly { readonly tx_hash: string; readonly coin?: string }[]): void {
    this.inTransaction(() => {
      for (const { tx_hash, coin } of transactions)
        this.insert('outside', [{ tx_hash, ...(coin && { coin }) }], 'on conflict do nothing');
    });
  }

  /** Gives payouts their coins, for ever. @throws Error when another payout has one of them */
  accept(payouts: readonly AcceptedPayout[], now: number): void {
    const withoutConflict = { conflict_hash: null, conflict_height: null };
    this.inTransaction(() => {
      this.insertPayouts(
        payouts.map(({ coins: _coins, ...payout }) => ({ ...payout, ...withoutConflict })),
        now,
      );
      for (const { id, coins } of payouts)
        this.insert(
          'coin',
          coins.map(({ txid, vout, amount }, position) => {
            return { txid, vout, amount: String(amount), payout_id: id, position };
          }),
        );
    });
  }

  /** The coins of a payout, in their order in its transactions. */
  listCoins(payoutId: number): Coin[] {
    return this.all<Outpoint & { amount: string }>(
      'select txid, vout, amount from coin where payout_id = ? order by position',
      payoutId,
    ).map((coin) => ({ ...coin, amount: BigInt(coin.amount) }));
  }

  /** The block at which payouts were looked at last. */
  readTip(): string | undefined {
    return this.all<{ tip: string | null }>('select tip from signer')[0]?.tip ?? undefined;
  }

  noteTip(hash: string): void {
    this.run('update signer set tip = ? where tip is not ?', hash, hash);
  }

  /** Takes up paid payouts again: the chain has replaced blocks. */
  reopenSince(at: number): void {
    this.run('update payout set is_done = 0 where is_done = 1 and accepted_at > ?', at);
  }

  noteConflict(payoutId: number, tip: Tip | undefined): void {
    this.run(
      'update payout set conflict_hash = ?, conflict_height = ? where id = ?',
      ...[tip?.hash ?? null, tip?.height ?? null, payoutId],
    );
  }

  /** Ends a payout that cannot be paid any more; its coins that are not spent are free again. */
  markLost(payoutId: number, unspent: readonly Outpoint[]): void {
    this.inTransaction(() => {
      this.run('update payout set is_done = 2 where id = ?', payoutId);
      for (const { txid, vout } of unspent)
        this.run('delete from coin where txid = ? and vout = ?', txid, vout);
    });
  }

  /** More than the highest rate of the configuration cost when the payout was accepted. */
  protected override noteCost({ payout_id, fee }: SignedTransaction): void {
    const [payout] = this.all<Fee>('select fee_max from payout where id = ?', payout_id);
    if (payout && BigInt(fee) > BigInt(payout.fee_max))
      this.run('update payout set fee_max = ? where id = ?', fee, payout_id);
  }

  protected override free(id: number): void {
    this.run('delete from coin where payout_id = ?', id);
    this.run('update payout set is_done = 2 where id = ?', id);
  }
}
