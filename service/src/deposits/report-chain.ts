/** Writes down where a watcher stands, for people and metrics; nothing is decided by it. */
import type { Db } from '../db/index.ts';
import type { Metrics } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import type { Head } from './chains/chain.ts';
import type { Endpoint } from './chains/endpoint-pool.ts';
import { listStalled } from './describe-networks.ts';
import type { Network } from './networks.ts';

export interface ChainSight {
  /** Absent when no node answered: what was seen last stays. */
  readonly head: Head | undefined;
  readonly note: string | undefined;
  readonly endpoints: readonly Endpoint[];
}

const UPDATE = `update chain_state set head_height = coalesce($2, head_height), finalized_height = case when $2::bigint is null then finalized_height else $3 end,
  answered_at = case when $2::bigint is null then answered_at else $6 end, note = $4, endpoints = $5, checked_at = $6 where network = $1`;

export async function reportChain(
  db: Db,
  clock: Clock,
  network: Network,
  { head, note, endpoints }: ChainSight,
): Promise<void> {
  const seen = endpoints.map(({ node, head: at, failures, lastError, isHealthy }) => ({
    url: node.label,
    is_healthy: isHealthy,
    failures,
    ...(at && { head_height: at.height }),
    ...(lastError !== undefined && { last_error: lastError }),
  }));
  await db.query(UPDATE, [
    network.code,
    head?.height ?? null,
    head?.finalizedHeight ?? null,
    note ?? null,
    JSON.stringify(seen),
    clock.now(),
  ]);
}

interface FigureRow {
  network: string;
  cursor_height: number | null;
  head_height: number | null;
  is_halted: boolean;
  checked_at: Date | null;
}

interface ChainFigures {
  readonly head: Record<string, number>;
  readonly cursor: Record<string, number>;
  readonly lag: Record<string, number>;
  readonly halted: Record<string, number>;
  readonly unseen: Record<string, number>;
  readonly stalled: Record<string, number>;
}

/** Figures of every enabled network, for metrics. */
async function readChainFigures(db: Db, clock: Clock): Promise<ChainFigures> {
  const { rows } = await db.query<FigureRow>(
    `select network, cursor_height, head_height, halted_at is not null as is_halted, checked_at from chain_state
     join network on network.code = chain_state.network where is_enabled order by network`,
  );
  const figures: ChainFigures = {
    head: {},
    cursor: {},
    lag: {},
    halted: {},
    unseen: {},
    stalled: {},
  };
  const stalled = await listStalled(db, clock.now());
  for (const row of rows) {
    figures.halted[row.network] = row.is_halted ? 1 : 0;
    figures.stalled[row.network] = stalled.has(row.network) ? 1 : 0;
    if (row.checked_at)
      figures.unseen[row.network] = Math.max(
        0,
        (clock.now().getTime() - row.checked_at.getTime()) / 1000,
      );
    if (row.head_height !== null) figures.head[row.network] = row.head_height;
    if (row.cursor_height !== null) figures.cursor[row.network] = row.cursor_height;
    if (row.head_height !== null && row.cursor_height !== null)
      figures.lag[row.network] = Math.abs(row.head_height - row.cursor_height);
  }
  return figures;
}

const FIGURES = [
  ['edge_account_chain_head_height', 'Highest block that the nodes of a network have.', 'head'],
  ['edge_account_chain_cursor_height', 'Last block that was read.', 'cursor'],
  [
    'edge_account_chain_lag_blocks',
    'Blocks between the two; also when the nodes are behind what was read.',
    'lag',
  ],
  ['edge_account_chain_halted', '1 while a network is halted and waits for an operator.', 'halted'],
  [
    'edge_account_chain_stalled',
    '1 while nobody looks at a network, none of its nodes can be used, or all are far behind what was read.',
    'stalled',
  ],
  ['edge_account_chain_unseen_seconds', 'Time since a watcher last looked at the chain.', 'unseen'],
] as const;

/** Shows the figures at `/metrics`. */
export function registerChainMetrics(metrics: Metrics, db: Db, clock: Clock): void {
  for (const [name, help, figure] of FIGURES)
    metrics.gauge(name, help, 'network', async () => (await readChainFigures(db, clock))[figure]);
}
