/** Polls one chain: follows its head, credits deposits that are deep enough, reports its state. */
import type { Db } from '../db/index.ts';
import type { CodedMessage } from '../lib/coded-messages.ts';
import type { AddressPrefilter } from './address-prefilter.ts';
import { applyBlocks, contiguousPrefix, startChain } from './apply-blocks.ts';
import { WAIT_REASONS } from './chain-reasons.ts';
import { type Cursor, readState } from './chain-state.ts';
import type { ChainNode, Head } from './chains/chain.ts';
import { EndpointPool, STUCK_MIN_MS } from './chains/endpoint-pool.ts';
import { RpcError } from './chains/json-rpc.ts';
import { NODE_ERRORS } from './chains/node-errors.ts';
import { type CreditBasis, creditDeposits, listDueBlocks } from './credit-deposits.ts';
import { hasQuorum, queryBlockHashes } from './cross-check-blocks.ts';
import { handleReorg } from './handle-reorg.ts';
import type { ChainContext } from './networks.ts';
import { checkAllTokens, checkTokens } from './quarantine-tokens.ts';
import { readBlocks } from './read-blocks.ts';
import { reportChain } from './report-chain.ts';
import { runBackfill } from './run-backfill.ts';

const TOKENS_EVERY_MS = 600_000;
/** An endpoint that is behind and reports no new block for so many usual blocks is stuck. */
const STUCK_BLOCKS = 30;

export interface PollResult {
  /** True when there is more to do at once. */
  readonly isBusy: boolean;
  /** What keeps the watcher waiting. */
  readonly note: CodedMessage | undefined;
}

export interface NetworkWatcherDeps extends ChainContext {
  readonly db: Db;
  readonly nodes: readonly ChainNode[];
  readonly prefilter: AddressPrefilter;
  readonly signal?: AbortSignal | undefined;
}

const idle = (note?: CodedMessage): PollResult => ({ isBusy: false, note });
const busy: PollResult = { isBusy: true, note: undefined };

/**
 * The watcher of one network. Any number may run at once, in any process: the lock of the chain's
 * state lets one of them through.
 */
export class NetworkWatcher {
  readonly #deps: NetworkWatcherDeps;
  readonly #pool: EndpointPool;
  #agreedTokens: ReadonlySet<string> = new Set();
  #tokensCheckedAt_ms = Number.NEGATIVE_INFINITY;

  constructor(deps: NetworkWatcherDeps) {
    this.#deps = deps;
    const stuckAfter_ms = Math.max(STUCK_MIN_MS, STUCK_BLOCKS * deps.network.block_ms);
    this.#pool = new EndpointPool(deps.nodes, { stuckAfter_ms });
  }

  async poll(): Promise<PollResult> {
    await this.#pool.refresh();
    let node: ChainNode | undefined;
    let head: Head | undefined;
    let result: PollResult;
    try {
      ({ node, head } = this.#pool.pick());
      result = await this.#pollEndpoint(node, head);
      this.#pool.markWorked(node);
    } catch (error) {
      if (!(error instanceof RpcError)) throw error;
      // Nothing was decided. The next poll, at once where another endpoint answers, prefers that.
      if (node) this.#pool.markFailed(node, error);
      const isBusy = node !== undefined && this.#pool.list().some((endpoint) => endpoint.head);
      result = { isBusy, note: error.reason };
    }
    await this.#report(head, result.note);
    return result;
  }

  async #pollEndpoint(node: ChainNode, head: Head): Promise<PollResult> {
    const { db, network } = this.#deps;
    await this.#checkTokensSometimes(node);
    const { cursor, haltedAt } = await readState(db, network.code);
    if (haltedAt) return idle();
    if (!cursor) return this.#start(node, head);
    const { height } = cursor;
    // An endpoint that does not have the block yet lags; that is no reorganisation.
    if (head.height < height)
      return idle(WAIT_REASONS.create('endpoint_behind', { head: head.height, read: height }));
    const header = await node.readHeader(height);
    if (!header) {
      const reason = NODE_ERRORS.create('behind', { head: head.height, height });
      throw new RpcError('contradiction', reason);
    }
    if (header.hash !== cursor.hash) {
      const witnesses = this.#pool.listWitnesses(node);
      const result = await handleReorg(db, this.#deps, cursor, { node, witnesses });
      if (result.kind === 'rewound') return busy;
      return idle(result.kind === 'wait' ? result.why : undefined);
    }
    const { isBusy, note } = await this.#catchUp(node, cursor, head);
    const hasBackfill = await runBackfill(db, this.#deps, node);
    return { isBusy: isBusy || hasBackfill, note };
  }

  async #checkTokensSometimes(node: ChainNode): Promise<void> {
    const now_ms = performance.now();
    if (now_ms - this.#tokensCheckedAt_ms > TOKENS_EVERY_MS) {
      this.#agreedTokens = new Set();
      this.#tokensCheckedAt_ms = now_ms;
    }
    const { db } = this.#deps;
    this.#agreedTokens = await checkAllTokens(db, this.#deps, node, this.#agreedTokens);
  }

  async #start(node: ChainNode, head: Head): Promise<PollResult> {
    const { db, network } = this.#deps;
    const height = Math.max(0, (network.startHeight ?? head.height + 1) - 1);
    const block = await node.readHeader(height);
    if (!block) return idle(WAIT_REASONS.create('block_awaited', { height }));
    await startChain(db, network, block);
    return busy;
  }

