/**
 * Idempotency keys. Requests that post are answered again from the ledger, which keeps their key
 * and hash. Other requests store their response, which commits together with their effect: the
 * same key and body gets the same response, another body is 409, a request in flight is 409 with
 * Retry-After.
 */
import { hash } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import {
  ADVISORY_LOCKS,
  type Db,
  defineStatement,
  execute,
  noteRefusal,
  type RetentionRule,
  savepoint,
  type Transaction,
  transaction,
  tryNamedLock,
} from '../db/index.ts';
import { stringifyExact } from '../lib/exact-json.ts';
import { Failure, type FailureCode, failure, fieldError } from '../lib/failures.ts';
import { getCaller } from './auth-guard.ts';
import { type BodyShape, canonicalBody } from './canonical-body.ts';
import { httpStatusOf, toProblem } from './problems.ts';

const KEY = /^[\x21-\x7e]{1,255}$/;
const REQUEST_HASH_LENGTH = 32;

export interface HttpAnswer {
  readonly status: number;
  readonly body: unknown;
}

interface StoredResponse {
  readonly request_hash: string;
  readonly status: number;
  /** The body with amounts as JSON numbers, and with amounts as strings. */
  readonly body: string;
  readonly body_strings: string;
}

const FIND_RESPONSE = defineStatement(
  'http-find-response',
  `select request_hash, status, body, body_strings from idempotency
   where caller = :caller and route = :route and key = :key`,
);

const STORE_RESPONSE = defineStatement(
  'http-store-response',
  `insert into idempotency (caller, route, key, request_hash, status, body, body_strings)
   values (:caller, :route, :key, :request_hash, :status, :body, :body_strings)`,
);

/** Hash of a request's parameters and body: 32 hexadecimal digits, 16 bytes of a SHA-256. */
export function hashRequest(request: FastifyRequest, body: unknown = request.body): string {
  const shape = request.routeOptions.schema?.body as BodyShape | undefined;
  const content = JSON.stringify([request.params, canonicalBody(body, shape)]);
  return hash('sha256', content, 'hex').slice(0, REQUEST_HASH_LENGTH);
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
 * The ledger's key for the `Idempotency-Key` of a request.
 * @param kind of the request; separates the keys of one caller
 * @param body what the key stands for, where this is not all that was sent
 * @throws `idempotency_key_required`, `invalid_parameter`
 */
export function readRequestKey(
  request: FastifyRequest,
  kind: string,
  body: unknown = request.body,
): { idempotencyKey: string; requestHash: string } {
  return {
    idempotencyKey: `${kind}:${toCallerKey(request)}:${readIdempotencyKey(request)}`,
    requestHash: hashRequest(request, body),
  };
}

/**
 * The user or client that a key belongs to. The type is a prefix and the id is encoded, so that no
 * choice of client id or key can imitate another caller.
 */
function toCallerKey(request: FastifyRequest): string {
  const { userId, clientId } = getCaller(request);
  return userId === undefined ? `client:${encodeURIComponent(clientId)}` : `user:${userId}`;
}

/** Faults of the service are not stored, so that a retry can succeed. */
const NOT_STORED: ReadonlySet<FailureCode> = new Set([
  'internal_error',
  'unavailable',
  'idempotency_in_flight',
]);

/** The response of a refusal. */
function toAnswer(error: unknown, request: FastifyRequest): HttpAnswer {
  if (!(error instanceof Failure) || NOT_STORED.has(error.code)) throw error;
  noteRefusal();
  return { status: httpStatusOf(error.code), body: toProblem(error, request.id) };
}

/** A returned refusal keeps what was written before it, a thrown one rolls it back. */
type Handler = (tx: Transaction) => Promise<HttpAnswer | Failure>;

async function runOnce(
  tx: Transaction,
  request: FastifyRequest,
  handler: Handler,
): Promise<HttpAnswer> {
  try {
    const outcome = await savepoint(tx, () => handler(tx));
    return outcome instanceof Failure ? toAnswer(outcome, request) : outcome;
  } catch (error) {
    return toAnswer(error, request);
  }
}

async function findOrRun(
  tx: Transaction,
  request: FastifyRequest,
  handler: Handler,
): Promise<StoredResponse> {
  const scope = {
    caller: toCallerKey(request),
    route: `${request.method} ${request.routeOptions.url}`,
    key: readIdempotencyKey(request),
  };
  const requestHash = hashRequest(request);
  // Sent behind the lock, so that the search sees what its holder before committed. A stored
  // response is valid without the lock.
  const [isLocked, { rows }] = await Promise.all([
    tryNamedLock(tx, ADVISORY_LOCKS.idempotencyKey, Object.values(scope).join(' ')),
    execute<StoredResponse>(tx, FIND_RESPONSE, scope),
  ]);
  const [stored] = rows;
  if (stored && stored.request_hash !== requestHash) throw failure('idempotency_key_reused');
  if (stored) return stored;
  if (!isLocked) throw failure('idempotency_in_flight', { retryAfter_s: 1 });
  const { status, body } = await runOnce(tx, request, handler);
  const response: StoredResponse = {
    request_hash: requestHash,
    status,
    body: stringifyExact(body),
    body_strings: stringifyExact(body, true),
  };
  await execute(tx, STORE_RESPONSE, { ...scope, ...response });
  return response;
}

/** Then a request answers 503: requests that wait for one lock must not take all connections. */
const LOCK_TIMEOUT_MS = 3000;

/** Runs `handler` at most once for the request's Idempotency-Key and sends its response. */
export async function sendIdempotent(
  db: Db,
  request: FastifyRequest,
  reply: FastifyReply,
  handler: Handler,
): Promise<FastifyReply> {
  readIdempotencyKey(request);
  const { status, body, body_strings } = await transaction(db, async (tx) => {
    const [, response] = await Promise.all([
      tx.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`),
      findOrRun(tx, request, handler),
    ]);
    return response;
  });
  const type = status >= 400 ? 'application/problem+json' : 'application/json; charset=utf-8';
  return reply
    .code(status)
    .type(type)
    .send(Buffer.from(request.wantsAmountsAsStrings ? body_strings : body));
}

/** Clients retry within a week; the ledger keeps the keys of postings for ever. */
export const IDEMPOTENCY_RETENTION: RetentionRule = {
  table: 'idempotency',
  reason: 'A repeated request gets the same answer.',
  since: 'created_at',
  kept_s: 7 * 86_400,
  rowsPerDay: 1_000_000,
};
