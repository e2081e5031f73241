/** The request that an interaction id is. */
import type { Db } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import { failure } from '../../lib/failures.ts';
import { type Client, type ClientRegistry, mayGetCodesAt } from '../clients/index.ts';
import type { Seals, WaitingRequest } from '../provider/interaction-encryption.ts';
import { isAnswered } from './queries.ts';

export interface ConsentDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly clients: ClientRegistry;
  readonly seals: Seals;
  readonly baseUrl: string;
}

export interface OpenedRequest {
  readonly request: WaitingRequest;
  readonly client: Client;
}

/** Undefined when it is too old, none of ours, or of a client that may not ask so any more. */
async function findRequest(
  { clock, clients, seals }: ConsentDeps,
  interactionId: string,
): Promise<OpenedRequest | undefined> {
  const request = seals.request.open(interactionId);
  if (!request || request.exp * 1000 <= clock.now().getTime()) return undefined;
  const client = await clients.find(String(request.params.client_id));
  // The operator may have changed the client since it asked.
  return client && mayGetCodesAt(client, String(request.params.redirect_uri))
    ? { request, client }
    : undefined;
}

/** @throws `interaction_expired` */
export async function openRequest(
  deps: ConsentDeps,
  interactionId: string,
): Promise<OpenedRequest> {
  const opened = await findRequest(deps, interactionId);
  if (!opened) throw failure('interaction_expired');
  return opened;
}

/** Whether an answer can still be given: whoever would give it need not begin where it cannot. */
export async function isRequestWaiting(deps: ConsentDeps, interactionId: string): Promise<boolean> {
  const opened = await findRequest(deps, interactionId);
  return opened !== undefined && !(await isAnswered(deps.db, opened.request.uid));
}
