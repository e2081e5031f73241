/** `/me/push-subscriptions`, `/push-subscriptions/renew` */
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { callingUserId, getCaller, type HttpServer, parsePathId } from '../../http/index.ts';
import { readOrigin } from '../../identity/index.ts';
import { failure } from '../../lib/failures.ts';
import { readLanguage } from '../../lib/language.ts';
import { OWN } from '../access.ts';
import { operations } from '../operations.ts';
import {
  RenewalBody,
  SavedSubscription,
  SubscriptionBody,
  SubscriptionList,
  SubscriptionParams,
} from './schemas.ts';
import {
  addSubscription,
  type BrowserSession,
  confirmSubscription,
  deleteSubscription,
  listSubscriptions,
  renewSubscription,
  type SubscriptionDeps,
} from './subscriptions.ts';
import type { VapidKey } from './vapid-key.ts';

/** @throws `wrong_token_kind` */
function sessionOf(request: FastifyRequest): BrowserSession {
  const { sid } = getCaller(request);
  if (sid === undefined)
    throw failure('wrong_token_kind', { detail: 'This route requires the token of a session.' });
  return {
    userId: callingUserId(request),
    sid,
    userAgent: readOrigin(request).userAgent,
    language: readLanguage(request.headers['accept-language']),
  };
}

export interface PushRoutes extends SubscriptionDeps {
  readonly vapidKey: Pick<VapidKey, 'publicKey'>;
}

function registerWrites(app: HttpServer, deps: SubscriptionDeps): void {
  app.post(
    '/me/push-subscriptions',
    {
      config: OWN,
      schema: {
        ...operations.addPushSubscription,
        body: SubscriptionBody,
        response: { 200: SavedSubscription },
      },
    },
    async (request) => addSubscription(deps, sessionOf(request), request.body),
  );
  app.put(
    '/me/push-subscriptions/:id',
    {
      config: OWN,
      schema: {
        ...operations.confirmPushSubscription,
        params: SubscriptionParams,
        body: SubscriptionBody,
        response: { 200: SavedSubscription },
      },
    },
    async (request) =>
      confirmSubscription(deps, sessionOf(request), parsePathId(request.params.id), request.body),
  );
  app.delete(
    '/me/push-subscriptions/:id',
    {
      config: OWN,
      schema: {
        ...operations.deletePushSubscription,
        params: SubscriptionParams,
        response: { 204: Type.Null({ description: 'It gets no more.' }) },
      },
    },
    async (request, reply) => {
      await deleteSubscription(
        deps.database,
        callingUserId(request),
        parsePathId(request.params.id),
      );
      return reply.code(204).send(null);
    },
  );
}

export function registerPushRoutes(app: HttpServer, deps: PushRoutes): void {
  const { database, vapidKey } = deps;
  app.get(
    '/me/push-subscriptions',
    {
      config: OWN,
      schema: { ...operations.listPushSubscriptions, response: { 200: SubscriptionList } },
    },
    async (request) => ({
      application_server_key: vapidKey.publicKey,
      subscriptions: await listSubscriptions(database, callingUserId(request)),
    }),
  );
  registerWrites(app, deps);
  app.post(
    '/push-subscriptions/renew',
    {
      config: { access: 'open' },
      schema: {
        ...operations.renewPushSubscription,
        body: RenewalBody,
        response: { 204: Type.Null({ description: 'Messages go there from now on.' }) },
      },
    },
    async (request, reply) => {
      await renewSubscription(deps, request.body);
      return reply.code(204).send(null);
    },
  );
}
