/** `/operator/clients`: the registry of OAuth clients. */

import Type from 'typebox';
import type { Db } from '../db/index.ts';
import {
  getCaller,
  type HttpServer,
  type Outgoing,
  Page,
  PageQuery,
  toPage,
} from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import {
  type ClientMetadata,
  checkMetadataUrls,
  createClient,
  deleteClient,
  findClient,
  listClientsPage,
  pickMetadata,
  readNamedLogo,
  rotateClientSecret,
  updateClient,
} from '../oidc/index.ts';
import {
  ChangesBody,
  ClientParams,
  ClientRecord,
  CreatedRecord,
  defaultGrants,
  NewClientBody,
  SecretAnswer,
  toRecord,
} from './client-schemas.ts';
import { operations } from './operations/clients.ts';
import { registerRegistrationTokens } from './registration-tokens.ts';

const config = { access: { scopes: ['operator:clients'] } };

export interface OperatorClientsDeps {
  readonly db: Db;
  readonly clock: Clock;
  readonly outgoing: Outgoing;
}

/** Metadata of a request, with addresses that the service can reach, and the logo that it names. */
async function readMetadata(body: Partial<ClientMetadata>, outgoing: Outgoing) {
  const metadata = pickMetadata(body);
  checkMetadataUrls(metadata, outgoing);
  return { metadata, ...(await readNamedLogo(outgoing, metadata)) };
}

function registerReads(app: HttpServer, { db }: OperatorClientsDeps): void {
  app.get(
    '/operator/clients',
    {
      config,
      schema: {
        ...operations.listClients,
        querystring: PageQuery,
        response: { 200: Page(ClientRecord) },
      },
    },
    async ({ query }) => {
      const { clients, total } = await listClientsPage(db, query);
      return toPage(clients.map(toRecord), total, query);
    },
  );
  app.get(
    '/operator/clients/:client_id',
    {
      config,
      schema: { ...operations.getClient, params: ClientParams, response: { 200: ClientRecord } },
    },
    async ({ params }) => {
      const client = await findClient(db, params.client_id);
      if (!client) throw failure('not_found');
      return toRecord(client);
    },
  );
}

function registerCreationAndChanges(app: HttpServer, deps: OperatorClientsDeps): void {
  const { db, clock, outgoing } = deps;
  app.post(
    '/operator/clients',
    {
      config,
      schema: { ...operations.createClient, body: NewClientBody, response: { 200: CreatedRecord } },
    },
    async (request) => {
      const { body } = request;
      const fields = {
        ...(body.client_id !== undefined && { clientId: body.client_id }),
        name: body.client_name,
        isPublic: body.type === 'public',
        isFirstParty: body.first_party ?? false,
        requiresPkce: body.require_pkce ?? true,
        redirectUris: body.redirect_uris ?? [],
        scopes: body.scopes,
        grantTypes: body.grant_types ?? defaultGrants(body),
        ...(await readMetadata(body, outgoing)),
      };
      const { client, secret } = await createClient(db, clock, fields, getCaller(request).scopes);
      return { ...toRecord(client), ...(secret !== undefined && { client_secret: secret }) };
    },
  );
  app.patch(
    '/operator/clients/:client_id',
    {
      config,
      schema: {
        ...operations.updateClient,
        params: ClientParams,
        body: ChangesBody,
        response: { 200: ClientRecord },
      },
    },
    async (request) => {
      const { params, body } = request;
      const changes = {
        ...(body.client_name !== undefined && { name: body.client_name }),
        ...(body.first_party !== undefined && { isFirstParty: body.first_party }),
        ...(body.require_pkce !== undefined && { requiresPkce: body.require_pkce }),
        ...(body.enabled !== undefined && { isEnabled: body.enabled }),
        ...(body.redirect_uris && { redirectUris: body.redirect_uris }),
        ...(body.scopes && { scopes: body.scopes }),
        ...(body.grant_types && { grantTypes: body.grant_types }),
        ...(await readMetadata(body, outgoing)),
      };
      return toRecord(
        await updateClient(db, clock, params.client_id, {
          ...changes,
          access: getCaller(request).scopes,
        }),
      );
    },
  );
}

function registerRotationAndDeletion(app: HttpServer, { db, clock }: OperatorClientsDeps): void {
  app.post(
    '/operator/clients/:client_id/secret',
    {
      config,
      schema: {
        ...operations.replaceClientSecret,
        params: ClientParams,
        response: { 200: SecretAnswer },
      },
    },
    async (request) => {
      const { client_id } = request.params;
      return {
        client_id,
        client_secret: await rotateClientSecret(db, clock, client_id, getCaller(request).scopes),
      };
    },
  );
  app.delete(
    '/operator/clients/:client_id',
    {
      config,
      schema: {
        ...operations.deleteClient,
        params: ClientParams,
        response: { 204: Type.Null({ description: 'Removed.' }) },
      },
    },
    async ({ params }, reply) => {
      await deleteClient(db, clock, params.client_id);
      return reply.code(204).send(null);
    },
  );
}

export function registerOperatorClients(app: HttpServer, deps: OperatorClientsDeps): void {
  registerReads(app, deps);
  registerCreationAndChanges(app, deps);
  registerRotationAndDeletion(app, deps);
  registerRegistrationTokens(app, deps);
}
