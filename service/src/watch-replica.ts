/** What logs and metrics say of the standby that answers reads. */
import { Counter } from 'prom-client';
import type { PrimaryReason, Replica, ReplicaState } from './db/index.ts';
import type { HttpServer, Metrics } from './http/index.ts';

const TEXTS: Readonly<Record<ReplicaState, string>> = {
  ready: 'the standby answers reads',
  behind: 'the standby lags: the primary answers reads',
  unreachable: 'the standby does not answer: the primary answers reads',
  promoted: 'DATABASE_READ_URL leads to no standby: the primary answers reads',
  unrelated: 'the standby has another history than the primary, which answers reads',
};

const REASONS: readonly PrimaryReason[] = [
  ...(['behind', 'unreachable', 'promoted', 'unrelated'] as const),
  ...(['conflict', 'error', 'no_position'] as const),
];

function logState(http: HttpServer, state: ReplicaState): void {
  if (state === 'ready') http.log.info({ standby: state }, TEXTS[state]);
  else http.log.warn({ standby: state }, TEXTS[state]);
}

/** Logs each change of the standby's state, and counts who answered; without one, no figures. */
export function watchReplica(
  http: HttpServer,
  metrics: Metrics,
  replica: Replica | undefined,
): void {
  if (replica) logState(http, replica.state);
  replica?.onChange((state) => logState(http, state));
  metrics.gauge(
    'edge_account_standby_state',
    'The state of the standby that answers reads: 1; all others: 0.',
    'state',
    async () => {
      if (!replica) return {};
      const { state } = replica;
      return Object.fromEntries(Object.keys(TEXTS).map((name) => [name, Number(name === state)]));
    },
  );
  metrics.gauge(
    'edge_account_standby_lag_bytes',
    'Bytes of the log that the standby had yet to replay when it was last looked at.',
    'of',
    async () => {
      const lag = replica?.lagBytes;
      const figures: Record<string, number> = lag === undefined ? {} : { replay: lag };
      return figures;
    },
  );
  const reads = new Counter({
    name: 'edge_account_standby_reads_total',
    help: 'Reads of requests that the standby answered (`standby`), or why the primary did.',
    labelNames: ['answered'],
    registers: [metrics.registry],
  });
  if (!replica) return;
  for (const answered of ['standby', ...REASONS]) reads.inc({ answered }, 0);
  replica.onRead((answered) => reads.inc({ answered }));
}
