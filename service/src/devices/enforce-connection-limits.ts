/**
 * What several nodes let in within the same second, before they knew of each other, may pass a limit. Whoever published
 * connections counts afterwards what all nodes hold for these people and at these addresses; the nodes of those that came
 * last, beyond the limit, are told to let them go.
 */
import type { Database } from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';

const EXCESS_CHANNEL = 'connection_excess';

export type LimitKind = 'user' | 'address';

/**
 * A read, which writes nothing but the message, where there is one. It is a statement of its own: it sees what others
 * committed, and of two nodes that write at once the later one sees both.
 */
const COUNT = `with alive as not materialized (
    select l.device_id, l.user_id, l.address, l.node, l.number
    from live_connection l join connection_node n on n.node = l.node where n.alive_until > $1),
  excess as (
    select 'user' as kind, beyond.* from (
        select user_id from alive where user_id = any ($2::bigint[]) group by user_id having count(*) > $4) as crowd
      cross join lateral (select device_id, node, number from alive a where a.user_id = crowd.user_id order by number offset $4) as beyond
    union all
    select 'address', beyond.* from (
        select address from alive where address = any ($3::text[]) group by address having count(*) > $5) as crowd
      cross join lateral (select device_id, node, number from alive a where a.address = crowd.address order by number offset $5) as beyond)
  select count(pg_notify('${EXCESS_CHANNEL}', concat_ws(' ', node, device_id, number, kind))) as beyond from excess`;

export interface Published {
  readonly userId: number;
  readonly address: string;
}

/** A connection that is one too many. */
export interface Excess {
  readonly node: string;
  readonly deviceId: number;
  readonly number: number;
  readonly kind: LimitKind;
}

export interface ConnectionExcess {
  /** These were published, and are to be counted. */
  published(connections: Iterable<Published>): void;
  /** True while something is to be counted. */
  isPending(): boolean;
  /** Counts; what could not be counted is counted the next time. */
  count(): Promise<void>;
  /** Calls `handler` for each connection of all nodes that is one too many. */
  listen(handler: (excess: Excess) => void): Promise<void>;
}

export interface ExcessDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly perUser: number;
  readonly perAddress: number;
}

export function createConnectionExcess({
  database,
  clock,
  perUser,
  perAddress,
}: ExcessDeps): ConnectionExcess {
  let users = new Set<number>();
  let addresses = new Set<string>();

  return {
    published(connections) {
      for (const { userId, address } of connections) {
        users.add(userId);
        addresses.add(address);
      }
    },
    isPending: () => users.size > 0,
    async count() {
      if (users.size === 0) return;
      const counted = { users, addresses };
      [users, addresses] = [new Set(), new Set()];
      try {
        await database.prepared('connection-excess', COUNT, [
          clock.now(),
          [...counted.users],
          [...counted.addresses],
          perUser,
          perAddress,
        ]);
      } catch (error) {
        users = new Set([...users, ...counted.users]);
        addresses = new Set([...addresses, ...counted.addresses]);
        throw error;
      }
    },
    listen: (handler) =>
      database.listen(EXCESS_CHANNEL, (payload) => {
        const [node = '', deviceId, number, kind] = payload.split(' ');
        handler({
          node,
          deviceId: Number(deviceId),
          number: Number(number),
          kind: kind as LimitKind,
        });
      }),
  };
}
