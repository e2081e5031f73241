/**
 * The nodes of one network: which of them to ask, and what is known of their health. One node is used for a whole look
 * at the chain, so that its answers belong together; the next look may use another.
 */
import type { ChainNode, Head } from './chain.ts';
import { RpcError } from './json-rpc.ts';
import { NODE_ERRORS } from './node-errors.ts';

export interface Endpoint {
  readonly node: ChainNode;
  readonly head: Head | undefined;
  readonly failures: number;
  readonly lastError: string | undefined;
  readonly isHealthy: boolean;
}

export interface EndpointPool {
  /**
   * Asks every node for its head; those that failed lately are left alone for a while, and then asked without waiting
   * for them as long as another answers. When none does, all are asked at once, paused or not.
   */
  refresh(): Promise<void>;
  /** The preferred node of those that answer and are not behind. @throws RpcError when none does */
  pick(): Endpoint & { readonly head: Head };
  /**
   * All other nodes that answer: witnesses, even when somebody claims to be far ahead of them. Only one that is behind
   * and has not moved for long is none: it would stop the network for good.
   */
  answering(of: ChainNode): readonly ChainNode[];
  /** A whole look at the chain went well: its earlier failures are forgiven. */
  markWorked(node: ChainNode): void;
  markFailed(node: ChainNode, error: unknown): void;
  list(): readonly Endpoint[];
}

const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 30_000;
/** Each try of a node that hangs costs the whole time limit. */
const FIRST_PAUSE_AFTER_HANG_MS = 15_000;
const PAUSE_AFTER_HANG_MAX_MS = 60_000;
const DOUBLINGS_MAX = 10;
/** A node this many blocks behind the best one is stale: it is asked only when no other answers. */
const STALE_BLOCKS = 3;
/** A node that is behind and has not moved for this long is stuck. */
export const STUCK_MIN_MS = 600_000;

interface Slot {
  readonly node: ChainNode;
  head: Head | undefined;
  /** The last that it told, also while it does not answer. */
  height: number | undefined;
  failures: number;
  /** Looks that failed with it since one went well, although it had told of its head. */
  failedLooks: number;
  lastError: string | undefined;
  notBefore: number;
  /** When it last told of another height than before. */
  movedAt: number;
  isIdentified: boolean;
  /** Under way. */
  probe: Promise<void> | undefined;
}

/** Resolves when one of them has answered, or all have failed. */
async function firstToAnswer(asked: readonly Promise<boolean>[]): Promise<void> {
  const answers = asked.map(async (question) => {
    if (!(await question)) throw new Error('no answer');
  });
  await Promise.any(answers).catch(() => undefined);
}

export function createEndpointPool(
  nodes: readonly ChainNode[],
  now_ms: () => number = () => performance.now(),
  stuckAfter_ms: number = STUCK_MIN_MS,
): EndpointPool {
  const fresh = {
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
  const slots: Slot[] = nodes.map((node) => ({ node, ...fresh }));

  function fail(slot: Slot, error: unknown): void {
    slot.failures++;
    slot.lastError = error instanceof Error ? error.message : String(error);
    slot.head = undefined;
    slot.isIdentified = false;
    const hangs = error instanceof RpcError && error.kind === 'too_slow';
    const [first, longest] = hangs
      ? [FIRST_PAUSE_AFTER_HANG_MS, PAUSE_AFTER_HANG_MAX_MS]
      : [FIRST_PAUSE_MS, PAUSE_MAX_MS];
    const doublings = Math.min(Math.max(slot.failures, slot.failedLooks) - 1, DOUBLINGS_MAX);
    slot.notBefore = now_ms() + Math.min(longest, first * 2 ** doublings);
  }

  async function ask(slot: Slot): Promise<void> {
    const { failedLooks } = slot;
    try {
      if (!slot.isIdentified) await slot.node.checkIdentity();
      const head = await slot.node.readHead();
      // Meanwhile it failed at what matters.
      if (slot.failedLooks > failedLooks) return;
      slot.isIdentified = true;
      if (slot.height !== head.height) slot.movedAt = now_ms();
      slot.height = head.height;
      slot.head = head;
      slot.failures = 0;
      slot.lastError = undefined;
    } catch (error) {
      fail(slot, error);
    }
  }

  /** Asks a node that may be asked; joins the question that is under way. */
  function probe(slot: Slot, isUrgent = false): Promise<void> {
    if (!isUrgent && slot.notBefore > now_ms() && slots.length > 1) return Promise.resolve();
    slot.probe ??= ask(slot).finally(() => {
      slot.probe = undefined;
    });
    return slot.probe;
  }

  const answering = (): (Slot & { head: Head })[] =>
    slots.filter((slot): slot is Slot & { head: Head } => slot.head !== undefined);

  function upToDate(): (Slot & { head: Head })[] {
    const alive = answering();
    const best = Math.max(...alive.map((slot) => slot.head.height));
    return alive.filter((slot) => slot.head.height >= best - STALE_BLOCKS);
  }

  const isStuck = (slot: Slot & { head: Head }): boolean =>
    !upToDate().includes(slot) && now_ms() - slot.movedAt > stuckAfter_ms;

  const toEndpoint = (slot: Slot): Endpoint => ({
    node: slot.node,
    head: slot.head,
    failures: slot.failures,
    lastError: slot.lastError,
    isHealthy: slot.head !== undefined && upToDate().includes(slot as Slot & { head: Head }),
  });

  return {
    async refresh() {
      const doubtful = slots.filter(
        ({ failures, failedLooks, probe: open }) =>
          failures + failedLooks > 0 || open !== undefined,
      );
      for (const slot of doubtful) void probe(slot);
      await Promise.all(
        slots.filter((slot) => !doubtful.includes(slot)).map((slot) => probe(slot)),
      );
      // A pause spares a look the time that a failing node costs; where no other answers there is nothing to spare.
      if (answering().length === 0)
        await firstToAnswer(
          slots.map(async (slot) => probe(slot, true).then(() => slot.head !== undefined)),
        );
    },
    pick() {
      const [slot] = upToDate();
      if (!slot)
        throw new RpcError(
          'unreachable',
          NODE_ERRORS.say(slots.length === 0 ? 'no_nodes' : 'no_node_answers'),
        );
      return { ...toEndpoint(slot), head: slot.head };
    },
    answering: (of) =>
      answering().flatMap((slot) => (slot.node === of || isStuck(slot) ? [] : [slot.node])),
    markWorked(node) {
      const slot = slots.find((candidate) => candidate.node === node);
      if (slot) slot.failedLooks = 0;
    },
    markFailed(node, error) {
      const slot = slots.find((candidate) => candidate.node === node);
      if (!slot) return;
      slot.failedLooks++;
      fail(slot, error);
    },
    list: () => slots.map(toEndpoint),
  };
}
