/** What the watcher needs of any chain. One node of an EVM chain and one of a UTXO chain look the same from here. */

export interface BlockRef {
  readonly height: number;
  readonly hash: string;
  readonly parentHash: string;
}

/** Money that arrived, as one transaction of one block says. */
export interface Transfer {
  readonly txHash: string;
  /** Stable place inside the transaction, wherever its block goes. */
  readonly ordinal: number;
  /** Key (lower case) of the address that received it. */
  readonly to: string;
  /** As people see it; absent where the chain does not say. */
  readonly from: string | undefined;
  /** As people see it; absent for the chain's own coin. */
  readonly contract: string | undefined;
  /** Token units, positive. */
  readonly amount: bigint;
  /** Fewest confirmations that the chain itself asks for (newly mined coins). */
  readonly confirmationsMin: number;
}

export interface FetchedBlock extends BlockRef {
  /** Keys of all addresses that may have received something. */
  readonly recipients: readonly string[];
  /** What the watched ones received, read and checked. @throws RpcError when the node contradicts itself */
  readTransfers(watched: ReadonlySet<string>): Promise<Transfer[]>;
}

export interface Head {
  readonly height: number;
  /** Highest block that the chain itself calls final, where it says. */
  readonly finalizedHeight: number | undefined;
}

export interface Holding {
  readonly address: string;
  /** Absent for the chain's own coin. */
  readonly contract: string | undefined;
}

/** One node. Every function throws RpcError when the node does not answer, or not as it should. */
export interface ChainNode {
  /** For people: never the whole address. */
  readonly label: string;
  /** @throws RpcError when this is a node of another chain */
  checkIdentity(): Promise<void>;
  readHead(): Promise<Head>;
  /** Undefined: the node has no block of that height (yet). */
  readHeader(height: number): Promise<BlockRef | undefined>;
  readBlock(height: number): Promise<FetchedBlock | undefined>;
  /** Decimals that a contract claims; undefined when it claims none. */
  readDecimals(contract: string): Promise<number | undefined>;
  /** What addresses hold now, in token units. */
  readBalances(holdings: readonly Holding[]): Promise<bigint[]>;
}
