/** One look at one chain after the other: follow its head, credit what is deep enough, say where we stand. */
import type { Db } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { AddressSieve } from './address-prefilter.ts';
import { applyBlocks, contiguousPrefix, startChain } from './apply-blocks.ts';
import { WAIT_REASONS } from './chain-reasons.ts';
import { type Cursor, readState } from './chain-state.ts';
import type { ChainNode, Head } from './chains/chain.ts';
import { createEndpointPool, type EndpointPool, STUCK_MIN_MS } from './chains/endpoint-pool.ts';
import { RpcError } from './chains/json-rpc.ts';
import { NODE_ERRORS } from './chains/node-errors.ts';
import { type CreditBasis, creditDeposits, listDueBlocks } from './credit-deposits.ts';
import { hasQuorum, queryBlockHashes } from './cross-check-blocks.ts';
import { followReorganisation } from './handle-reorg.ts';
import type { Network } from './networks.ts';
import { checkTokens, checkTokensOf } from './quarantine-tokens.ts';
import { readBlocks } from './read-blocks.ts';
import { reportChain } from './report-chain.ts';
import { runBackfill } from './run-backfill.ts';

const TOKENS_EVERY_MS = 600_000;
/** A node that is behind and tells of no new block for so many usual blocks is stuck. */
const STUCK_BLOCKS = 30;

export interface Look {
  /** True when there is more to do at once. */
  readonly isBusy: boolean;
  /** What keeps the watcher waiting, in words. */
  readonly note: string | undefined;
}

export interface NetworkWatcherDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly network: Network;
  readonly nodes: readonly ChainNode[];
  readonly sieve: AddressSieve;
  readonly signal?: AbortSignal | undefined;
}

export interface NetworkWatcher {
  look(): Promise<Look>;
}

const idle = (note?: string): Look => ({ isBusy: false, note });
const busy: Look = { isBusy: true, note: undefined };

