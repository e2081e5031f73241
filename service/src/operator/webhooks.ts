/** `/operator/webhooks`: where events are sent. */

import Type from 'typebox';
import type { Db } from '../db/index.ts';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookDeps,
} from '../events/index.ts';
import { getCaller, type HttpServer, parsePathId } from '../http/index.ts';
import { failure } from '../lib/failures.ts';
import { operations } from './operations/webhooks.ts';
import { registerDeliveries } from './webhook-deliveries.ts';
import {
  config,
  NewWebhookBody,
  toWebhook,
  WebhookChangesBody,
  WebhookParams,
  WebhookVO,
  WebhookWithSecret,
} from './webhook-schemas.ts';

function registerCreationAndReads(app: HttpServer, db: Db, deps: WebhookDeps): void {
  app.post(
    '/operator/webhooks',
    {
      config,
      schema: {
        ...operations.createWebhook,
        body: NewWebhookBody,
        response: { 200: WebhookWithSecret },
      },
    },
    async (request) => {
      const { url, description = '', event_types: eventTypes = [] } = request.body;
      const { webhook, secret } = await createWebhook(
        db,
        deps,
        { url, description, eventTypes },
        getCaller(request).clientId,
      );
      return { ...toWebhook(webhook), secret };
    },
  );
  app.get(
    '/operator/webhooks',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: { ...operations.listWebhooks, response: { 200: Type.Array(WebhookVO) } },
    },
    async () => (await listWebhooks(db)).map(toWebhook),
  );
  app.get(
    '/operator/webhooks/:id',
    {
      config: { ...config, readsFrom: 'standby' },
      schema: { ...operations.getWebhook, params: WebhookParams, response: { 200: WebhookVO } },
    },
    async (request) => {
      const webhook = await findWebhook(db, parsePathId(request.params.id));
      if (!webhook) throw failure('not_found');
      return toWebhook(webhook);
    },
  );
}

function registerChanges(app: HttpServer, db: Db, deps: WebhookDeps): void {
  app.patch(
    '/operator/webhooks/:id',
    {
      config,
      schema: {
        ...operations.updateWebhook,
        params: WebhookParams,
        body: WebhookChangesBody,
        response: { 200: WebhookVO },
      },
    },
    async (request) => {
      const { event_types: eventTypes, active: isActive, url, description } = request.body;
      const change = {
        ...(url !== undefined && { url }),
        ...(description !== undefined && { description }),
        ...(eventTypes && { eventTypes }),
        isActive,
      };
      return toWebhook(await updateWebhook(db, deps, parsePathId(request.params.id), change));
    },
  );
  app.delete(
    '/operator/webhooks/:id',
    {
      config,
      schema: {
        ...operations.deleteWebhook,
        params: WebhookParams,
        response: { 204: Type.Null({ description: 'Done.' }) },
      },
    },
    async (request, reply) => {
      await deleteWebhook(db, deps.clock, parsePathId(request.params.id));
      return reply.code(204).send(null);
    },
  );
  app.post(
    '/operator/webhooks/:id/rotate-secret',
    {
      config,
      schema: {
        ...operations.rotateWebhookSecret,
        params: WebhookParams,
        response: { 200: WebhookWithSecret },
      },
    },
    async (request) => {
      const { webhook, secret } = await rotateWebhookSecret(
        db,
        deps,
        parsePathId(request.params.id),
      );
      return { ...toWebhook(webhook), secret };
    },
  );
}

export function registerOperatorWebhooks(app: HttpServer, db: Db, deps: WebhookDeps): void {
  registerCreationAndReads(app, db, deps);
  registerChanges(app, db, deps);
  registerDeliveries(app, db, deps);
}
