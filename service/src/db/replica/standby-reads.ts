/** Reads of requests from a standby, never older than the request. */
import { setTimeout as wait } from 'node:timers/promises';
import type pg from 'pg';
import { isDatabaseUnreachable } from '../errors.ts';
import { createServerPool, type ServerPool } from '../server-pool.ts';
import { type PrimaryPosition, PrimaryPositions } from './primary-positions.ts';
import { currentReadScope, type ReadScope } from './read-scope.ts';
import { ReplicaMonitor } from './replica-monitor.ts';
import type { PrimaryReason, Replica, ReplicaState } from './replica-types.ts';
import { askStandby, PAUSES_MS, stateOf } from './standby-check.ts';

export interface ReplicaOptions {
  /** Leads to a standby, or to one of several for each connection. */
  readonly url: string;
  /** Of the primary. */
  readonly primaryUrl: string;
  readonly poolSize: number;
  /** False: statements have no names. */
  readonly keepsPrepared: boolean;
  readonly onError: (error: Error) => void;
}

type Work<T> = (client: pg.PoolClient) => Promise<T>;
type Answer<T> = { readonly value: T };

interface Order<T> {
  readonly scope: ReadScope;
  readonly position: PrimaryPosition;
  readonly work: Work<T>;
}

/** The standby answered, but not with what is asked for. */
class NotUsable extends Error {
  readonly state: Exclude<ReplicaState, 'ready'>;
  constructor(state: Exclude<ReplicaState, 'ready'>) {
    super(`the standby is ${state}`);
    this.name = 'NotUsable';
    this.state = state;
  }
}

/** A conflict with the replay, and a statement or a session that was ended because of it. */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '57014', '40P01']);

function reasonOf(error: unknown): PrimaryReason {
  if (error instanceof NotUsable) return error.state;
  if (!(error instanceof Error)) return 'error';
  if (isDatabaseUnreachable(error)) return 'unreachable';
  return 'code' in error && CONFLICTS.has(error.code) ? 'conflict' : 'error';
}

export class StandbyReads implements Replica {
  readonly #pool: ServerPool;
  readonly #positions: PrimaryPositions;
  readonly #monitor: ReplicaMonitor;
  readonly #keepsPrepared: boolean;
  readonly #handlers: ((answered: 'standby' | PrimaryReason) => void)[] = [];

  constructor(options: ReplicaOptions) {
    const { primaryUrl, keepsPrepared, onError } = options;
    this.#keepsPrepared = keepsPrepared;
    this.#pool = createServerPool({ ...options, name: 'edge-account reads', isReadOnly: true });
    this.#positions = new PrimaryPositions({ url: primaryUrl, keepsPrepared, onError });
    const cause = new Error('Connection terminated: the standby does not answer');
    this.#monitor = new ReplicaMonitor({
      ...options,
      positions: this.#positions,
      onUnreachable: () => this.#pool.drop(cause),
    });
  }

  get state(): ReplicaState {
    return this.#monitor.state;
  }

  get lagBytes(): number | undefined {
    return this.#monitor.lagBytes;
  }

  check(): Promise<ReplicaState> {
    return this.#monitor.check();
  }

  onChange(handler: (state: ReplicaState) => void): void {
    this.#monitor.onChange(handler);
  }

  onRead(handler: (answered: 'standby' | PrimaryReason) => void): void {
    this.#handlers.push(handler);
  }

  async close(): Promise<void> {
    await this.#monitor.close();
    await this.#positions.close();
    await this.#pool.pool.end();
  }

  async read<T>(work: Work<T>): Promise<Answer<T> | undefined> {
    const scope = currentReadScope();
    if (!scope || scope.isOnPrimary) return undefined;
    if (this.state !== 'ready') return this.#leave(scope, this.state);
    // Read after the request came: every change that was acknowledged before is below it.
    scope.position ??= this.#positions.next();
    const position = await scope.position.catch(() => undefined);
    if (!position) return this.#leave(scope, 'no_position');
    try {
      const value = await this.#onClient({ scope, position, work });
      this.#tell('standby');
      return { value };
    } catch (error) {
      const reason = reasonOf(error);
      if (reason === 'behind') this.#monitor.note('behind');
      else if (reason !== 'conflict' && reason !== 'error') void this.#monitor.check();
      return this.#leave(scope, reason);
    }
  }

  /** What follows in the request must not be older than what the primary answers now. */
  #leave(scope: ReadScope, reason: PrimaryReason): undefined {
    scope.isOnPrimary = true;
    this.#tell(reason);
  }

  #tell(answered: 'standby' | PrimaryReason): void {
    for (const handler of this.#handlers) handler(answered);
  }

  async #onClient<T>(order: Order<T>): Promise<T> {
    const client = await this.#pool.pool.connect();
    let lost: Error | undefined;
    try {
      return await this.#behindCheck(client, order);
    } catch (error) {
      if (error instanceof Error && isDatabaseUnreachable(error)) lost = error;
      throw error;
    } finally {
      client.release(lost);
    }
  }

  /** The check and the work travel together; the work counts only if the check is passed. */
  async #behindCheck<T>(client: pg.PoolClient, order: Order<T>): Promise<T> {
    const { scope, position, work } = order;
    const ask = () => askStandby(client, position, this.#keepsPrepared);
    for (const pause_ms of PAUSES_MS) {
      if (pause_ms > 0) {
        await wait(pause_ms);
        if (!(await ask()).hasPosition) continue;
      }
      const [check, value] = await Promise.allSettled([ask(), work(client)]);
      if (check.status === 'rejected') throw check.reason;
      const state = stateOf(check.value);
      if (state === 'behind') continue;
      if (state !== 'ready') throw new NotUsable(state);
      if (scope.standby !== undefined && scope.standby !== check.value.standby)
        return this.#onAnotherStandby(client, order);
      scope.standby = check.value.standby;
      if (value.status === 'rejected') throw value.reason;
      return value.value;
    }
    throw new NotUsable('behind');
  }

  /** No standby is further than the primary: this one needs what the primary has now. */
  async #onAnotherStandby<T>(client: pg.PoolClient, { scope, work }: Order<T>): Promise<T> {
    delete scope.standby;
    scope.position = this.#positions.next();
    return this.#behindCheck(client, { scope, position: await scope.position, work });
  }
}
