/** Stores the state of a watcher, for operators and metrics; nothing is decided by it. */
import { type Db, defineStatement, execute } from '../db/index.ts';
import type { Metrics } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { type CodedMessage, toColumns } from '../lib/coded-messages.ts';
import type { Head } from './chains/chain.ts';
import type { Endpoint } from './chains/endpoint-pool.ts';
import { listStatuses, type NetworkStatus, type StoredEndpoint } from './describe-networks.ts';
import type { ChainContext } from './networks.ts';

export interface ChainReport {
  /** Absent when no endpoint answered: the stored heights stay. */
  readonly head: Head | undefined;
  readonly note: CodedMessage | undefined;
  readonly endpoints: readonly Endpoint[];
}

const UPDATE_REPORT = defineStatement(
  'chain_state_report',
  `update chain_state set head_height = coalesce(:head, head_height),
     finalized_height = case when :head::bigint is null then finalized_height else :finalized end,
     answered_at = case when :head::bigint is null then answered_at else :now end,
     note_code = :code, note_values = :values, endpoints = :endpoints, checked_at = :now
   where network = :network`,
);

function toStored({ node, head, failures, lastError, isHealthy }: Endpoint): StoredEndpoint {
  return {
    url: node.label,
    is_healthy: isHealthy,
    failures,
    ...(head && { head_height: head.height }),
    ...(lastError && { last_error: lastError }),
  };
}

export async function reportChain(
  db: Db,
  { network, clock }: ChainContext,
  { head, note, endpoints }: ChainReport,
): Promise<void> {
  await execute(db, UPDATE_REPORT, {
    network: network.code,
    head: head?.height ?? null,
    finalized: head?.finalizedHeight ?? null,
    ...toColumns(note),
    endpoints: JSON.stringify(endpoints.map(toStored)),
    now: clock.now(),
  });
}

type Figure = (status: NetworkStatus, now: Date) => number | null | undefined;

const FIGURES: readonly (readonly [name: string, help: string, figure: Figure])[] = [
  [
    'head_height',
    'Highest block that the endpoints of a network have.',
    ({ row }) => row.head_height,
  ],
  ['cursor_height', 'Last block that was read.', ({ row }) => row.cursor_height],
  ['lag_blocks', 'Blocks between the two; also when the endpoints are behind.', ({ lag }) => lag],
  [
    'halted',
    '1 while a network is halted and waits for an operator.',
    ({ row }) => (row.halted_at ? 1 : 0),
  ],
  [
    'stalled',
    '1 while no process polls a network, no endpoint can be used, or all are far behind.',
    ({ state }) => (state === 'stalled' ? 1 : 0),
  ],
  [
    'unseen_seconds',
    'Time since a watcher last polled the chain.',
    ({ row: { checked_at } }, now) =>
      checked_at && Math.max(0, (now.getTime() - checked_at.getTime()) / 1000),
  ],
];

/** Shows the figures of every enabled network at `/metrics`. */
export function registerChainMetrics(metrics: Metrics, db: Db, clock: Clock): void {
  for (const [name, help, toFigure] of FIGURES)
    metrics.gauge(`edge_account_chain_${name}`, help, 'network', async () => {
      const enabled = (await listStatuses(db, clock)).filter(({ network }) => network.isEnabled);
      const figures = enabled.flatMap((status) => {
        const figure = toFigure(status, clock.now());
        return typeof figure === 'number' ? [[status.network.code, figure] as const] : [];
      });
      return Object.fromEntries(figures);
    });
}
