/** Looks at the standby each second, so that requests need not find out how it is. */
import { setTimeout as wait } from 'node:timers/promises';
import { createServerPool } from '../server-pool.ts';
import { SILENT_AFTER_MS } from '../watchdog.ts';
import type { PrimaryPosition, PrimaryPositions } from './primary-positions.ts';
import type { ReplicaState } from './replica-types.ts';
import { askStandby, PAUSES_MS, stateOf } from './standby-check.ts';

const LOOK_EVERY_MS = 1000;
/** undefined_table: the standby has not replayed the migration of what it is asked for. */
const NOT_MIGRATED = '42P01';

export interface MonitorOptions {
  readonly url: string;
  readonly keepsPrepared: boolean;
  readonly positions: PrimaryPositions;
  /** Called after each look that found no answer. */
  readonly onUnreachable: () => void;
  readonly onError: (error: Error) => void;
}

export class ReplicaMonitor {
  readonly #options: MonitorOptions;
  /** A connection of its own: the pool may be busy, which is no fault of the standby. */
  readonly #connection: ReturnType<typeof createServerPool>['pool'];
  readonly #handlers: ((state: ReplicaState) => void)[] = [];
  #state: ReplicaState = 'unreachable';
  #lagBytes: number | undefined;
  #look: Promise<ReplicaState> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: MonitorOptions) {
    this.#options = options;
    const { url, onError } = options;
    const settings = { url, poolSize: 1, isReadOnly: true, onError };
    this.#connection = createServerPool({
      ...settings,
      name: 'edge-account standby',
      answerTimeout_ms: SILENT_AFTER_MS,
    }).pool;
  }

  get state(): ReplicaState {
    return this.#state;
  }

  get lagBytes(): number | undefined {
    return this.#lagBytes;
  }

  onChange(handler: (state: ReplicaState) => void): void {
    this.#handlers.push(handler);
  }

  /** A request has found out earlier. */
  note(state: ReplicaState): void {
    if (this.#state === state || this.#isClosed) return;
    this.#state = state;
    for (const handler of this.#handlers) handler(state);
  }

  /** Looks once; callers meanwhile share it. The next look follows by itself. */
  check(): Promise<ReplicaState> {
    clearTimeout(this.#timer);
    this.#look ??= this.#lookOnce().finally(() => {
      this.#look = undefined;
      if (!this.#isClosed) this.#timer = setTimeout(() => void this.check(), LOOK_EVERY_MS).unref();
    });
    return this.#look;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#look;
    await this.#connection.end();
  }

  async #lookOnce(): Promise<ReplicaState> {
    // A primary that does not answer says nothing of its standby.
    const position = await this.#options.positions.next().catch(() => undefined);
    if (position) this.note(await this.#find(position));
    return this.#state;
  }

  async #find(position: PrimaryPosition): Promise<ReplicaState> {
    try {
      let state: ReplicaState = 'behind';
      for (const pause_ms of PAUSES_MS) {
        if (pause_ms > 0) await wait(pause_ms);
        const check = await askStandby(this.#connection, position, this.#options.keepsPrepared);
        this.#lagBytes = check.lag;
        state = stateOf(check);
        if (state !== 'behind') break;
      }
      return state;
    } catch (error) {
      this.#lagBytes = undefined;
      if (error instanceof Error && 'code' in error && error.code === NOT_MIGRATED) return 'behind';
      this.#options.onUnreachable();
      return 'unreachable';
    }
  }
}
