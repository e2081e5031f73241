/**
 * Names who changes something: what a request of an operator changes is in the audit log under the
 * caller's name, without a line of the use case.
 */
import type { FastifyRequest } from 'fastify';
import { type AuditFacts, isAudited, runAudited } from '../db/index.ts';
import { getCaller } from './auth-guard.ts';
import type { HttpServer } from './types.ts';

/** Encrypts under the key of a user; undefined: there is no such user, or no key any more. */
export type SealForUser = (userId: number, value: object) => Promise<Buffer | undefined>;

export interface AuditOptions {
  readonly sealForUser: SealForUser;
  /** Operations without entries, by the reason. */
  readonly leftOut: ReadonlyMap<string, 'always' | 'of clients'>;
}

const OPERATOR_PATH = '/operator/';
/** Kinds of subjects whose ids are those of people. */
const PEOPLE: ReadonlySet<string> = new Set(['users', 'held-rewards']);

const operationOf = ({ routeOptions }: FastifyRequest): string =>
  (routeOptions.schema as { operationId?: string } | undefined)?.operationId ?? '';

/** What a path names: its resource, and the first parameter; else the person of the body. */
function subjectOf({ routeOptions, params, body }: FastifyRequest) {
  const [kind = ''] = (routeOptions.url ?? '').slice(OPERATOR_PATH.length).split('/', 1);
  const { user_id } = (PEOPLE.has(kind) ? (body ?? {}) : {}) as { user_id?: unknown };
  const [id = user_id] = Object.values((params ?? {}) as Record<string, unknown>);
  return { subject_kind: kind, subject_id: id === undefined ? '' : String(id) };
}

function reasonOf({ body }: FastifyRequest): string | undefined {
  const { reason, remark } = (body ?? {}) as { reason?: unknown; remark?: unknown };
  return [reason, remark].find((text) => typeof text === 'string');
}

const toBase64 = (sealed: Buffer | undefined) => sealed?.toString('base64');

/** What names a person is encrypted under the key of the person. */
async function sealPersonal(
  request: FastifyRequest,
  sealForUser: SealForUser,
): Promise<Partial<AuditFacts>> {
  const { userId } = getCaller(request);
  const { subject_kind, subject_id } = subjectOf(request);
  const reason = reasonOf(request);
  const isOfPeople = PEOPLE.has(subject_kind);
  const isAboutPerson = isOfPeople && /^[1-9]\d{0,14}$/.test(subject_id);
  const origin = {
    ip: request.ip,
    user_agent: (request.headers['user-agent'] ?? '').slice(0, 400),
  };
  const [origin_sealed, reason_sealed] = await Promise.all([
    userId === undefined ? undefined : sealForUser(userId, origin).then(toBase64),
    reason === undefined || !isAboutPerson
      ? undefined
      : sealForUser(Number(subject_id), { reason }).then(toBase64),
  ]);
  return {
    ...(origin_sealed !== undefined && { origin_sealed }),
    ...(reason_sealed !== undefined && { reason_sealed }),
    ...(userId === undefined && { address: request.ip }),
    ...(reason !== undefined && !isOfPeople && { reason }),
  };
}

async function factsOf(request: FastifyRequest, sealForUser: SealForUser): Promise<AuditFacts> {
  const { userId, clientId } = getCaller(request);
  const key = request.headers['idempotency-key'];
  return {
    actor_kind: userId === undefined ? 'client' : 'person',
    actor_id: userId === undefined ? clientId : String(userId),
    ...(userId !== undefined && { client_id: clientId }),
    operation: operationOf(request),
    ...subjectOf(request),
    ...(await sealPersonal(request, sealForUser)),
    request_id: request.id,
    ...(typeof key === 'string' && { request_key: key }),
  };
}

/** True where what the request changes is audited. */
function isChange(request: FastifyRequest, { leftOut }: AuditOptions): boolean {
  const { method, routeOptions } = request;
  if (method === 'GET' || method === 'HEAD') return false;
  if (!routeOptions.url?.startsWith(OPERATOR_PATH) || request.principal === undefined) return false;
  const exception = leftOut.get(operationOf(request));
  if (exception === 'of clients') return request.principal.userId !== undefined;
  return exception === undefined;
}

/** Installs the hook; a command that has named itself stays the actor. */
export function installAudit(app: HttpServer, options: AuditOptions): void {
  app.addHook('preHandler', (request, _reply, done) => {
    if (isAudited() || !isChange(request, options)) return done();
    factsOf(request, options.sealForUser).then((facts) => runAudited(facts, done), done);
  });
}
