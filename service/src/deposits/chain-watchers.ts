/** Keeps one watcher running for every enabled network, as the configuration changes. */
import { setTimeout } from 'node:timers/promises';
import { type Database, type Db, runAsService } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { MasterKey } from '../master-key.ts';
import { AddressPrefilter } from './address-prefilter.ts';
import { createChainNodes } from './chain-nodes.ts';
import { type ChainContext, listNetworks, type Network } from './networks.ts';
import { NetworkWatcher } from './watch-network.ts';

const RELOAD_EVERY_MS = 5000;
const AFTER_FAULT_MS = 1000;
const STOP_MAX_MS = 3000;

export interface ChainWatchersDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly masterKey: MasterKey;
  readonly onError: (network: string, error: unknown) => void;
}

export interface WatcherOptions extends ChainContext {
  readonly db: Db;
  readonly masterKey: MasterKey;
  /** Default: one of its own. Watchers of one family may share it. */
  readonly prefilter?: AddressPrefilter;
  readonly signal?: AbortSignal;
}

/** Creates the watcher of one network, with the endpoints of its configuration. */
export async function createWatcherFor({
  masterKey,
  prefilter,
  ...deps
}: WatcherOptions): Promise<NetworkWatcher> {
  const { db, network } = deps;
  const nodes = await createChainNodes(masterKey, network);
  const filter = prefilter ?? new AddressPrefilter(db, network.family);
  return new NetworkWatcher({ ...deps, nodes, prefilter: filter });
}

/** Waits, or less when the signal is aborted. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  setTimeout(ms, undefined, { signal }).catch(() => undefined);

async function watch(
  options: WatcherOptions & { readonly signal: AbortSignal },
  onError: ChainWatchersDeps['onError'],
): Promise<void> {
  const { network, signal } = options;
  while (!signal.aborted) {
    try {
      const watcher = await createWatcherFor(options);
      while (!signal.aborted) {
        const poll = () => watcher.poll();
        const { isBusy } = await runAsService(`watcher ${network.code}`, poll);
        await pause(isBusy ? 0 : network.poll_ms, signal);
      }
    } catch (error) {
      // A fault of the service or the database, not of an endpoint. The state is in the database:
      // a new watcher continues from it.
      onError(network.code, error);
      await pause(AFTER_FAULT_MS, signal);
    }
  }
}

interface Running {
  /** The configuration that it runs with. */
  readonly settings: string;
  readonly controller: AbortController;
  readonly done: Promise<void>;
}

export class ChainWatchers {
  readonly #deps: ChainWatchersDeps;
  readonly #running = new Map<string, Running>();
  /** By family: a million addresses are loaded once, not for each of its networks. */
  readonly #prefilters = new Map<string, AddressPrefilter>();
  #timer: NodeJS.Timeout | undefined;
  #reloading: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(deps: ChainWatchersDeps) {
    this.#deps = deps;
  }

  async start(): Promise<void> {
    const reloadSoon = (): void => this.#reloadSoon();
    await this.#deps.database.listen('networks', reloadSoon);
    this.#deps.database.onListenGap(reloadSoon);
    await this.#reload();
    this.#timer = setInterval(reloadSoon, RELOAD_EVERY_MS).unref();
  }

  /** Waits for work that is under way, a few seconds at most. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#reloading;
    await Promise.all([...this.#running.keys()].map((code) => this.#end(code)));
  }

  #reloadSoon(): void {
    if (this.#isStopped) return;
    this.#reloading = this.#reloading
      .then(() => this.#reload())
      .catch((error: unknown) => this.#deps.onError('networks', error));
  }

  async #reload(): Promise<void> {
    const networks = await listNetworks(this.#deps.database);
    const enabled = networks.filter(({ isEnabled }) => isEnabled);
    const settings = new Map(enabled.map((network) => [network.code, JSON.stringify(network)]));
    for (const [code, running] of this.#running)
      if (settings.get(code) !== running.settings) await this.#end(code);
    for (const network of enabled) if (!this.#running.has(network.code)) this.#run(network);
  }

  #run(network: Network): void {
    if (this.#isStopped) return;
    const { database: db, clock, masterKey, onError } = this.#deps;
    const { family } = network;
    const prefilter = this.#prefilters.get(family) ?? new AddressPrefilter(db, family);
    this.#prefilters.set(family, prefilter);
    const controller = new AbortController();
    const { signal } = controller;
    const done = watch({ db, clock, masterKey, network, prefilter, signal }, onError);
    this.#running.set(network.code, { settings: JSON.stringify(network), controller, done });
  }

  async #end(code: string): Promise<void> {
    const running = this.#running.get(code);
    running?.controller.abort();
    // An endpoint that hangs must not hold the process: the work may be cut at any line.
    await Promise.race([running?.done, setTimeout(STOP_MAX_MS, undefined, { ref: false })]);
    this.#running.delete(code);
  }
}
