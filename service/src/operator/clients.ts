/** `/operator/clients`: the registry of OAuth clients. */
import Type, { type Static } from 'typebox';
import type { Db } from '../db/index.ts';
import {
  callerOf,
  type HttpServer,
  Page,
  PageQuery,
  Timestamp,
  toPage,
  Words,
} from '../http/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure } from '../lib/failures.ts';
import {
  type Client,
  createClient,
  deleteClient,
  findClient,
  GRANT_TYPES,
  type GrantType,
  listClientsPage,
  rotateClientSecret,
  updateClient,
} from '../oidc/index.ts';

const tags = ['operators: clients'];
const config = { access: { scopes: ['operator:clients'] } };

const Name = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'What people read when the application asks for consent.',
});
const RedirectUris = Type.Array(Type.String({ maxLength: 2000 }), {
  maxItems: 20,
  description:
    'Compared exactly; only the port varies, and on loopback only. https, http on loopback, or a reverse-domain scheme.',
});
const Scopes = Type.Array(Type.String({ maxLength: 64 }), {
  maxItems: 64,
  description: 'Everything that the application may ask for.',
});
const GrantTypes = Type.Array(Words(GRANT_TYPES, 'How it gets tokens.'), {
  minItems: 1,
  maxItems: 5,
  description:
    'Default: authorization_code with redirect URIs (and refresh_token with offline_access); client_credentials with a secret and none.',
});

const ClientRecord = Type.Object({
  client_id: Type.String(),
  client_name: Name,
  type: Words(['public', 'confidential'], 'Whether it can keep a secret.'),
  first_party: Type.Boolean({
    description: "The operator's own: people are not asked for consent.",
  }),
  enabled: Type.Boolean(),
  redirect_uris: RedirectUris,
  scopes: Scopes,
  grant_types: GrantTypes,
  created_at: Timestamp('When it was registered.'),
  updated_at: Timestamp('When it last changed.'),
});

const SecretAnswer = Type.Object({
  client_id: Type.String(),
  client_secret: Type.String({ description: 'Shown this once.' }),
});
const CreatedRecord = Type.Object({
  ...ClientRecord.properties,
  client_secret: Type.Optional(
    Type.String({ description: 'Shown this once; only its hash is stored.' }),
  ),
});

const NewClientBody = Type.Object(
  {
    client_id: Type.Optional(
      Type.String({
        minLength: 3,
        maxLength: 64,
        pattern: '^[A-Za-z0-9._~-]+$',
        description: 'Default: random.',
      }),
    ),
    client_name: Name,
    type: Words(['public', 'confidential'], 'Whether it can keep a secret.'),
    first_party: Type.Optional(Type.Boolean()),
    redirect_uris: Type.Optional(RedirectUris),
    scopes: Scopes,
    grant_types: Type.Optional(GrantTypes),
  },
  { additionalProperties: false },
);

const ChangesBody = Type.Object(
  {
    client_name: Type.Optional(Name),
    first_party: Type.Optional(Type.Boolean()),
    enabled: Type.Optional(Type.Boolean()),
    redirect_uris: Type.Optional(RedirectUris),
    scopes: Type.Optional(Scopes),
    grant_types: Type.Optional(GrantTypes),
  },
  { additionalProperties: false },
);

const REACH =
  "A client can get no operator's scope that the caller lacks, and one that has such a scope cannot be changed.";

const ClientParams = Type.Object({ client_id: Type.String({ description: 'The client.' }) });

function toRecord(client: Client): Static<typeof ClientRecord> {
  return {
    client_id: client.clientId,
    client_name: client.name,
    type: client.secretHash === undefined ? 'public' : 'confidential',
    first_party: client.isFirstParty,
    enabled: client.isEnabled,
    redirect_uris: [...client.redirectUris],
    scopes: [...client.scopes],
    grant_types: [...client.grantTypes],
    created_at: client.createdAt.toISOString(),
    updated_at: client.updatedAt.toISOString(),
  };
}

/** What a client most likely wants: people's sign-in where it has a redirect URI, its own tokens where it has a secret. */
function defaultGrants({
  type,
  redirect_uris = [],
  scopes,
}: Static<typeof NewClientBody>): GrantType[] {
  if (redirect_uris.length === 0)
    return type === 'confidential'
      ? ['client_credentials']
      : ['urn:ietf:params:oauth:grant-type:device_code'];
  return scopes.includes('offline_access')
    ? ['authorization_code', 'refresh_token']
    : ['authorization_code'];
}

export interface OperatorClientsDeps {
  readonly db: Db;
  readonly clock: Clock;
}

function registerReads(app: HttpServer, { db }: OperatorClientsDeps): void {
  app.get(
    '/operator/clients',
    {
      config,
      schema: {
        tags,
        summary: 'OAuth clients',
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
      schema: {
        tags,
        summary: 'One OAuth client',
        params: ClientParams,
        response: { 200: ClientRecord },
      },
    },
    async ({ params }) => {
      const client = await findClient(db, params.client_id);
      if (!client) throw failure('not_found');
      return toRecord(client);
    },
  );
}

function registerWrites(app: HttpServer, { db, clock }: OperatorClientsDeps): void {
  app.post(
    '/operator/clients',
    {
      config,
      schema: {
        tags,
        summary: 'Register an OAuth client',
        description: REACH,
        body: NewClientBody,
        response: { 200: CreatedRecord },
      },
    },
    async (request) => {
      const { body } = request;
      const fields = {
        ...(body.client_id !== undefined && { clientId: body.client_id }),
        name: body.client_name,
        isPublic: body.type === 'public',
        isFirstParty: body.first_party ?? false,
        redirectUris: body.redirect_uris ?? [],
        scopes: body.scopes,
        grantTypes: body.grant_types ?? defaultGrants(body),
      };
      const { client, secret } = await createClient(db, clock, fields, callerOf(request).scopes);
      return { ...toRecord(client), ...(secret !== undefined && { client_secret: secret }) };
    },
  );
  app.patch(
    '/operator/clients/:client_id',
    {
      config,
      schema: {
        tags,
        summary: 'Change an OAuth client',
        description: `Disabling it, or taking scopes away, revokes its tokens; what was granted goes on with the scopes that are left, and not at all beyond a disabling. ${REACH} The console's own client cannot be changed here.`,
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
        ...(body.enabled !== undefined && { isEnabled: body.enabled }),
        ...(body.redirect_uris && { redirectUris: body.redirect_uris }),
        ...(body.scopes && { scopes: body.scopes }),
        ...(body.grant_types && { grantTypes: body.grant_types }),
      };
      return toRecord(
        await updateClient(db, clock, params.client_id, changes, callerOf(request).scopes),
      );
    },
  );
  app.post(
    '/operator/clients/:client_id/secret',
    {
      config,
      schema: {
        tags,
        summary: 'Give a client a new secret',
        description: `The old one ends at once. ${REACH}`,
        params: ClientParams,
        response: { 200: SecretAnswer },
      },
    },
    async (request) => {
      const { client_id } = request.params;
      return {
        client_id,
        client_secret: await rotateClientSecret(db, clock, client_id, callerOf(request).scopes),
      };
    },
  );
  app.delete(
    '/operator/clients/:client_id',
    {
      config,
      schema: {
        tags,
        summary: 'Remove a client and revoke its tokens',
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
  registerWrites(app, deps);
}
