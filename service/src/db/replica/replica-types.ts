/** What the service knows of the standby that answers reads. */
import type pg from 'pg';

/**
 * `ready`: it answers reads. `behind`: it has not replayed what the primary has, or not in time.
 * `unreachable`: it does not answer. `promoted`: it is no standby. `unrelated`: its history is
 * another one than the primary's.
 */
export type ReplicaState = 'ready' | 'behind' | 'unreachable' | 'promoted' | 'unrelated';

/**
 * Why the primary answered a read that a standby could have answered: its state; or `conflict`, it
 * cancelled the statement to continue its replay; `error`, the statement failed there;
 * `no_position`, the primary did not say how far it is.
 */
export type PrimaryReason = Exclude<ReplicaState, 'ready'> | 'conflict' | 'error' | 'no_position';

export interface Replica {
  readonly state: ReplicaState;
  /** Bytes of the log that it has yet to replay, at the last look; undefined: not known. */
  readonly lagBytes: number | undefined;
  /**
   * Reads from the standby what the current request may read there; undefined: the primary must
   * answer. `work` only reads, and may run again.
   */
  read<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<{ readonly value: T } | undefined>;
  /** Looks at the standby now; it is looked at each second. */
  check(): Promise<ReplicaState>;
  /** Calls `handler` after each change of the state. */
  onChange(handler: (state: ReplicaState) => void): void;
  /** Calls `handler` for each read that a standby could answer, with who answered. */
  onRead(handler: (answered: 'standby' | PrimaryReason) => void): void;
}
