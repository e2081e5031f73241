/** Keeps one watcher running for every enabled network, as the configuration changes. */
import type { Database, Db } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../master-key.ts';
import { type AddressSieve, createAddressSieve } from './address-prefilter.ts';
import { createChainNodes } from './chain-nodes.ts';
import { listNetworks, type Network } from './networks.ts';
import { createNetworkWatcher, type NetworkWatcher } from './watch-network.ts';

const RELOAD_EVERY_MS = 5000;
const AFTER_FAULT_MS = 1000;
const STOP_MAX_MS = 3000;

export interface ChainWatchers {
  start(): Promise<void>;
  /** Waits for what is under way, a few seconds at most. */
  stop(): Promise<void>;
}

export interface ChainWatchersDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly masterKey: MasterKey;
  readonly onError: (network: string, error: unknown) => void;
}

interface Running {
  /** The configuration that it runs with. */
  readonly settings: string;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

/** Makes the watcher of one network, with the nodes that its configuration names. */
export async function createWatcherFor(options: {
  db: Db;
  clock: Clock;
  masterKey: MasterKey;
  network: Network;
  /** Default: one of its own. Watchers of one family may share it. */
  sieve?: AddressSieve;
  signal?: AbortSignal;
}): Promise<NetworkWatcher> {
  const {
    masterKey,
    sieve = createAddressSieve(options.db, options.network.family),
    ...rest
  } = options;
  return createNetworkWatcher({
    ...rest,
    sieve,
    nodes: await createChainNodes(masterKey, options.network),
  });
}

/** Waits, or less when it is told to stop. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end);
  });
}

async function watch(
  deps: ChainWatchersDeps,
  network: Network,
  sieve: AddressSieve,
  signal: AbortSignal,
): Promise<void> {
  const { database, clock, masterKey, onError } = deps;
  while (!signal.aborted) {
    try {
      const watcher = await createWatcherFor({
        db: database,
        clock,
        masterKey,
        network,
        sieve,
        signal,
      });
      while (!signal.aborted) {
        const { isBusy } = await watcher.look();
        await pause(isBusy ? 0 : network.poll_ms, signal);
      }
    } catch (error) {
      // A fault of ours or of the database, not of a node. The state is in the database: begin anew.
      onError(network.code, error);
      await pause(AFTER_FAULT_MS, signal);
    }
  }
}

export function createChainWatchers(deps: ChainWatchersDeps): ChainWatchers {
  const { database, onError } = deps;
  const running = new Map<string, Running>();
  const sieves = new Map<string, AddressSieve>();
  let timer: NodeJS.Timeout | undefined;
  let reloading: Promise<void> = Promise.resolve();
  let isStopped = false;

  /** The one of a family: a million addresses are read once, not for each of its networks. */
  function sieveOf(family: string): AddressSieve {
    const sieve = sieves.get(family) ?? createAddressSieve(database, family);
    sieves.set(family, sieve);
    return sieve;
  }

  async function end(code: string): Promise<void> {
    const watcher = running.get(code);
    watcher?.controller.abort();
    // A node that hangs must not hold the process: whatever is under way may be cut at any line.
    await Promise.race([
      watcher?.done,
      new Promise((resolve) => setTimeout(resolve, STOP_MAX_MS).unref()),
    ]);
    running.delete(code);
  }

  async function reload(): Promise<void> {
    const enabled = new Map(
      (await listNetworks(database))
        .filter((network) => network.isEnabled)
        .map((network) => [network.code, network]),
    );
    for (const [code, { settings }] of running) {
      const network = enabled.get(code);
      if (!network || JSON.stringify(network) !== settings) await end(code);
    }
    for (const [code, network] of enabled) {
      if (isStopped || running.has(code)) continue;
      const controller = new AbortController();
      running.set(code, {
        settings: JSON.stringify(network),
        controller,
        done: watch(deps, network, sieveOf(network.family), controller.signal),
      });
    }
  }

  const reloadSoon = (): void => {
    if (isStopped) return;
    reloading = reloading.then(reload).catch((error: unknown) => onError('networks', error));
  };

  return {
    async start() {
      await database.listen('networks', reloadSoon);
      database.onListenGap(reloadSoon);
      await reload();
      timer = setInterval(reloadSoon, RELOAD_EVERY_MS).unref();
    },
    async stop() {
      isStopped = true;
      clearInterval(timer);
      await reloading;
      await Promise.all([...running.keys()].map(end));
    },
  };
}
