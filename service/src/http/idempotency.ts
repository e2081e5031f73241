/**
 * Idempotency keys. Requests that post are answered again from the ledger, which keeps their key and hash. Other requests
 * store their answer, which commits together with their effect: the same key and body gets the same answer again, another
 * body is 409, one still running is 409 with Retry-After.
 */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  ADVISORY_LOCKS,
  type Database,
  type Db,
  deleteInBatches,
  savepoint,
  type Transaction,
  transaction,
  tryNamedLock,
} from '../db/index.ts';
import type { Clock } from '../lib/clock.ts';
import { canonicalBody, stringifyExact } from '../lib/exact-json.ts';
import { Failure, failure, fieldError } from '../lib/failures.ts';
import { callerOf } from './auth-guard.ts';
import { problemOf, statusOf } from './problems.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

interface StoredAnswer {
  readonly request_hash: string;
  readonly status: number;
  /** The body with amounts as JSON numbers, and the same with amounts as strings. */
  readonly body: string;
  readonly body_strings: string;
}

/** Caller, route and key: what an answer is stored under. */
type IdempotencyScope = readonly [caller: string, route: string, key: string];

function scopeOf(request: FastifyRequest): IdempotencyScope {
  return [
    idempotencyCaller(request),
    `${request.method} ${request.routeOptions.url}`,
    readIdempotencyKey(request),
  ];
}

/** Hash of a request's parameters and body: 32 hexadecimal digits, 16 bytes of a SHA-256. */
export function hashRequest(request: FastifyRequest): string {
  return hash('sha256', JSON.stringify([request.params, canonicalBody(request.body)]), 'hex').slice(
    0,
    32,
  );
}

/** The key of a request. @throws `idempotency_key_required`, `invalid_parameter` */
export function readIdempotencyKey(request: FastifyRequest): string {
  const key = request.headers['idempotency-key'];
  if (key === undefined || key === '') throw failure('idempotency_key_required');
  if (Array.isArray(key) || !KEY.test(key))
    throw fieldError('Idempotency-Key', 'malformed', 'must be 1 to 255 printable ASCII characters');
  return key;
}

/**
 * What the `Idempotency-Key` of a request stands for in the ledger.
 * @param kind of the request: keys of one caller are kept apart by it
 * @throws `idempotency_key_required`, `invalid_parameter`
 */
export function requestKeyOf(
  request: FastifyRequest,
  kind: string,
): { idempotencyKey: string; requestHash: string } {
  const { userId, clientId } = callerOf(request);
  const caller = userId === undefined ? clientId : `user:${userId}`;
  return {
    idempotencyKey: `${kind}:${caller}:${readIdempotencyKey(request)}`,
    requestHash: hashRequest(request),
  };
}

/** Who the key belongs to: the person, or the operator's client. */
function idempotencyCaller(request: FastifyRequest): string {
  const { userId, clientId } = callerOf(request);
  return userId === undefined ? `client:${clientId}` : `user:${userId}`;
}

/** What a refusal answers. It stays refused under its key; a fault of ours is not stored, so that a retry can succeed. */
function toAnswer(error: unknown, request: FastifyRequest): Answer {
  if (
    !(error instanceof Failure) ||
    error.code === 'internal_error' ||
    error.code === 'unavailable'
  )
    throw error;
  return { status: statusOf(error.code), body: problemOf(error, request.id) };
}

function toStored(requestHash: string, { status, body }: Answer): StoredAnswer {
  return {
    request_hash: requestHash,
    status,
    body: stringifyExact(body),
    body_strings: stringifyExact(body, true),
  };
}

/** Answers, or says why not. A refusal that is returned keeps what was written beside it, one that is thrown undoes it. */
type Effect = (tx: Transaction) => Promise<Answer | Failure>;

async function runOnce(tx: Transaction, request: FastifyRequest, effect: Effect): Promise<Answer> {
  try {
    const outcome = await savepoint(tx, () => effect(tx));
    return outcome instanceof Failure ? toAnswer(outcome, request) : outcome;
  } catch (error) {
    return toAnswer(error, request);
  }
}

async function findOrRun(
  tx: Transaction,
  request: FastifyRequest,
  effect: Effect,
): Promise<StoredAnswer> {
  const scope = scopeOf(request);
  const requestHash = hashRequest(request);
  // The answer is looked for behind the lock, so that nothing comes between; and before it counts, for a stored answer is in nobody's flight.
  const [isLocked, answers] = await Promise.all([
    tryNamedLock(tx, ADVISORY_LOCKS.idempotencyKey, scope.join(' ')),
    tx.query<StoredAnswer>(
      'select request_hash, status, body, body_strings from idempotency where caller = $1 and route = $2 and key = $3',
      [...scope],
    ),
  ]);
  const stored = answers.rows[0];
  if (stored && stored.request_hash !== requestHash) throw failure('idempotency_key_reused');
  if (stored) return stored;
  if (!isLocked) throw failure('idempotency_in_flight', { retryAfter_s: 1 });
  const answer = toStored(requestHash, await runOnce(tx, request, effect));
  await tx.query(
    'insert into idempotency (caller, route, key, request_hash, status, body, body_strings) values ($1, $2, $3, $4, $5, $6, $7)',
    [...scope, requestHash, answer.status, answer.body, answer.body_strings],
  );
  return answer;
}

/** A request that waits longer for a lock gives its connection back, with 503: those who wait for one account would else take all. */
const REQUEST_PATIENCE_MS = 3000;

/** Runs `effect` at most once for the request's Idempotency-Key and sends its answer, or the stored one. */
export async function sendIdempotent(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  effect: Effect,
): Promise<FastifyReply> {
  readIdempotencyKey(request);
  const run = async (tx: Transaction): Promise<StoredAnswer> => {
    const [, answer] = await Promise.all([
      tx.query(`set local lock_timeout = ${REQUEST_PATIENCE_MS}`),
      findOrRun(tx, request, effect),
    ]);
    return answer;
  };
  return sendStored(request, reply, await transaction(db, run));
}

function sendStored(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: StoredAnswer,
): FastifyReply {
  const type =
    answer.status >= 400 ? 'application/problem+json' : 'application/json; charset=utf-8';
  return reply
    .code(answer.status)
    .type(type)
    .send(Buffer.from(request.wantsAmountsAsStrings ? answer.body_strings : answer.body));
}

/** A client that has not repeated its request within a week never will; the ledger keeps the names of postings, made of caller and key, for ever. */
const KEPT_DAYS = 7;

/** Job: removes answers that nobody will ask for again, in batches, until none is left: more may come in a second than a batch holds. */
export async function deleteOldAnswers(database: Database, clock: Clock): Promise<void> {
  const before = new Date(clock.now().getTime() - KEPT_DAYS * 86_400_000);
  await deleteInBatches(
    database,
    'delete from idempotency where (caller, route, key) in (select caller, route, key from idempotency where created_at < $1 limit $2)',
    before,
  );
}
