/** The interface of RPC endpoints, the same for every kind of chain. */

export interface BlockRef {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
}

/** A payment in one transaction of one block. */
export interface Transfer {
  readonly txHash: string;
  /** Position in the transaction; the same in whatever block the transaction is. */
  readonly ordinal: number;
  /** Key (lower case) of the address that received it. */
  readonly to: string;
  /** With its checksum; absent where the chain has none. */
  readonly from: string | undefined;
  /** With its checksum; absent for the chain's own coin. */
  readonly contract: string | undefined;
  /** Token units, positive. */
  readonly amount: bigint;
  /** Fewest confirmations that the chain itself requires (newly mined coins). */
  readonly confirmationsMin: number;
}

export interface FetchedBlock extends BlockRef {
  /** Keys of all addresses that may have received something. */
  readonly recipients: readonly string[];
  /** Transfers to watched addresses. @throws RpcError when the endpoint contradicts itself */
  readTransfers(watched: ReadonlySet<string>): Promise<Transfer[]>;
}

export interface Head {
  readonly height: number;
  /** Highest block that the chain itself calls final, where it has such a mark. */
  readonly finalizedHeight: number | undefined;
}

/** An output of a transaction. */
export interface Output {
  readonly txHash: string;
  readonly ordinal: number;
}

/** A transaction that a block contains. */
export interface Payment {
  readonly height: number;
  readonly blockHash: string;
  /** False: it was reverted, and cost its fee only. */
  readonly isSuccess: boolean;
  /** In the smallest unit of the chain's coin. */
  readonly fee: bigint;
  /** What the address received by it. */
  readonly transfers: readonly Transfer[];
  /** The address sends it to itself: it costs its fee, and pays nothing. */
  readonly isToSelf: boolean;
}

export interface Holding {
  readonly address: string;
  /** Absent for the chain's own coin. */
  readonly contract: string | undefined;
}

/** One endpoint. Each function throws RpcError without an answer, and for a malformed one. */
export interface ChainNode {
  /** For display: never the whole URL. */
  readonly label: string;
  /** @throws RpcError for an endpoint of another chain */
  checkIdentity(): Promise<void>;
  readHead(): Promise<Head>;
  /** Undefined: the endpoint has no block of that height (yet). */
  readHeader(height: number): Promise<BlockRef | undefined>;
  readBlock(height: number): Promise<FetchedBlock | undefined>;
  /** Decimals that a contract reports; undefined when it reports none. */
  readDecimals(contract: string): Promise<number | undefined>;
  /**
   * Runs code without storing it (`eth_call`); undefined when it is refused, and where a chain runs
   * no code.
   */
  runCode(code: string): Promise<string | undefined>;
  /**
   * A transaction and what it paid to an address; undefined when no block of the chain contains it.
   */
  readPayment(txHash: string, address: string): Promise<Payment | undefined>;
  /**
   * How many transactions an address has sent up to a block; undefined where the chain does not
   * number them.
   */
  countSent(address: string, height: number): Promise<number | undefined>;
  /**
   * The head of the chain at which an output is spent; undefined while it is not, and where the
   * chain has no outputs.
   */
  readSpentAt(output: Output): Promise<Pick<BlockRef, 'height' | 'hash'> | undefined>;
  /** Balances of addresses, in token units. */
  readBalances(holdings: readonly Holding[]): Promise<bigint[]>;
}