/** Makes the watcher of one network. Any number may run at once, anywhere: the state's lock lets one of them through. */
export function createNetworkWatcher(deps: NetworkWatcherDeps): NetworkWatcher {
  const { db, clock, network, nodes, sieve, signal } = deps;
  const pool: EndpointPool = createEndpointPool(
    nodes,
    undefined,
    Math.max(STUCK_MIN_MS, STUCK_BLOCKS * network.block_ms),
  );
  let agreedTokens: Set<string> = new Set();
  let tokensCheckedAt_ms = Number.NEGATIVE_INFINITY;

  async function checkTokensSometimes(node: ChainNode): Promise<void> {
    if (performance.now() - tokensCheckedAt_ms > TOKENS_EVERY_MS) {
      agreedTokens = new Set();
      tokensCheckedAt_ms = performance.now();
    }
    agreedTokens = await checkTokens(db, clock, network, node, agreedTokens);
  }

  async function start(node: ChainNode, head: Head): Promise<Look> {
    const height = Math.max(0, (network.startHeight ?? head.height + 1) - 1);
    const block = await node.readHeader(height);
    if (!block) return idle(WAIT_REASONS.say('block_awaited', { height }));
    await startChain(db, network, block);
    return busy;
  }

  /**
   * Hashes of due blocks that the node still has, that no other denies and, where others answer, that one of them has
   * too, those included that seem to be behind; their tokens are asked first.
   */
  async function confirmDueBlocks(
    node: ChainNode,
    basis: CreditBasis,
  ): Promise<{ hashes: string[]; doubt: string | undefined }> {
    const due = await listDueBlocks(db, network, basis);
    await checkTokensOf(db, clock, network, node, new Set(due.flatMap(({ tokens }) => tokens)));
    const answers = await queryBlockHashes([node, ...pool.answering(node)], due);
    const hashes: string[] = [];
    let doubt: string | undefined;
    for (const [at, { height, hash }] of due.entries()) {
      const [own = 'silent', ...others] = answers[at] ?? [];
      if (own === 'same' && hasQuorum(others)) hashes.push(hash);
      else if (own === 'same')
        doubt ??= WAIT_REASONS.say(
          others.includes('other') ? 'nodes_disagree' : 'one_node_has_it',
          { height },
        );
      else
        doubt ??= WAIT_REASONS.say(own === 'other' ? 'read_otherwise' : 'block_not_shown', {
          height,
        });
    }
    return { hashes, doubt };
  }

  /** Credits what is due. @returns what keeps some of it waiting */
  async function credit(node: ChainNode, cursor: Cursor, head: Head): Promise<string | undefined> {
    if (network.usesFinalized && head.finalizedHeight === undefined) {
      return WAIT_REASONS.say('no_finalized_tag');
    }
    const basis = { cursor, finalizedHeight: head.finalizedHeight };
    for (;;) {
      const { hashes, doubt } = await confirmDueBlocks(node, basis);
      const credited =
        hashes.length === 0 ? 0 : await creditDeposits(db, clock, network, basis, hashes);
      if (credited === undefined || credited === 0) return doubt;
    }
  }

  async function catchUp(node: ChainNode, from: Cursor, head: Head): Promise<Look> {
    let cursor = from;
    for await (const blocks of readBlocks(node, cursor.height + 1, head.height)) {
      const linked = contiguousPrefix(cursor, blocks);
      if (linked.length === 0)
        throw new RpcError(
          'contradiction',
          NODE_ERRORS.say('block_not_following', {
            height: cursor.height + 1,
            before: cursor.height,
          }),
        );
      const moved = await applyBlocks(db, clock, network, sieve, cursor, linked);
      if (!moved) return busy;
      cursor = moved;
      const note = await credit(node, cursor, head);
      await reportChain(db, clock, network, { head, note, endpoints: pool.list() });
      if (signal?.aborted) return idle();
      // The chain changed while it was read: the next look compares it with the cursor.
      if (linked.length < blocks.length) return busy;
    }
    const note = await credit(node, cursor, head);
    // It would be asked for ever, and nodes that are honest about their head would seem to be behind.
    if (cursor.height < head.height && cursor.height === from.height)
      throw new RpcError(
        'contradiction',
        NODE_ERRORS.say('head_without_block', { head: head.height, height: cursor.height + 1 }),
      );
    return { isBusy: cursor.height < head.height, note };
  }

  async function lookWith(node: ChainNode, head: Head): Promise<Look> {
    await checkTokensSometimes(node);
    const { cursor, haltedAt } = await readState(db, network.code);
    if (haltedAt) return idle();
    if (!cursor) return start(node, head);
    // A node that does not have the block yet lags; that is no reorganisation.
    if (head.height < cursor.height)
      return idle(WAIT_REASONS.say('node_behind', { head: head.height, read: cursor.height }));
    const header = await node.readHeader(cursor.height);
    if (!header)
      throw new RpcError(
        'contradiction',
        NODE_ERRORS.say('behind', { head: head.height, height: cursor.height }),
      );
    if (header.hash !== cursor.hash) {
      const result = await followReorganisation(
        db,
        clock,
        network,
        cursor,
        node,
        pool.answering(node),
      );
      return result.kind === 'rewound'
        ? busy
        : idle(result.kind === 'wait' ? result.why : undefined);
    }
    const look = await catchUp(node, cursor, head);
    const hasBackfill = await runBackfill(db, clock, network, sieve, node);
    return { isBusy: look.isBusy || hasBackfill, note: look.note };
  }

  return {
    async look() {
      await pool.refresh();
      let node: ChainNode | undefined;
      let head: Head | undefined;
      let result: Look;
      try {
        const endpoint = pool.pick();
        ({ node, head } = endpoint);
        result = await lookWith(node, head);
        pool.markWorked(node);
      } catch (error) {
        if (!(error instanceof RpcError)) throw error;
        // Nothing was decided. The next look, at once where another node answers, prefers that one.
        if (node) pool.markFailed(node, error);
        result = {
          isBusy: node !== undefined && pool.list().some((endpoint) => endpoint.head !== undefined),
          note: error.message,
        };
      }
      await reportChain(db, clock, network, { head, note: result.note, endpoints: pool.list() });
      return result;
    },
  };
}
