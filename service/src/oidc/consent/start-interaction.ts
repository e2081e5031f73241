/** Reads the authorization request that an interaction id contains. */
import { failure } from '../../lib/failures.ts';
import { type Client, canReceiveCodeAt } from '../clients/index.ts';
import type { OidcContext } from '../context.ts';
import type { WaitingRequest } from '../provider/interaction-encryption.ts';
import { isAnswered } from './queries.ts';

export interface OpenedRequest {
  readonly request: WaitingRequest;
  readonly client: Client;
}

/** Undefined when it has expired, is not authentic, or the client may no longer send it. */
async function findRequest(
  { clock, clients, encryption }: OidcContext,
  interactionId: string,
): Promise<OpenedRequest | undefined> {
  const request = encryption.request.decrypt(interactionId);
  if (!request || request.exp * 1000 <= clock.now().getTime()) return undefined;
  const client = await clients.find(String(request.params.client_id));
  // The operator may have changed the client since the request.
  return client && canReceiveCodeAt(client, String(request.params.redirect_uri))
    ? { request, client }
    : undefined;
}

/** @throws `interaction_expired` */
export async function openRequest(
  context: OidcContext,
  interactionId: string,
): Promise<OpenedRequest> {
  const opened = await findRequest(context, interactionId);
  if (!opened) throw failure('interaction_expired');
  return opened;
}

/** Whether the user can still decide: otherwise the page need not start a sign-in. */
export async function isRequestWaiting(
  context: OidcContext,
  interactionId: string,
): Promise<boolean> {
  const opened = await findRequest(context, interactionId);
  return opened !== undefined && !(await isAnswered(context.database, opened.request.uid));
}
