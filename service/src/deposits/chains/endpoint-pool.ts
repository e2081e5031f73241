/**
 * The nodes of one network: which of them to ask, and what is known of their health. One node is used for a whole look
 * at the chain, so that its answers belong together; the next look may use another.
 */
import type { ChainNode, Head } from './chain.ts';
import { RpcError } from './json-rpc.ts';

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
   * for them as long as another answers.
   */
  refresh(): Promise<void>;
  /** The preferred node of those that answer and are not behind. @throws RpcError when none does */
  pick(): Endpoint & { readonly head: Head };
  /** The other nodes that answer and are not behind: witnesses of where the chain is now. */
  witnesses(of: ChainNode): readonly ChainNode[];
  /** All other nodes that answer: witnesses of what they have, even when somebody claims to be far ahead of them. */
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

interface Slot {
  readonly node: ChainNode;
  head: Head | undefined;
  failures: number;
  /** Looks that failed with it since one went well, although it had told of its head. */
  failedLooks: number;
  lastError: string | undefined;
  notBefore: number;
  isIdentified: boolean;
  /** Under way. */
  probe: Promise<void> | undefined;
}

export function createEndpointPool(nodes: readonly ChainNode[], now_ms: () => number = () => performance.now()): EndpointPool {
  const fresh = { head: undefined, failures: 0, failedLooks: 0, lastError: undefined, notBefore: 0, isIdentified: false, probe: undefined };
  const slots: Slot[] = nodes.map((node) => ({ node, ...fresh }));

  function fail(slot: Slot, error: unknown): void {
    slot.failures++;
    slot.lastError = error instanceof Error ? error.message : String(error);
    slot.head = undefined;
    slot.isIdentified = false;
    const hangs = error instanceof RpcError && error.kind === 'too_slow';
    const [first, longest] = hangs ? [FIRST_PAUSE_AFTER_HANG_MS, PAUSE_AFTER_HANG_MAX_MS] : [FIRST_PAUSE_MS, PAUSE_MAX_MS];
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
      slot.head = head;
      slot.failures = 0;
      slot.lastError = undefined;
    } catch (error) {
      fail(slot, error);
    }
  }

  /** Asks a node that may be asked; joins the question that is under way. */
  function probe(slot: Slot): Promise<void> {
    if (slot.notBefore > now_ms() && slots.length > 1) return Promise.resolve();
    slot.probe ??= ask(slot).finally(() => {
      slot.probe = undefined;
    });
    return slot.probe;
  }

  const answering = (): (Slot & { head: Head })[] => slots.filter((slot): slot is Slot & { head: Head } => slot.head !== undefined);

  function upToDate(): (Slot & { head: Head })[] {
    const alive = answering();
    const best = Math.max(...alive.map((slot) => slot.head.height));
    return alive.filter((slot) => slot.head.height >= best - STALE_BLOCKS);
  }

  const toEndpoint = (slot: Slot): Endpoint => ({
    node: slot.node,
    head: slot.head,
    failures: slot.failures,
    lastError: slot.lastError,
    isHealthy: slot.head !== undefined && upToDate().includes(slot as Slot & { head: Head }),
  });

  return {
    async refresh() {
      const doubtful = slots.filter(({ failures, failedLooks, probe: open }) => failures + failedLooks > 0 || open !== undefined);
      const probes = doubtful.map(probe);
      await Promise.all(slots.filter((slot) => !doubtful.includes(slot)).map(probe));
      if (answering().length === 0) await Promise.all(probes);
    },
    pick() {
      const [slot] = upToDate();
      if (!slot) throw new RpcError('unreachable', slots.length === 0 ? 'the network has no nodes' : `no node answers: ${slots[0]?.lastError ?? ''}`);
      return { ...toEndpoint(slot), head: slot.head };
    },
    witnesses: (of) => upToDate().flatMap((slot) => (slot.node === of ? [] : [slot.node])),
    answering: (of) => answering().flatMap((slot) => (slot.node === of ? [] : [slot.node])),
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
