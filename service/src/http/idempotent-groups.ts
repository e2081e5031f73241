/**
 * Requests of one route that come at once share a transaction; each keeps its own key, fate and answer, as in
 * `sendIdempotent`. For what is posted often and one by one: a sync of the disk and a seal then serve many requests.
 */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Database, type Transaction, transaction } from '../db/index.ts';
import { createCoalescer } from '../lib/coalescer.ts';
import { Failure, failure } from '../lib/failures.ts';
import {
  type Answer,
  hashRequest,
  type IdempotencyScope,
  REQUEST_PATIENCE_MS,
  readIdempotencyKey,
  type StoredAnswer,
  scopeOf,
  sendStored,
  toAnswer,
  toStored,
} from './idempotency.ts';

const GROUP_MAX = 100;
/** A group that waits for a lock longer than this is given up, and each of it is tried alone: one account that somebody holds stalls nobody else. */
const PATIENCE_MS = 300;
const UNDER_WAY_MAX = { server: 2, embedded: 1 } as const;

/** Answers each item, or says why not, in their order; what it throws fails them all, and each is then tried alone. */
export type GroupEffect<Item> = (tx: Transaction, items: readonly Item[]) => Promise<readonly (Answer | Failure)[]>;

interface Call<Item> {
  readonly request: FastifyRequest;
  readonly item: Item;
}

interface Asked<Item> extends Call<Item> {
  readonly scope: IdempotencyScope;
  readonly hash: string;
  /** What is known of it before anything is done. */
  outcome?: StoredAnswer | Failure;
}

const nameOf = (scope: IdempotencyScope): string => scope.join(' ');

/** Locks the keys. @returns those that another request has, in this group or elsewhere */
async function lockKeys(tx: Transaction, asked: readonly Asked<unknown>[]): Promise<Asked<unknown>[]> {
  const { rows } = await tx.query<{ locked: boolean }>(
    'select pg_try_advisory_xact_lock(hashtextextended(name, 0)) as locked from unnest($1::text[]) with ordinality as n (name, place) order by place',
    [asked.map((one) => nameOf(one.scope))],
  );
  const seen = new Set<string>();
  return asked.filter((one, i) => {
    const name = nameOf(one.scope);
    const isTaken = !rows[i]?.locked || seen.has(name);
    seen.add(name);
    return isTaken;
  });
}

async function findStored(tx: Transaction, asked: readonly Asked<unknown>[]): Promise<void> {
  const { rows } = await tx.query<StoredAnswer & { place: number }>(
    `select n.place, i.request_hash, i.status, i.body, i.body_strings
     from unnest($1::text[], $2::text[], $3::text[]) with ordinality as n (caller, route, key, place)
     join idempotency i on i.caller = n.caller and i.route = n.route and i.key = n.key`,
    [asked.map(({ scope }) => scope[0]), asked.map(({ scope }) => scope[1]), asked.map(({ scope }) => scope[2])],
  );
  for (const { place, ...stored } of rows) {
    const one = asked[place - 1];
    if (one) one.outcome ??= stored.request_hash === one.hash ? stored : failure('idempotency_key_reused');
  }
}

async function store(tx: Transaction, done: readonly { scope: IdempotencyScope; answer: StoredAnswer }[]): Promise<void> {
  await tx.query(
    `insert into idempotency (caller, route, key, request_hash, status, body, body_strings)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::int[], $6::text[], $7::text[])`,
    [
      done.map(({ scope }) => scope[0]),
      done.map(({ scope }) => scope[1]),
      done.map(({ scope }) => scope[2]),
      done.map(({ answer }) => answer.request_hash),
      done.map(({ answer }) => answer.status),
      done.map(({ answer }) => answer.body),
      done.map(({ answer }) => answer.body_strings),
    ],
  );
}

async function answerGroup<Item>(tx: Transaction, calls: readonly Call<Item>[], effect: GroupEffect<Item>): Promise<(StoredAnswer | Failure)[]> {
  const asked = calls.map((call): Asked<Item> => ({ ...call, scope: scopeOf(call.request), hash: hashRequest(call.request) }));
  // What is stored is looked for behind the locks, so that nothing comes between; and before they count, for a stored answer is in nobody's flight.
  const [taken] = await Promise.all([lockKeys(tx, asked), findStored(tx, asked)]);
  for (const one of taken) one.outcome ??= failure('idempotency_in_flight', { retryAfter_s: 1 });
  const fresh = asked.filter((one) => one.outcome === undefined);
  if (fresh.length > 0) {
    const answers = await effect(
      tx,
      fresh.map((one) => one.item),
    );
    const done = fresh.map(({ request, scope, hash }, i) => {
      const answer = answers[i] ?? failure('internal_error');
      return { scope, answer: toStored(hash, answer instanceof Failure ? toAnswer(answer, request) : answer) };
    });
    await store(tx, done);
    for (const [i, one] of fresh.entries()) one.outcome = done[i]?.answer ?? failure('internal_error');
  }
  return asked.map((one) => one.outcome ?? failure('internal_error'));
}

/** Makes what answers the requests of one route in groups; `item` is what the effect is told of a request. */
export function createGroupSender<Item>(
  database: Database,
  effect: GroupEffect<Item>,
): (request: FastifyRequest, reply: FastifyReply, item: Item) => Promise<FastifyReply> {
  const runPatiently = (calls: readonly Call<Item>[], patience_ms: number) =>
    transaction(database, async (tx) => {
      const [, outcomes] = await Promise.all([tx.query(`set local lock_timeout = ${patience_ms}`), answerGroup(tx, calls, effect)]);
      return outcomes;
    });
  const coalescer = createCoalescer<Call<Item>, StoredAnswer | Failure>({
    underWayMax: UNDER_WAY_MAX[database.kind],
    sizeMax: GROUP_MAX,
    run: (calls) => runPatiently(calls, PATIENCE_MS),
    runAlone: async (call) => {
      const [outcome] = await runPatiently([call], REQUEST_PATIENCE_MS);
      return outcome ?? failure('internal_error');
    },
  });
  return async (request, reply, item) => {
    readIdempotencyKey(request);
    const outcome = await coalescer.submit({ request, item });
    if (outcome instanceof Failure) throw outcome;
    return sendStored(request, reply, outcome);
  };
}
