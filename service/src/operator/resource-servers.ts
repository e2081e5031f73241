/** `/operator/resource-servers`: APIs of the operator that take access tokens of this service. */
import Type, { type Static } from 'typebox';
import { type Database, transaction } from '../db/index.ts';
import { type HttpServer, Timestamp } from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import {
  deleteResourceServer,
  listResourceServers,
  putResourceServer,
  type ResourceServer,
  SCOPE_NAME,
  SCOPE_NAME_MAX,
} from '../oidc/index.ts';
import { operations } from './operations/clients.ts';

const Id = Type.String({ description: 'Lower-case letters, digits and hyphens, at most 40.' });
const settings = {
  name: Type.String({ minLength: 1, maxLength: 100, description: 'Name for operators.' }),
  audience: Type.String({
    minLength: 1,
    maxLength: 512,
    description:
      'What requests name as `resource` and tokens carry as `aud` (RFC 8707): an absolute URI ' +
      'without a fragment, for example the address of the API. Fixed once stored.',
  }),
  scopes: Type.Array(
    Type.Object(
      {
        name: Type.String({
          pattern: SCOPE_NAME,
          maxLength: SCOPE_NAME_MAX,
          description: 'For example `orders:read`; unique among all resource servers.',
        }),
        description: Type.String({
          minLength: 1,
          maxLength: 200,
          description: 'What it permits, shown to the user who is asked for consent.',
        }),
      },
      { additionalProperties: false },
    ),
    {
      maxItems: 100,
      description: 'All scopes. One that a client still has cannot be left out.',
    },
  ),
};
const Enabled = Type.Boolean({
  description: 'False: it gets no tokens, and introspection answers that none is active.',
});

const Order = Type.Object(
  { ...settings, enabled: Type.Optional(Enabled) },
  { additionalProperties: false },
);
const Answer = Type.Object(
  { id: Id, ...settings, enabled: Enabled, updated_at: Timestamp('The last change.') },
  { $id: 'ResourceServer', description: 'An API that takes access tokens of this service.' },
);
const Answers = Type.Array(Answer, { description: 'By id.' });

const toRecord = (server: ResourceServer): Static<typeof Answer> => ({
  id: server.id,
  name: server.name,
  audience: server.audience,
  scopes: server.scopes.map((scope) => ({ ...scope })),
  enabled: server.isEnabled,
  updated_at: server.updatedAt.toISOString(),
});

export interface ResourceServersDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly config: { readonly BASE_URL: string };
}

const ACCESS = { access: { scopes: ['operator:clients'] } } as const;
const params = Type.Object({ id: Id });

export function registerResourceServers(app: HttpServer, deps: ResourceServersDeps): void {
  const { database, clock, config } = deps;
  const listAll = async () => (await listResourceServers(database)).map(toRecord);
  app.get(
    '/operator/resource-servers',
    { config: ACCESS, schema: { ...operations.listResourceServers, response: { 200: Answers } } },
    listAll,
  );
  app.put(
    '/operator/resource-servers/:id',
    {
      config: ACCESS,
      schema: {
        ...operations.putResourceServer,
        params,
        body: Order,
        response: { 200: Answers },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!/^[a-z0-9-]{1,40}$/.test(id))
        throw failure('not_found', {
          detail: 'A resource server is named by lower-case letters, digits and hyphens.',
        });
      const { enabled: isEnabled = true, ...rest } = request.body;
      await transaction(database, (tx) =>
        putResourceServer(tx, { clock, issuer: config.BASE_URL }, { id, isEnabled, ...rest }),
      );
      return listAll();
    },
  );
  app.delete(
    '/operator/resource-servers/:id',
    {
      config: ACCESS,
      schema: { ...operations.deleteResourceServer, params, response: { 200: Answers } },
    },
    async (request) => {
      await transaction(database, (tx) => deleteResourceServer(tx, request.params.id));
      return listAll();
    },
  );
}
