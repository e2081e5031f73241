/**
 * Who changes something: known to all that a request or a command starts, without being passed
 * down. `transaction()` tells the database, whose triggers write the audit log.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { queryNamed } from './statement.ts';
import type { Transaction } from './types.ts';

/** What an entry of the audit log says beside the change. Names are those of the columns. */
export interface AuditFacts {
  readonly actor_kind: 'person' | 'client' | 'command';
  /** User id, client id, or command. */
  readonly actor_id: string;
  /** Application with which a person acts. */
  readonly client_id?: string;
  /** operationId of the OpenAPI document, or command. */
  readonly operation: string;
  /** What the request names, for a change that no table records by itself. */
  readonly subject_kind: string;
  readonly subject_id: string;
  /** Why, of a subject that is not a person. */
  readonly reason?: string;
  /** Why, under the key of the person who is the subject; base64. */
  readonly reason_sealed?: string;
  /** Network address of a client. */
  readonly address?: string;
  /** Network address and user agent, under the key of the person who acts; base64. */
  readonly origin_sealed?: string;
  readonly request_id?: string;
  /** Idempotency-Key of the request. */
  readonly request_key?: string;
}

/** A part of the service that acts by itself: what it changes has entries, and nothing else. */
interface ServiceFacts {
  readonly actor_kind: 'service';
  /** `start`, `job NAME`, `watcher NETWORK`, or another part. */
  readonly actor_id: string;
}

interface AuditContext {
  readonly facts: AuditFacts | ServiceFacts;
  /** True: there is an entry, or the request was refused, and a transaction needs none more. */
  isNoted: boolean;
}

const contexts = new AsyncLocalStorage<AuditContext | undefined>();

/** Runs `work` as an actor: what it changes in transactions is in the audit log under this name. */
export function runAudited<T>(facts: AuditFacts, work: () => T): T {
  return contexts.run({ facts, isNoted: false }, work);
}

/**
 * Runs work of the service itself under the name of its part; an actor who started it stays the
 * actor. Only transactions say the name: a single statement outside of one that changes what is
 * audited looks as if it were run by hand.
 */
export function runAsService<T>(part: string, work: () => T): T {
  if (isAudited()) return work();
  // A transaction without a recorded change has no entry.
  return contexts.run({ facts: { actor_kind: 'service', actor_id: part }, isNoted: true }, work);
}

/** Runs work for several callers, whichever of them starts it: none of them is its actor. */
export function runUnaudited<T>(work: () => T): T {
  return contexts.run(undefined, work);
}

/** True inside `runAudited`. */
export function isAudited(): boolean {
  const context = contexts.getStore();
  return context !== undefined && context.facts.actor_kind !== 'service';
}

/** The request is refused: what it stores about that is no change. */
export function noteRefusal(): void {
  const context = contexts.getStore();
  if (context) context.isNoted = true;
}

/** Takes no snapshot: a job may still choose the isolation level of its transaction. */
function saySetting(tx: Transaction, facts: ServiceFacts): Promise<unknown> {
  const text = JSON.stringify(facts).replaceAll("'", "''");
  return tx.query(`set local edge_account.audit = '${text}'`);
}

function sayFacts(tx: Transaction, facts: AuditFacts): Promise<unknown> {
  return queryNamed(tx, `select set_config('edge_account.audit', :facts, true)`, {
    facts: JSON.stringify(facts),
  });
}

/** Runs a transaction in the name of its actor, if there is one. */
export async function inActorsName<T>(
  tx: Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const context = contexts.getStore();
  if (!context) return work(tx);
  const { facts } = context;
  const said = facts.actor_kind === 'service' ? saySetting(tx, facts) : sayFacts(tx, facts);
  const [, result] = await Promise.all([said, work(tx)]);
  if (context.isNoted) return result;
  const { rows } = await tx.query<{ is_noted: boolean }>('select close_audit() as is_noted');
  tx.afterCommit(() => {
    if (rows[0]?.is_noted) context.isNoted = true;
  });
  return result;
}
