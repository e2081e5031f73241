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
  /** Asks every node for its head; those that failed lately are left alone for a while. */
  refresh(): Promise<void>;
  /** The preferred node of those that answer and are not behind. @throws RpcError when none does */
  pick(): Endpoint & { readonly head: Head };
  /** The other nodes that answer and are not behind: witnesses of where the chain is now. */
  witnesses(of: ChainNode): readonly ChainNode[];
  /** All other nodes that answer: witnesses of what they have, even when somebody claims to be far ahead of them. */
  answering(of: ChainNode): readonly ChainNode[];
  markFailed(node: ChainNode, error: unknown): void;
  list(): readonly Endpoint[];
}

const FIRST_PAUSE_MS = 500;
const PAUSE_MAX_MS = 30_000;
/** A node this many blocks behind the best one is stale: it is asked only when no other answers. */
const STALE_BLOCKS = 3;

interface Slot {
  readonly node: ChainNode;
  head: Head | undefined;
  failures: number;
  lastError: string | undefined;
  notBefore: number;
  isIdentified: boolean;
}

export function createEndpointPool(nodes: readonly ChainNode[], now_ms: () => number = () => performance.now()): EndpointPool {
  const slots: Slot[] = nodes.map((node) => ({ node, head: undefined, failures: 0, lastError: undefined, notBefore: 0, isIdentified: false }));

  function fail(slot: Slot, error: unknown): void {
    slot.failures++;
    slot.lastError = error instanceof Error ? error.message : String(error);
    slot.head = undefined;
    slot.isIdentified = false;
    slot.notBefore = now_ms() + Math.min(PAUSE_MAX_MS, FIRST_PAUSE_MS * 2 ** Math.min(slot.failures - 1, 10));
  }

  async function refreshOne(slot: Slot): Promise<void> {
    if (slot.notBefore > now_ms() && slots.length > 1) return;
    try {
      if (!slot.isIdentified) await slot.node.checkIdentity();
      slot.isIdentified = true;
      slot.head = await slot.node.readHead();
      slot.failures = 0;
      slot.lastError = undefined;
    } catch (error) {
      fail(slot, error);
    }
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
      await Promise.all(slots.map(refreshOne));
    },
    pick() {
      const [slot] = upToDate();
      if (!slot) throw new RpcError('unreachable', slots.length === 0 ? 'the network has no nodes' : `no node answers: ${slots[0]?.lastError ?? ''}`);
      return { ...toEndpoint(slot), head: slot.head };
    },
    witnesses: (of) => upToDate().flatMap((slot) => (slot.node === of ? [] : [slot.node])),
    answering: (of) => answering().flatMap((slot) => (slot.node === of ? [] : [slot.node])),
    markFailed(node, error) {
      const slot = slots.find((candidate) => candidate.node === node);
      if (slot) fail(slot, error);
    },
    list: () => slots.map(toEndpoint),
  };
}
