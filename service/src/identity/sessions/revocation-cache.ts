/**
 * What happened to tokens since they were issued, in the memory of every node: revocations and bindings to nodes.
 * Notifications bring changes at once; a poll by transaction brings what a notification did not, late commits
 * included. When the last good poll is too old, a check first waits for a new one, or fails if there is none.
 */
import type { Database } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { ALL_USERS, TOKEN_CHANGES, type TokenChange } from './revoke.ts';
import type { Revocation, RevocationKind } from './types.ts';

const POLL_MS = 300;
/** The embedded database belongs to this process: its notifications cannot be lost, the poll only tidies. */
const EMBEDDED_POLL_MS = 5000;
const STALE_MS = 900;
const PRUNE_MS = 60_000;
/** These concern tokens issued up to the change; the others concern every token that they name. */
const BY_TIME: ReadonlySet<TokenChange['kind']> = new Set([
  'user',
  'node',
  'client',
  'connection',
  'all',
]);

/** What a check needs to know of a token. */
export interface TokenFacts {
  readonly jti: string;
  readonly sid?: string | undefined;
  readonly grantId?: string | undefined;
  readonly userId?: number | undefined;
  readonly nodeId?: string | undefined;
  readonly clientId?: string | undefined;
  readonly issuedAt: Date;
}

export interface TokenState {
  /** Reads everything and begins to follow. */
  start(): Promise<void>;
  stop(): void;
  /** Resolves once this node knows everything that was committed before the call. */
  catchUp(): Promise<void>;
  /** Why the token is revoked, if it is. A promise only when the memory is too old and the database is asked. @throws `unavailable` */
  check(token: TokenFacts): string | undefined | Promise<string | undefined>;
  /** Grows with every change; undefined while the memory is too old. A token checked at this version need not be checked again. */
  version(): number | undefined;
  /** The same from memory, however old it is: for connections that are looked at again and again. */
  known(token: TokenFacts): string | undefined;
  /** The node that a token, or another of its grant, was bound to. */
  nodeOf(jti: string, grantId?: string): string | undefined;
  /** Calls `handler` once for each revocation that this node hears of from now on. */
  onRevoked(handler: (revocation: Revocation) => void): void;
}

const READ = `with latest as (select pg_snapshot_xmin(pg_current_snapshot())::text as horizon)
  select horizon, kind, value, reason, node_id, spared_sid,
    (extract(epoch from effective_at) * 1000)::float8 as effective_ms, (extract(epoch from until) * 1000)::float8 as until_ms
  from latest left join token_change on xid >= $1::xid8 and until > $2 order by id`;

type ReadRow = { horizon: string } & (TokenChange | { kind: null });

/** The changes themselves, without where they come from. */
function createMemory() {
  const changes = new Map<string, TokenChange>();
  let version = 0;
  const reasonIf = (change: TokenChange | undefined, token: TokenFacts): string | undefined => {
    if (!change) return undefined;
    if (BY_TIME.has(change.kind) && token.issuedAt.getTime() > change.effective_ms)
      return undefined;
    if (change.spared_sid !== null && change.spared_sid === token.sid) return undefined;
    return change.reason ?? undefined;
  };
  const get = (kind: TokenChange['kind'], value: string | number | undefined) =>
    value === undefined ? undefined : changes.get(`${kind} ${value}`);
  /** What belongs to a person: a node may have had another owner, and an application serves many. */
  const ofUser = ({ userId }: TokenFacts, name: string | undefined) =>
    userId === undefined || name === undefined ? undefined : `${userId} ${name}`;
  const nodeOf = (jti: string, grantId?: string): string | undefined =>
    (get('bind_jti', jti) ?? get('bind_grant', grantId))?.node_id ?? undefined;
  return {
    nodeOf,
    version: () => version,
    /** Takes a change in; false when it was known, or an even later one. */
    add(change: TokenChange): boolean {
      const key = `${change.kind} ${change.value}`;
      const known = changes.get(key);
      if (known && known.effective_ms >= change.effective_ms) return false;
      changes.set(key, change);
      version++;
      return true;
    },
    reasonFor(token: TokenFacts): string | undefined {
      return (
        reasonIf(get('jti', token.jti), token) ??
        reasonIf(get('sid', token.sid), token) ??
        reasonIf(get('grant', token.grantId), token) ??
        reasonIf(get('all', ALL_USERS), token) ??
        reasonIf(get('user', token.userId), token) ??
        reasonIf(get('client', token.clientId), token) ??
        reasonIf(get('connection', ofUser(token, token.clientId)), token) ??
        reasonIf(
          get('node', ofUser(token, token.nodeId ?? nodeOf(token.jti, token.grantId))),
          token,
        )
      );
    },
    prune(now_ms: number): void {
      for (const [key, change] of changes) if (change.until_ms <= now_ms) changes.delete(key);
    },
  };
}

