/** The hot wallet on an EVM chain (EIP-1559 transactions). */
import { encodeFunctionData, erc20Abi, keccak256 } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import type { SignerConfig } from './config.ts';
import { type Rpc, RpcError } from './rpc.ts';
import type { PayoutDocument } from './verify-payout.ts';

type Hex = `0x${string}`;

export interface Fees {
  readonly maxFee: bigint;
  readonly priorityFee: bigint;
}

export interface Holdings {
  readonly next: number;
  /** By contract, in its smallest unit; null: the chain's own coin. */
  readonly balances: ReadonlyMap<string | null, bigint>;
}

export interface Receipt {
  readonly blockNumber: bigint;
}

/** Where the money of a document goes, as a transaction. */
export function toCall({ contract, address, amount }: PayoutDocument): {
  to: Hex;
  data?: Hex;
  value: bigint;
} {
  if (contract === null) return { to: address as Hex, value: BigInt(amount) };
  const args = [address as Hex, BigInt(amount)] as const;
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args });
  return { to: contract as Hex, data, value: 0n };
}

const toHex = (value: bigint | number): Hex => `0x${value.toString(16)}`;
const GAS_MARGIN_PERCENT = 120n;
/** Of the chain's own coin to an address without code, with the margin. */
const PLAIN_GAS = Number((21_000n * GAS_MARGIN_PERCENT) / 100n);
/** `false`: some tokens answer so, and do not revert. */
const NO: Hex = `0x${'0'.repeat(64)}`;

export class EvmWallet {
  readonly #account: PrivateKeyAccount;
  readonly #rpc: Rpc;
  readonly #config: SignerConfig;
  /**
   * What is tried first, by contract: for a token the most that a transfer needed so far. What a
   * payee of the chain's own coin needs is of their making, and is never asked of another.
   */
  readonly #gas = new Map<string | null, number>([[null, PLAIN_GAS]]);

  constructor(key: Hex, rpc: Rpc, config: SignerConfig) {
    this.#account = privateKeyToAccount(key);
    this.#rpc = rpc;
    this.#config = config;
  }

  /** With its checksum. */
  get address(): Hex {
    return this.#account.address;
  }

