/** Routes of consent: the request, the user's decision, and connected applications. */

import Type from 'typebox';
import { callingUserId, getCaller, type HttpServer } from '../../http/index.ts';
import { readOrigin } from '../../identity/index.ts';
import { failure } from '../../lib/failures.ts';
import type { Client } from '../clients/index.ts';
import type { OidcContext } from '../context.ts';
import { toLogoPath } from '../logos/logo-store.ts';
import { operations } from '../operations.ts';
import { describeScopes } from '../resource-servers/requested-scopes.ts';
import { decideConsent, showRequest } from './decide-consent.ts';
import { listConnections } from './queries.ts';
import { revokeApplication } from './revoke-application.ts';
import {
  Connections,
  ConsentAnswer,
  ConsentBody,
  ConsentQuery,
  ConsentRequest,
  RequestQuery,
  RequestState,
} from './schemas.ts';
import { isRequestWaiting } from './start-interaction.ts';

/** Pages of the application that a user may want to read before the decision. */
function linksOf({ metadata }: Client): { policy_uri?: string; tos_uri?: string } {
  const { policy_uri, tos_uri } = metadata ?? {};
  return { ...(policy_uri && { policy_uri }), ...(tos_uri && { tos_uri }) };
}

export function registerConsent(app: HttpServer, context: OidcContext): void {
  const signedIn = { access: { scopes: ['openid'], tokens: ['business'] as const } };
  app.get(
    '/oauth2/authorize/consent',
    {
      config: signedIn,
      schema: {
        ...operations.getConsent,
        querystring: ConsentQuery,
        response: { 200: ConsentRequest },
      },
    },
    async (request) => {
      const { interaction_id } = request.query;
      const {
        client,
        redirectUri,
        scopes,
        categories,
        isAllowedAlready,
        mustSignInAgain,
        loginHint,
      } = await showRequest(context, interaction_id, getCaller(request));
      return {
        interaction_id,
        client_id: client.clientId,
        client_name: client.name,
        first_party: client.isFirstParty,
        redirect_uri: redirectUri,
        ...(client.logoHash && { logo: toLogoPath(client.logoHash) }),
        ...linksOf(client),
        scopes: await describeScopes(context.clients, scopes),
        categories: [...categories],
        allowed_already: isAllowedAlready,
        must_sign_in_again: mustSignInAgain,
        ...(loginHint !== undefined && { login_hint: loginHint }),
      };
    },
  );
  app.post(
    '/oauth2/authorize/consent',
    {
      config: signedIn,
      schema: { ...operations.decideConsent, body: ConsentBody, response: { 200: ConsentAnswer } },
    },
    async (request) => {
      const { interaction_id, decision, scopes, categories } = request.body;
      const answer = {
        interactionId: interaction_id,
        isAllowed: decision === 'allow',
        ...(scopes && { scopes }),
        ...(categories && { categories }),
      };
      const { redirectTo } = await decideConsent(context, answer, getCaller(request));
      return { redirect_to: redirectTo };
    },
  );
  registerRequestState(app, context);
  registerConnections(app, context);
}

function registerRequestState(app: HttpServer, context: OidcContext): void {
  app.get(
    '/oauth2/authorize/state',
    {
      config: { access: 'open' },
      schema: {
        ...operations.getAuthorizationState,
        querystring: RequestQuery,
        response: { 200: RequestState },
      },
    },
    async (request) => ({ waiting: await isRequestWaiting(context, request.query.interaction_id) }),
  );
}

function registerConnections(app: HttpServer, { database, clock, clients }: OidcContext): void {
  const managing = { access: { scopes: ['identity:manage'], tokens: ['business'] as const } };
  app.get(
    '/me/connections',
    {
      config: managing,
      schema: { ...operations.listConnections, response: { 200: Connections } },
    },
    async (request) => {
      const connections = await listConnections(database, callingUserId(request));
      const records = connections.map(async (connection) => ({
        client_id: connection.clientId,
        client_name: connection.name,
        first_party: connection.isFirstParty,
        ...(connection.logoHash && { logo: toLogoPath(connection.logoHash) }),
        scopes: await describeScopes(clients, connection.scopes),
        remembered: connection.isRemembered,
        created_at: connection.createdAt.toISOString(),
        updated_at: connection.updatedAt.toISOString(),
      }));
      return { connections: await Promise.all(records) };
    },
  );
  app.delete(
    '/me/connections/:client_id',
    {
      config: managing,
      schema: {
        ...operations.deleteConnection,
        params: Type.Object({ client_id: Type.String({ description: 'The application.' }) }),
        response: { 204: Type.Null({ description: 'Revoked.' }) },
      },
    },
    async (request, reply) => {
      if (
        !(await revokeApplication(database, clock, {
          userId: callingUserId(request),
          clientId: request.params.client_id,
          origin: readOrigin(request),
        }))
      )
        throw failure('not_found');
      return reply.code(204).send(null);
    },
  );
}
