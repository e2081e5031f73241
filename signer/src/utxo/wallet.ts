/** The hot wallet on a chain of the Bitcoin family: one key, one P2WPKH address. */
import { p2wpkh, selectUTXO, type Transaction } from '@scure/btc-signer';
import { pubECDSA } from '@scure/btc-signer/utils.js';
import type { PrivateKey } from '../key-file.ts';
import type { PayoutDocument } from '../verify-payout.ts';
import { findNetwork, type UtxoNetwork } from './addresses.ts';
import type { UtxoConfig } from './config.ts';
import type { Coin } from './node.ts';

/** Without a relative lock (BIP-68), and below what makes it final: may be replaced (BIP-125). */
const SEQUENCE_MIN = 0x80000000;
const SEQUENCES = 0x40000000;

/**
 * The sequence number carries the number of the payout: two payouts of the same amount to the same
 * address never have the same transaction, even if two signers give them the same coin.
 */
const toSequence = ({ payout_id }: PayoutDocument): number =>
  SEQUENCE_MIN + (payout_id % SEQUENCES);

const toOutputs = ({ address, amount }: PayoutDocument) => [{ address, amount: BigInt(amount) }];

type Inputs = Parameters<typeof selectUTXO>[0];
type Outputs = Parameters<typeof selectUTXO>[1];

export interface SignedPayment {
  readonly txid: string;
  readonly raw: string;
  /** Before it was signed, base64. */
  readonly psbt: string;
  readonly fee: bigint;
}

export class UtxoWallet {
  readonly #key: Uint8Array;
  readonly #script: Uint8Array;
  readonly #dust: bigint;
  readonly publicKey: string;
  readonly network: UtxoNetwork;
  readonly chain: string;
  readonly address: string;

  constructor(key: PrivateKey, config: UtxoConfig) {
    const { network, chain } = findNetwork(config.address_prefix);
    this.#key = Buffer.from(key.slice(2), 'hex');
    const publicKey = pubECDSA(this.#key);
    const { address, script } = p2wpkh(publicKey, network);
    if (address === undefined) throw new Error('the key has no address');
    this.#script = script;
    this.publicKey = Buffer.from(publicKey).toString('hex');
    this.#dust = BigInt(config.dust);
    this.network = network;
    this.chain = chain;
    this.address = address;
  }

  /** The output script of its address. */
  get script(): string {
    return Buffer.from(this.#script).toString('hex');
  }

  #toInput({ txid, vout, amount }: Coin, sequence: number) {
    return { txid, index: vout, sequence, witnessUtxo: { script: this.#script, amount } };
  }

  #toInputs(document: PayoutDocument, coins: readonly Coin[]) {
    return coins.map((coin) => this.#toInput(coin, toSequence(document)));
  }

  #options(rate: number) {
    return {
      feePerByte: BigInt(rate),
      changeAddress: this.address,
      network: this.network,
      // The bound is the product of the two.
      ...{ dust: 1n, dustRelayFeeRate: this.#dust },
      bip69: true,
    };
  }

  /** True for an amount that nodes do not relay. */
  isDust(amount: bigint): boolean {
    return amount <= this.#dust;
  }

  /** Coins that pay a document at a fee rate, and that fee; undefined: they do not suffice. */
  select(
    document: PayoutDocument,
    coins: readonly Coin[],
    rate: number,
  ): { coins: Coin[]; fee: bigint } | undefined {
    const outputs = toOutputs(document);
    const inputs = this.#toInputs(document, coins);
    // The biggest first: few inputs, and change that can pay for a higher fee.
    const found = selectUTXO(inputs, outputs, 'accumBiggest', this.#options(rate));
    if (!found) return undefined;
    const chosen = found.inputs.flatMap(({ txid, index }) => {
      const hash = txid && Buffer.from(txid).toString('hex');
      return coins.filter((coin) => coin.txid === hash && coin.vout === index);
    });
    return { coins: chosen, fee: found.fee ?? 0n };
  }

  #build(document: PayoutDocument, coins: readonly Coin[], rate: number) {
    return this.#spend(this.#toInputs(document, coins), toOutputs(document), rate);
  }

  /** Undefined: the inputs do not suffice for the outputs and the fee. */
  #trySpend(inputs: Inputs, outputs: Outputs, rate: number) {
    const alwaysChange = outputs.length === 0;
    const options = { ...this.#options(rate), requiredInputs: inputs, alwaysChange };
    const built = selectUTXO([], outputs, 'all', { ...options, createTx: true });
    return built?.tx && { tx: built.tx as Transaction, fee: built.fee ?? 0n };
  }

  #spend(inputs: Inputs, outputs: Outputs, rate: number) {
    const built = this.#trySpend(inputs, outputs, rate);
    if (!built) throw new Error('the coins do not suffice for the fee');
    return built;
  }

  /** What a payout costs at a fee rate; undefined: more than its coins leave. */
  feeAt(document: PayoutDocument, coins: readonly Coin[], rate: number): bigint | undefined {
    return this.#trySpend(this.#toInputs(document, coins), toOutputs(document), rate)?.fee;
  }

  /** Spends a coin to the wallet itself. */
  giveBack(coin: Coin, rate: number): SignedPayment {
    return this.#finish(this.#spend([this.#toInput(coin, SEQUENCE_MIN)], [], rate));
  }

  /** Spends all of the coins: to the address of the document, and back to the wallet. */
  sign(document: PayoutDocument, coins: readonly Coin[], rate: number): SignedPayment {
    return this.#finish(this.#build(document, coins, rate));
  }

  #finish({ tx, fee }: { readonly tx: Transaction; readonly fee: bigint }): SignedPayment {
    const psbt = Buffer.from(tx.toPSBT()).toString('base64');
    tx.sign(this.#key);
    tx.finalize();
    return { txid: tx.id, raw: tx.hex, psbt, fee };
  }
}
