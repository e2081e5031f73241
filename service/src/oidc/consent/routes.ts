/** Consent: what an application asks, the person's decision, and the list of what was allowed. */
import Type from 'typebox';
import { callerOf, callingUserId, type HttpServer } from '../../http/index.ts';
import { originOf } from '../../identity/index.ts';
import { failure } from '../../lib/failures.ts';
import { decideConsent, showRequest } from './decide-consent.ts';
import { listConnections } from './queries.ts';
import { endConnection } from './revoke-application.ts';
import {
  Connections,
  ConsentAnswer,
  ConsentBody,
  ConsentQuery,
  ConsentRequest,
  RequestQuery,
  RequestState,
} from './schemas.ts';
import { describeScopes } from './scope-descriptions.ts';
import { type ConsentDeps, isRequestWaiting } from './start-interaction.ts';

const TAG = 'OpenID Connect';

export function registerConsent(app: HttpServer, deps: ConsentDeps): void {
  const signedIn = { access: { scopes: ['openid'], tokens: ['business'] as const } };
  app.get(
    '/oauth2/authorize/consent',
    {
      config: signedIn,
      schema: {
        tags: [TAG],
        summary: 'What an application asks of the person',
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
      } = await showRequest(deps, interaction_id, callerOf(request));
      return {
        interaction_id,
        client_id: client.clientId,
        client_name: client.name,
        first_party: client.isFirstParty,
        redirect_uri: redirectUri,
        scopes: describeScopes(scopes),
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
      schema: {
        tags: [TAG],
        summary: 'Allow or deny what an application asks',
        description:
          'Answers where to go on: the client gets its one-time code, or `access_denied`, in the browser that began the request.',
        body: ConsentBody,
        response: { 200: ConsentAnswer },
      },
    },
    async (request) => {
      const { interaction_id, decision, scopes, categories } = request.body;
      const answer = {
        interactionId: interaction_id,
        isAllowed: decision === 'allow',
        ...(scopes && { scopes }),
        ...(categories && { categories }),
      };
      const { redirectTo } = await decideConsent(deps, answer, callerOf(request));
      return { redirect_to: redirectTo };
    },
  );
  registerRequestState(app, deps);
  registerConnections(app, deps);
}

function registerRequestState(app: HttpServer, deps: ConsentDeps): void {
  app.get(
    '/oauth2/authorize/state',
    {
      config: { access: 'open' },
      schema: {
        tags: [TAG],
        summary: 'Whether a request still waits for a person',
        description:
          'For the authorization page, before anybody has signed in: tells nothing of who asks for what.',
        querystring: RequestQuery,
        response: { 200: RequestState },
      },
    },
    async (request) => ({ waiting: await isRequestWaiting(deps, request.query.interaction_id) }),
  );
}

function registerConnections(app: HttpServer, { db, clock }: ConsentDeps): void {
  const managing = { access: { scopes: ['identity:manage'], tokens: ['business'] as const } };
  app.get(
    '/me/connections',
    {
      config: managing,
      schema: {
        tags: ['Identity'],
        summary: 'Applications that the person has let in',
        response: { 200: Connections },
      },
    },
    async (request) => {
      const connections = await listConnections(db, callingUserId(request));
      return {
        connections: connections.map((connection) => ({
          client_id: connection.clientId,
          client_name: connection.name,
          first_party: connection.isFirstParty,
          scopes: describeScopes(connection.scopes),
          remembered: connection.isRemembered,
          created_at: connection.createdAt.toISOString(),
          updated_at: connection.updatedAt.toISOString(),
        })),
      };
    },
  );
  app.delete(
    '/me/connections/:client_id',
    {
      config: managing,
      schema: {
        tags: ['Identity'],
        summary: 'Shut an application out',
        description:
          'Forgets the consent and revokes every token that the application has of the person.',
        params: Type.Object({ client_id: Type.String() }),
        response: { 204: Type.Null({ description: 'Shut out.' }) },
      },
    },
    async (request, reply) => {
      if (
        !(await endConnection(db, clock, {
          userId: callingUserId(request),
          clientId: request.params.client_id,
          origin: originOf(request),
        }))
      )
        throw failure('not_found');
      return reply.code(204).send(null);
    },
  );
}
