/** Postings with the rows of their events, and streams and webhooks that read them. */
import { expect } from 'vitest';
import { type Database, transaction } from '../../src/db/index.ts';
import {
  createWebhook,
  EventHub,
  type NewPostingRange,
  type PostingSource,
  recordPostingEvents,
  registerEvents,
} from '../../src/events/index.ts';
import { createOutgoing, type HttpServer } from '../../src/http/index.ts';
import { type Posting, placeInShard, postTransfers } from '../../src/ledger/index.ts';
import { type Clock, systemClock } from '../../src/lib/clock.ts';
import { POSTING_SOURCE } from '../../src/operator/index.ts';
import { type Engine, openTestDatabase } from './databases.ts';
import { type EventReader, readEvents } from './event-stream.ts';
import { testMasterKey } from './test-config.ts';
import { bearer, createTestServer } from './test-server.ts';

export interface Told {
  readonly id: number;
  readonly event: string;
  readonly data: Record<string, unknown>;
}

export interface PostingLab {
  readonly database: Database;
  readonly source: PostingSource;
  /** The users of each call of `describe`. */
  readonly described: (readonly number[] | undefined)[];
  /** Runs at the beginning of the next call of `describe`. */
  interrupt(work: () => Promise<void>): void;
  /** Errors of the streams' reader. */
  readonly errors: unknown[];
  /**
   * Posts in one transaction, as one batch, and records one range over all. @returns the transfers'
   * ids
   */
  post(
    type: NewPostingRange['type'],
    postings: readonly Posting[],
    clock?: Clock,
  ): Promise<number[]>;
  lastPosition(): Promise<number>;
  /** Opens a user's stream on one of two instances. */
  open(userId: number, last?: number, node?: number): Promise<EventReader>;
  /** Number of open streams of all users who had one. */
  countStreams(): number;
  makeWebhook(eventTypes: readonly string[]): Promise<number>;
  /** Deliveries of a webhook in the order in which they were made. */
  deliveriesOf(webhook: number): Promise<{ at: number; body: string }[]>;
  close(): Promise<void>;
}

let names = 0;

/** A reward of half an EDGE. */
export function reward(userId: number, fields: Partial<Posting> = {}): Posting {
  return {
    idempotencyKey: `posting-${++names}`,
    debit: { house: 'reward_pool' },
    credit: { userId, wallet: 'bonus' },
    currency: 'EDGE',
    amount: 5n * 10n ** 17n,
    businessId: 'reward',
    eventAt: new Date('2026-05-01T00:00:00.120Z'),
    rewardType: 'TASK',
    ...fields,
  };
}

export function penalty(userId: number): Posting {
  return reward(userId, {
    debit: { userId, wallet: 'bonus' },
    credit: { house: 'reward_pool' },
    rewardType: 'PENALTY',
    mayOverdraw: true,
  });
}

/** Half an EDGE from the house. */
export function gift(userId: number, wallet = 'asset'): Posting {
  return reward(userId, {
    debit: { house: 'adjustment' },
    credit: { userId, wallet },
    businessId: 'adjustment',
  });
}

/** Half an EDGE from one user to another. */
export function pay(from: number, to: number): Posting {
  return { ...gift(to), debit: { userId: from, wallet: 'asset' }, mayOverdraw: true };
}

/** The next events of a stream, without its first one. */
export async function take(reader: EventReader | undefined, count: number): Promise<Told[]> {
  const events: Told[] = [];
  while (events.length < count) {
    const received = await reader?.next();
    if (!received) throw new Error('the stream ended');
    if (received.event === 'ready') continue;
    const { data } = received.data as { data: Record<string, unknown> };
    events.push({ id: received.id ?? 0, event: received.event, data });
  }
  return events;
}

function createPost(database: Database): PostingLab['post'] {
  return (type, postings, clock = systemClock) =>
    transaction(database, async (tx) => {
      const results = await postTransfers(tx, postings);
      const ids = results.flatMap((result) =>
        result.status === 'posted' ? result.transferId : [],
      );
      expect(ids).toHaveLength(postings.length);
      const { shard, n: firstTransfer } = placeInShard(ids[0] ?? 0);
      expect(ids.map(placeInShard)).toEqual(ids.map((_, i) => ({ shard, n: firstTransfer + i })));
      await recordPostingEvents(tx, clock, [{ type, shard, firstTransfer, transfers: ids.length }]);
      return ids;
    });
}

interface Node {
  readonly app: HttpServer;
  readonly hub: EventHub;
  readonly url: string;
}

async function startNode(
  database: Database,
  postings: PostingSource,
  errors: unknown[],
): Promise<Node> {
  const app = createTestServer();
  const getRevocationReason = (): undefined => undefined;
  const hub = new EventHub({
    database,
    clock: systemClock,
    postings,
    getRevocationReason,
    onError: (error) => errors.push(error),
  });
  registerEvents(app, { db: database, hub });
  await hub.start();
  return { app, hub, url: `${await app.listen({ port: 0, host: '127.0.0.1' })}/me/events` };
}

const DELIVERIES =
  'select event_position as at, body from webhook_delivery where webhook_id = $1 order by id';
const SCOPES = ['account:read', 'dashboard:read', 'devices:read'];

export async function openPostingLab(engine: Engine): Promise<PostingLab> {
  const database = await openTestDatabase(engine);
  const described: PostingLab['described'] = [];
  const errors: unknown[] = [];
  const interruptions: (() => Promise<void>)[] = [];
  const source: PostingSource = {
    ...POSTING_SOURCE,
    describe: async (db, type, ids, userIds) => {
      described.push(userIds);
      await interruptions.shift()?.();
      return POSTING_SOURCE.describe(db, type, ids, userIds);
    },
  };
  const nodes = [
    await startNode(database, source, errors),
    await startNode(database, source, errors),
  ];
  const watchers = new Set<number>();
  const deps = {
    clock: systemClock,
    masterKey: testMasterKey,
    outgoing: createOutgoing({ allowsLoopback: true, timeout_ms: 60_000 }),
  };
  return {
    database,
    source,
    described,
    errors,
    interrupt: (work) => interruptions.push(work),
    post: createPost(database),
    lastPosition: async () =>
      (await database.query<{ n: number }>('select last_position as n from event_counter')).rows[0]
        ?.n ?? 0,
    open: (userId, last, node = 0) => {
      watchers.add(userId);
      return readEvents(nodes[node]?.url ?? '', bearer({ userId, scopes: SCOPES }), last);
    },
    countStreams: () =>
      nodes
        .flatMap(({ hub }) => [...watchers].map((userId) => hub.countOf(userId)))
        .reduce((sum, n) => sum + n, 0),
    makeWebhook: async (eventTypes) =>
      (
        await createWebhook(
          database,
          deps,
          { url: 'https://example.com/', description: '', eventTypes },
          'test',
        )
      ).webhook.id,
    deliveriesOf: async (webhook) =>
      (await database.query<{ at: number; body: string }>(DELIVERIES, [webhook])).rows,
    async close() {
      for (const { app } of nodes) await app.close();
      await database.close();
    },
  };
}
