/** Asks a standby whether it has what the primary had. */
import type pg from 'pg';
import { toDb } from '../run-statement.ts';
import { defineStatement, execute } from '../statement.ts';
import type { PrimaryPosition } from './primary-positions.ts';
import type { ReplicaState } from './replica-types.ts';

export interface StandbyCheck {
  readonly isStandby: boolean;
  readonly hasPosition: boolean;
  readonly hasMark: boolean;
  /** Bytes between the position and what it has replayed. */
  readonly lag: number;
  /** Which server answers: an address may lead to several. */
  readonly standby: string;
}

/** What a transaction wrote is visible once its commit is replayed. */
const CHECK = defineStatement(
  'standby-check',
  `select pg_is_in_recovery() as "isStandby",
  coalesce(pg_last_wal_replay_lsn() >= :lsn::pg_lsn, false) as "hasPosition",
  exists (select from replication_mark where mark = :mark::uuid) as "hasMark",
  coalesce(greatest(pg_wal_lsn_diff(:lsn::pg_lsn, pg_last_wal_replay_lsn()), 0), 0)::int8 as lag,
  concat_ws(' ', inet_server_addr(), inet_server_port(),
    extract(epoch from pg_postmaster_start_time())) as standby`,
);

/** Milliseconds before each look at a standby that is behind: 0.1 seconds together. */
export const PAUSES_MS = [0, 1, 2, 4, 8, 16, 32, 37] as const;

/** Sends the question; what is sent behind it on the connection sees what it reports. */
export async function askStandby(
  client: pg.Pool | pg.PoolClient,
  { lsn, mark }: PrimaryPosition,
  keepsPrepared: boolean,
): Promise<StandbyCheck> {
  const db = toDb(client, keepsPrepared);
  const { rows } = await execute<StandbyCheck>(db, CHECK, { lsn, mark });
  const [row] = rows;
  if (!row) throw new Error('the standby gave no row');
  return row;
}

export function stateOf({ isStandby, hasPosition, hasMark }: StandbyCheck): ReplicaState {
  if (!isStandby) return 'promoted';
  if (!hasPosition) return 'behind';
  return hasMark ? 'ready' : 'unrelated';
}
