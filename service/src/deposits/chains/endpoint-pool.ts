/**
 * The RPC endpoints of one network, and what is known of their health. One endpoint is used for a
 * whole poll of the chain, so that its answers belong together; the next poll may use another.
 */
import { type CodedMessage, createFreeText } from '../../lib/coded-messages.ts';
import type { ChainNode, Head } from './chain.ts';
import { RpcError } from './json-rpc.ts';
import { NODE_ERRORS } from './node-errors.ts';

export interface Endpoint {
  readonly node: ChainNode;
  readonly head: Head | undefined;
  readonly failures: number;
  readonly lastError: CodedMessage | undefined;
  readonly isHealthy: boolean;
}

const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 30_000;
/** Each try of an endpoint that hangs costs the whole time limit. */
const FIRST_PAUSE_AFTER_HANG_MS = 15_000;
const PAUSE_AFTER_HANG_MAX_MS = 60_000;
const DOUBLINGS_MAX = 10;
/** An endpoint this many blocks behind the best one is stale: used only when no other answers. */
const STALE_BLOCKS = 3;
/** An endpoint that is behind and has not moved for this long is stuck. */
export const STUCK_MIN_MS = 600_000;

interface Slot {
  readonly node: ChainNode;
  head: Head | undefined;
  /** The last height that it reported, also while it does not answer. */
  height: number | undefined;
  failures: number;
  /** Polls that failed with it since one went well, although it had reported its head. */
  failedLooks: number;
  lastError: CodedMessage | undefined;
  notBefore: number;
  /** When it last reported another height than before. */
  movedAt: number;
  isIdentified: boolean;
  /** The question under way. */
  probe: Promise<void> | undefined;
}

type Answering = Slot & { head: Head };

const NEW_SLOT = {
  head: undefined,
  height: undefined,
  movedAt: 0,
  failures: 0,
  failedLooks: 0,
  lastError: undefined,
  notBefore: 0,
  isIdentified: false,
  probe: undefined,
};

export interface EndpointPoolOptions {
  readonly now_ms?: () => number;
  readonly stuckAfter_ms?: number;
}

export class EndpointPool {
  readonly #slots: readonly Slot[];
  readonly #now_ms: () => number;
  readonly #stuckAfter_ms: number;

  constructor(
    nodes: readonly ChainNode[],
    { now_ms = () => performance.now(), stuckAfter_ms = STUCK_MIN_MS }: EndpointPoolOptions = {},
  ) {
    this.#slots = nodes.map((node) => ({ node, ...NEW_SLOT }));
    this.#now_ms = now_ms;
    this.#stuckAfter_ms = stuckAfter_ms;
  }

  /**
   * Reads the head of every endpoint. Those that failed lately are left alone for a pause, and then
   * probed without waiting for them as long as another answers. When none answers, all are probed
   * at once, paused or not.
   */
  async refresh(): Promise<void> {
    const probes = this.#slots.map((slot) => {
      const isDoubtful = slot.failures + slot.failedLooks > 0 || slot.probe !== undefined;
      const probe = this.#probe(slot);
      return isDoubtful ? undefined : probe;
    });
    await Promise.all(probes);
    if (this.#answering().length > 0) return;
    // Resolves when one has answered, or all have failed.
    const answers = this.#slots.map(async (slot) => {
      await this.#probe(slot, true);
      if (slot.head === undefined) throw new Error('no answer');
    });
    await Promise.any(answers).catch(() => undefined);
  }

  /** The preferred endpoint of those that answer and are not behind. @throws RpcError if none */
  pick(): Endpoint & { readonly head: Head } {
    const [slot] = this.#upToDate();
    if (slot) return { ...this.#toEndpoint(slot), head: slot.head };
    const reason = NODE_ERRORS.create(
      this.#slots.length === 0 ? 'no_endpoints' : 'no_endpoint_answers',
    );
    throw new RpcError('unreachable', reason);
  }

  /**
   * All other endpoints that answer: they are witnesses, even when one claims to be far ahead of
   * them. Only one that is stuck is none: it would stop the network for good.
   */
  listWitnesses(of: ChainNode): readonly ChainNode[] {
    const upToDate = this.#upToDate();
    const isStuck = (slot: Answering): boolean =>
      !upToDate.includes(slot) && this.#now_ms() - slot.movedAt > this.#stuckAfter_ms;
    return this.#answering().flatMap((slot) =>
      slot.node === of || isStuck(slot) ? [] : [slot.node],
    );
  }

  /** A whole poll of the chain went well: its earlier failures are forgiven. */
  markWorked(node: ChainNode): void {
    for (const slot of this.#slots) if (slot.node === node) slot.failedLooks = 0;
  }

  markFailed(node: ChainNode, error: unknown): void {
    for (const slot of this.#slots.filter((candidate) => candidate.node === node)) {
      slot.failedLooks++;
      this.#fail(slot, error);
    }
  }

  list(): readonly Endpoint[] {
    return this.#slots.map((slot) => this.#toEndpoint(slot));
  }

  #answering(): Answering[] {
    return this.#slots.filter((slot): slot is Answering => slot.head !== undefined);
  }

  #upToDate(): Answering[] {
    const answering = this.#answering();
    const best = Math.max(...answering.map((slot) => slot.head.height));
    return answering.filter((slot) => slot.head.height >= best - STALE_BLOCKS);
  }

  #toEndpoint(slot: Slot): Endpoint {
    const { node, head, failures, lastError } = slot;
    const isHealthy = this.#upToDate().some((healthy) => healthy === slot);
    return { node, head, failures, lastError, isHealthy };
  }

  /** Probes an endpoint unless it is paused; joins a probe that is under way. */
  #probe(slot: Slot, isUrgent = false): Promise<void> {
    const isPaused = slot.notBefore > this.#now_ms() && this.#slots.length > 1;
    if (isPaused && !isUrgent) return Promise.resolve();
    slot.probe ??= this.#readHead(slot).finally(() => {
      slot.probe = undefined;
    });
    return slot.probe;
  }

  async #readHead(slot: Slot): Promise<void> {
    const { failedLooks } = slot;
    try {
      if (!slot.isIdentified) await slot.node.checkIdentity();
      const head = await slot.node.readHead();
      // Meanwhile a poll with it failed.
      if (slot.failedLooks > failedLooks) return;
      if (slot.height !== head.height) slot.movedAt = this.#now_ms();
      const { height } = head;
      Object.assign(slot, { isIdentified: true, height, head, failures: 0, lastError: undefined });
    } catch (error) {
      this.#fail(slot, error);
    }
  }

  #fail(slot: Slot, error: unknown): void {
    const failures = slot.failures + 1;
    const lastError = error instanceof RpcError ? error.reason : createFreeText(String(error));
    const hangs = error instanceof RpcError && error.kind === 'too_slow';
    const first = hangs ? FIRST_PAUSE_AFTER_HANG_MS : FIRST_PAUSE_MS;
    const longest = hangs ? PAUSE_AFTER_HANG_MAX_MS : PAUSE_MAX_MS;
    const doublings = Math.min(Math.max(failures, slot.failedLooks) - 1, DOUBLINGS_MAX);
    const notBefore = this.#now_ms() + Math.min(longest, first * 2 ** doublings);
    Object.assign(slot, { failures, lastError, head: undefined, isIdentified: false, notBefore });
  }
}
