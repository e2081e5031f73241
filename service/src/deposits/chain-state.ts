/** The cursor of a watcher, and the lock that lets only one watcher move it. */
import { type Db, queryNamed, type Transaction } from '../db/index.ts';

export interface Cursor {
  readonly height: number;
  readonly hash: string;
}

export interface ChainState {
  /** The last block that was read; undefined before the first. */
  readonly cursor: Cursor | undefined;
  readonly haltedAt: Date | undefined;
}

interface StateRow {
  cursor_height: number | null;
  cursor_hash: string | null;
  halted_at: Date | null;
}

function toState(row: StateRow | undefined): ChainState {
  if (!row) throw new Error('the network has no state');
  const cursor =
    row.cursor_height !== null && row.cursor_hash !== null
      ? { height: row.cursor_height, hash: row.cursor_hash }
      : undefined;
  return {
    cursor,
    haltedAt: row.halted_at ?? undefined,
  };
}

const SELECT_STATE =
  'select cursor_height, cursor_hash, halted_at from chain_state where network = $1';

export async function readState(db: Db, network: string): Promise<ChainState> {
  return toState((await db.query<StateRow>(SELECT_STATE, [network])).rows[0]);
}

/** Reads the state and locks it against all other watchers until this transaction ends. */
export async function lockState(tx: Transaction, network: string): Promise<ChainState> {
  return toState((await tx.query<StateRow>(`${SELECT_STATE} for update`, [network])).rows[0]);
}

export async function moveCursor(tx: Transaction, network: string, cursor: Cursor): Promise<void> {
  await queryNamed(
    tx,
    'update chain_state set cursor_height = :height, cursor_hash = :hash where network = :network',
    { network, height: cursor.height, hash: cursor.hash },
  );
}

/** True when the cursor is still the expected one, and the network is not halted. */
export function isAt(state: ChainState, expected: Cursor): boolean {
  return (
    state.haltedAt === undefined &&
    state.cursor?.height === expected.height &&
    state.cursor.hash === expected.hash
  );
}