  /** @throws Error for an endpoint of another chain */
  async checkChain(): Promise<void> {
    const told = Number(await this.#rpc.call('eth_chainId', []));
    if (told !== this.#config.chain_id)
      throw new Error(`the endpoint is of the chain ${told}, not ${this.#config.chain_id}`);
  }

  async readHeight(): Promise<number> {
    return Number(await this.#rpc.call('eth_blockNumber', []));
  }

  async countTransactions(block: 'latest' | 'pending' | number): Promise<number> {
    const at = typeof block === 'number' ? toHex(block) : block;
    return Number(await this.#rpc.call('eth_getTransactionCount', [this.address, at]));
  }

  /** What a transaction costs now: undefined above the bound of the configuration. */
  async readFees(): Promise<Fees | undefined> {
    const block = await this.#rpc.call('eth_getBlockByNumber', ['latest', false]);
    const { baseFeePerGas } = block as { baseFeePerGas: Hex };
    const priorityFee = BigInt(this.#config.max_priority_fee_per_gas);
    // Room for six blocks that are full, each of which raises the base fee by an eighth.
    const maxFee = BigInt(baseFeePerGas) * 2n + priorityFee;
    return maxFee > BigInt(this.#config.max_fee_per_gas) ? undefined : { maxFee, priorityFee };
  }

  #toRequest(document: PayoutDocument, gas?: number) {
    const { to, data, value } = toCall(document);
    return {
      ...{ from: this.address, to, value: toHex(value) },
      ...(data && { data }),
      ...(gas !== undefined && { gas: toHex(gas) }),
    };
  }

  /** By the chain's own search, which runs each transaction several times. */
  async #searchGas(documents: readonly PayoutDocument[]): Promise<(number | RpcError)[]> {
    const calls = documents.map((document) => {
      return { method: 'eth_estimateGas', params: [this.#toRequest(document)] };
    });
    const found = (await this.#rpc.batch(calls)).map((result) => {
      if (result instanceof RpcError) return result;
      return Number((BigInt(result as Hex) * GAS_MARGIN_PERCENT) / 100n);
    });
    for (const [at, { contract }] of documents.entries()) {
      const gas = found[at];
      if (contract !== null && typeof gas === 'number' && gas <= this.#config.gas_max)
        this.#gas.set(contract, Math.max(gas, this.#gas.get(contract) ?? 0));
    }
    return found;
  }

  /**
   * Gas of each document; an error for one that the chain would revert. What another transfer of
   * the same token needed is tried first: the chain runs each transaction once with it.
   */
  async estimateGas(documents: readonly PayoutDocument[]): Promise<(number | RpcError)[]> {
    const firsts = documents.filter(
      ({ contract }, at) =>
        !this.#gas.has(contract) && documents.findIndex((d) => d.contract === contract) === at,
    );
    await this.#searchGas(firsts);
    const calls = documents.map((document) => {
      const request = this.#toRequest(document, this.#gas.get(document.contract));
      return { method: 'eth_call', params: [request, 'latest'] };
    });
    const results = await this.#rpc.batch(calls);
    const gases = documents.map(({ contract }, at) => {
      if (results[at] === NO) return new RpcError('the token refuses the transfer');
      return results[at] instanceof RpcError ? undefined : this.#gas.get(contract);
    });
    const others = documents.filter((_document, at) => gases[at] === undefined);
    const searched = await this.#searchGas(others);
    let next = 0;
    return gases.map((gas) => gas ?? searched[next++] ?? new RpcError('no estimate'));
  }

  /** @param document undefined: a transaction that pays nothing, and uses its nonce */
  async sign(
    document: PayoutDocument | undefined,
    { nonce, gas, fees }: { readonly nonce: number; readonly gas: number; readonly fees: Fees },
  ): Promise<{ raw: Hex; hash: Hex }> {
    const raw = await this.#account.signTransaction({
      ...(document ? toCall(document) : { to: this.address, value: 0n }),
      type: 'eip1559',
      chainId: this.#config.chain_id,
      nonce,
      gas: BigInt(gas),
      maxFeePerGas: fees.maxFee,
      maxPriorityFeePerGas: fees.priorityFee,
    });
    return { raw, hash: keccak256(raw) };
  }

  /**
   * Sends transactions in the order of their nonces. A refusal is no error: the chain may know the
   * transaction, or has used its nonce; which of them, the receipts tell.
   */
  async send(raws: readonly string[]): Promise<void> {
    const calls = raws.map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] }));
    await this.#rpc.batch(calls);
  }

  /** What the wallet holds at a block of the chain, and its next nonce there. */
  async readHoldings(contracts: readonly (string | null)[]): Promise<Holdings> {
    const height = toHex(await this.readHeight());
    const data = encodeFunctionData({
      ...{ abi: erc20Abi, functionName: 'balanceOf', args: [this.address] },
    });
    const calls = contracts.map((contract) =>
      contract === null
        ? { method: 'eth_getBalance', params: [this.address, height] }
        : { method: 'eth_call', params: [{ to: contract, data }, height] },
    );
    const count = { method: 'eth_getTransactionCount', params: [this.address, height] };
    const [next, ...balances] = await this.#rpc.batch([count, ...calls]);
    for (const answer of [next, ...balances]) if (answer instanceof RpcError) throw answer;
    return {
      next: Number(next),
      balances: new Map(contracts.map((contract, at) => [contract, BigInt(balances[at] as Hex)])),
    };
  }

  /** Receipts of transactions; undefined for one that no block contains. */
  async readReceipts(hashes: readonly string[]): Promise<(Receipt | undefined)[]> {
    const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }));
    return (await this.#rpc.batch(calls)).map((result) => {
      if (result instanceof RpcError) throw result;
      return result
        ? { blockNumber: BigInt((result as { blockNumber: Hex }).blockNumber) }
        : undefined;
    });
  }
}