function toRevocation(change: TokenChange): Revocation | undefined {
  if (change.reason === null) return undefined;
  return {
    kind: change.kind as RevocationKind,
    value: change.value,
    reason: change.reason,
    effectiveAt: new Date(change.effective_ms),
    until: new Date(change.until_ms),
    ...(change.spared_sid !== null && { sparedSid: change.spared_sid }),
  };
}

/** Makes the state of one node. Without `start()` every check asks the database. */
export function createTokenState(database: Database, clock: Clock): TokenState {
  const memory = createMemory();
  const handlers: ((revocation: Revocation) => void)[] = [];
  let horizon = '0';
  let freshAt_ms = Number.NEGATIVE_INFINITY;
  let prunedAt_ms = 0;
  let reading: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  function take(change: TokenChange, isNews: boolean): void {
    if (!memory.add(change) || !isNews) return;
    const revocation = toRevocation(change);
    if (revocation) for (const handler of handlers) handler(revocation);
  }

  async function read(): Promise<void> {
    const startedAt_ms = performance.now();
    const isFirst = horizon === '0';
    const { rows } = await database.prepared<ReadRow>('token-changes', READ, [
      horizon,
      clock.now(),
    ]);
    for (const row of rows) if (row.kind !== null) take(row, !isFirst);
    horizon = rows[0]?.horizon ?? horizon;
    freshAt_ms = startedAt_ms;
    if (startedAt_ms - prunedAt_ms < PRUNE_MS) return;
    prunedAt_ms = startedAt_ms;
    memory.prune(clock.now().getTime());
  }

  /** A read that began after this call; callers share it. */
  function readAnew(): Promise<void> {
    next ??= (reading ?? Promise.resolve())
      .catch(() => {})
      .then(() => {
        next = undefined;
        reading = read().finally(() => {
          reading = undefined;
        });
        return reading;
      });
    return next;
  }

  function poll(): void {
    readAnew().then(schedule, schedule);
  }

  function schedule(): void {
    if (timer)
      timer = setTimeout(poll, database.kind === 'embedded' ? EMBEDDED_POLL_MS : POLL_MS).unref();
  }

  const isFresh = (): boolean =>
    performance.now() - freshAt_ms < STALE_MS ||
    (database.kind === 'embedded' && timer !== undefined);

  async function askDatabase(token: TokenFacts): Promise<string | undefined> {
    await readAnew().catch((cause: unknown) => {
      throw failure('unavailable', {
        cause,
        retryAfter_s: 1,
        detail: 'Revocations cannot be checked now.',
      });
    });
    return memory.reasonFor(token);
  }

  return {
    async start() {
      await database.listen(TOKEN_CHANGES, (payload) =>
        take(JSON.parse(payload) as TokenChange, true),
      );
      database.onListenGap(() => void readAnew().catch(() => {}));
      await readAnew();
      timer = setTimeout(poll, POLL_MS).unref();
    },
    stop() {
      clearTimeout(timer);
      timer = undefined;
    },
    catchUp: readAnew,
    check: (token) => (isFresh() ? memory.reasonFor(token) : askDatabase(token)),
    version: () => (isFresh() ? memory.version() : undefined),
    known: memory.reasonFor,
    nodeOf: memory.nodeOf,
    onRevoked: (handler) => {
      handlers.push(handler);
    },
  };
}
