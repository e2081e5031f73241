/** Counters of requests by network, mailbox and mail domain over the last hour. */
import { type Db, defineStatement, execute } from '../../db/index.ts';
import { toCounterRow } from '../../http/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { aDayBefore } from './networks.ts';

const BUCKET_S = 300;
/** The current bucket and those before it: an hour, whenever it begins. */
const BUCKETS = 13;

export type RiskName =
  | 'register-total'
  | 'register-network'
  | 'register-mail'
  | 'reset-network'
  | 'reset-mail'
  | 'resend-network';

/** A counter by its name and subject. */
export type RiskKey = readonly [name: RiskName, subject: string];

export interface CountedRisks {
  /** In the order of the keys, this request included. */
  readonly hits: readonly number[];
  readonly isKnownNetwork: boolean;
  /** Takes back the hits of some of the keys. */
  uncount(keys: readonly RiskKey[]): Promise<void>;
}

// Counted before it is judged, so that parallel requests cannot share a price.
const COUNT_HITS = defineStatement(
  'identity-count-risks',
  `select rate_limit_consume(s.subject, :window_start) + coalesce((
       select sum(hits)::int from rate_limit r where r.subject = s.subject
         and r.window_start >= :since and r.window_start < :window_start), 0) as hits,
     exists (select 1 from known_network
       where network_hash = :network_hash and first_seen < :a_day_ago) as is_known
   from unnest(:subjects::text[]) with ordinality as s (subject, place) order by s.place`,
);
const UNCOUNT = defineStatement(
  'identity-uncount-risks',
  `select rate_limit_refund(:subjects::text[],
     array_fill(:window_start::timestamptz, array[cardinality(:subjects::text[])]))`,
);

/** Counts one hit of each key. */
export async function countRisks(
  db: Db,
  clock: Clock,
  keys: readonly RiskKey[],
  networkHash: Buffer,
): Promise<CountedRisks> {
  const rowOf = ([name, subject]: RiskKey) =>
    toCounterRow(clock, { limit: { name, hits: 0, window_s: BUCKET_S }, subject });
  const subjectOf = (key: RiskKey): string => rowOf(key).subject;
  const { window_start } = rowOf(['register-total', '']);
  const { rows } = await execute<{ hits: number; is_known: boolean }>(db, COUNT_HITS, {
    subjects: keys.map(subjectOf),
    window_start,
    since: new Date(window_start.getTime() - (BUCKETS - 1) * BUCKET_S * 1000),
    network_hash: networkHash,
    a_day_ago: aDayBefore(clock.now()),
  });
  return {
    hits: rows.map(({ hits }) => hits),
    isKnownNetwork: rows[0]?.is_known ?? false,
    async uncount(some) {
      await execute(db, UNCOUNT, { subjects: some.map(subjectOf), window_start });
    },
  };
}