  async #catchUp(node: ChainNode, from: Cursor, head: Head): Promise<PollResult> {
    let cursor = from;
    for await (const blocks of readBlocks(node, cursor.height + 1, head.height)) {
      const linked = contiguousPrefix(cursor, blocks);
      if (linked.length === 0) {
        const { height: before } = cursor;
        const reason = NODE_ERRORS.create('block_not_following', { height: before + 1, before });
        throw new RpcError('contradiction', reason);
      }
      const moved = await applyBlocks(this.#deps.db, this.#deps, cursor, linked);
      if (!moved) return busy;
      cursor = moved;
      await this.#report(head, await this.#credit(node, cursor, head));
      if (this.#deps.signal?.aborted) return idle();
      // The chain changed while it was read: the next poll compares it with the cursor.
      if (linked.length < blocks.length) return busy;
    }
    const note = await this.#credit(node, cursor, head);
    // The poll would be repeated for ever, and endpoints that report their true head would seem to
    // be behind.
    if (cursor.height < head.height && cursor.height === from.height) {
      const missing = { head: head.height, height: cursor.height + 1 };
      throw new RpcError('contradiction', NODE_ERRORS.create('head_without_block', missing));
    }
    return { isBusy: cursor.height < head.height, note };
  }

  /** Credits what is due. @returns what keeps some of it waiting */
  async #credit(node: ChainNode, cursor: Cursor, head: Head): Promise<CodedMessage | undefined> {
    const { db, network } = this.#deps;
    const { finalizedHeight } = head;
    if (network.usesFinalized && finalizedHeight === undefined)
      return WAIT_REASONS.create('no_finalized_tag');
    const basis = { cursor, finalizedHeight };
    for (;;) {
      const { hashes, disagreement } = await this.#confirmDueBlocks(node, basis);
      const credited = hashes.length > 0 && (await creditDeposits(db, this.#deps, basis, hashes));
      if (!credited) return disagreement;
    }
  }

  /**
   * Hashes of due blocks that the endpoint still has, that no other denies and, where others
   * answer, that one of them has too, those included that seem to be behind. The tokens of their
   * deposits are checked first.
   */
  async #confirmDueBlocks(
    node: ChainNode,
    basis: CreditBasis,
  ): Promise<{ hashes: string[]; disagreement: CodedMessage | undefined }> {
    const { db, network } = this.#deps;
    const due = await listDueBlocks(db, network, basis);
    await checkTokens(db, this.#deps, node, new Set(due.flatMap(({ tokens }) => tokens)));
    const answers = await queryBlockHashes([node, ...this.#pool.listWitnesses(node)], due);
    const doubts = due.map(({ height }, at) => {
      const [own = 'silent', ...others] = answers[at] ?? [];
      if (own === 'other') return WAIT_REASONS.create('read_otherwise', { height });
      if (own !== 'same') return WAIT_REASONS.create('block_not_shown', { height });
      if (hasQuorum(others)) return undefined;
      const isDenied = others.includes('other');
      return WAIT_REASONS.create(isDenied ? 'endpoints_disagree' : 'one_endpoint_has_it', {
        height,
      });
    });
    return {
      hashes: due.flatMap(({ hash }, at) => (doubts[at] ? [] : [hash])),
      disagreement: doubts.find((doubt) => doubt !== undefined),
    };
  }

  #report(head: Head | undefined, note: CodedMessage | undefined): Promise<void> {
    return reportChain(this.#deps.db, this.#deps, { head, note, endpoints: this.#pool.list() });
  }
}
