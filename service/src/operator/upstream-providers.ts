/** `/operator/upstream-providers`: OpenID providers of others at which users can sign in. */
import Type, { type Static } from 'typebox';
import { type Database, transaction } from '../db/index.ts';
import { type HttpServer, OutgoingError, StringEnum, Timestamp } from '../http/index.ts';
import {
  type ConnectionDeps,
  createUpstreamConnections,
  deleteProvider,
  findProvider,
  listProviders,
  type ProviderSettings,
  putProvider,
  type UpstreamProvider,
} from '../identity/index.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { operations } from './operations/clients.ts';

/** What is the same for each client of a well-known provider. */
const PRESETS = {
  google: { label: 'Google', issuer: 'https://accounts.google.com' },
  // Personal accounts; organisations have issuers of their own.
  microsoft: {
    label: 'Microsoft',
    issuer: 'https://login.microsoftonline.com/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0',
  },
} as const;
type Preset = keyof typeof PRESETS;

const Label = Type.String({ minLength: 1, maxLength: 40, description: 'Name at the sign-in.' });
const Issuer = Type.String({
  minLength: 1,
  maxLength: 512,
  description:
    'Issuer identifier (OpenID Connect Discovery 1.0): https, no query; its metadata is read ' +
    'when the provider is stored.',
});
const ClientId = Type.String({
  minLength: 1,
  maxLength: 512,
  description: 'The client that the provider has registered for this service.',
});
const Scopes = Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5b\\x5d-\\x7e]{1,100}$' }), {
  minItems: 1,
  maxItems: 20,
  description: 'What is requested; `openid` is needed. Default: openid, email, profile.',
});
const SecondFactorAmr = Type.Array(Type.String({ minLength: 1, maxLength: 32 }), {
  maxItems: 20,
  description:
    'Values of `amr` (RFC 8176) in an ID token of the provider that count as the second factor ' +
    'of a linked account. Default: none, and the second factor is asked here.',
});
const Enabled = Type.Boolean({ description: 'Users can sign in with it; default: true.' });

const Order = Type.Object(
  {
    preset: Type.Optional(
      StringEnum(Object.keys(PRESETS) as Preset[], 'A known provider, for label and issuer.'),
    ),
    label: Type.Optional(Label),
    issuer: Type.Optional(Issuer),
    client_id: ClientId,
    client_secret: Type.Optional(
      Type.Union([Type.String({ minLength: 1, maxLength: 4096 }), Type.Null()], {
        description:
          'Stored encrypted and never shown. Left out: the stored one stays if issuer and client ' +
          'stay. Null, or none: a public client.',
      }),
    ),
    scopes: Type.Optional(Scopes),
    second_factor_amr: Type.Optional(SecondFactorAmr),
    enabled: Type.Optional(Enabled),
  },
  { additionalProperties: false },
);

const Id = Type.String({ description: 'Lower-case letters, digits and hyphens, at most 40.' });
const Provider = Type.Object(
  {
    id: Id,
    label: Label,
    issuer: Issuer,
    client_id: ClientId,
    has_secret: Type.Boolean({ description: 'A client secret is stored.' }),
    scopes: Scopes,
    second_factor_amr: SecondFactorAmr,
    enabled: Enabled,
    updated_at: Timestamp('The last change.'),
  },
  { $id: 'UpstreamProvider', description: 'An OpenID provider of others.' },
);
const Providers = Type.Array(Provider, { description: 'By id.' });

const toRecord = (provider: UpstreamProvider): Static<typeof Provider> => ({
  id: provider.id,
  label: provider.label,
  issuer: provider.issuer,
  client_id: provider.clientId,
  has_secret: provider.secretSealed !== undefined,
  scopes: [...provider.scopes],
  second_factor_amr: [...provider.secondFactorAmr],
  enabled: provider.isEnabled,
  updated_at: provider.updatedAt.toISOString(),
});

/** @throws `invalid_parameter` */
function readSettings(id: string, body: Static<typeof Order>): ProviderSettings {
  const preset = body.preset && PRESETS[body.preset];
  const { label = preset?.label, issuer = preset?.issuer, client_secret: clientSecret } = body;
  if (label === undefined) throw fieldError('label', 'required', 'is required without a preset');
  if (issuer === undefined) throw fieldError('issuer', 'required', 'is required without a preset');
  const scopes = [...new Set(body.scopes ?? ['openid', 'email', 'profile'])];
  if (!scopes.includes('openid')) throw fieldError('scopes', 'required', 'must contain openid');
  return {
    ...{ id, label, issuer, clientId: body.client_id, scopes },
    ...(clientSecret !== undefined && { clientSecret }),
    secondFactorAmr: [...new Set(body.second_factor_amr)],
    isEnabled: body.enabled ?? true,
  };
}

const UNFIT: readonly string[] = ['malformed_url', 'not_https', 'address_refused'];

/** Why the metadata of an issuer could not be read, for the operator. */
function toIssuerError(error: unknown): Error {
  const { cause } = error as { cause?: unknown };
  const reason = [error, cause].find((one) => one instanceof OutgoingError);
  if (!reason) return fieldError('issuer', 'no_metadata', 'answers no metadata of this issuer');
  if (UNFIT.includes(reason.problem)) return fieldError('issuer', reason.problem, reason.message);
  return failure('upstream_unreachable', { detail: `Its metadata: ${reason.message}.`, cause });
}

function refuse(error: unknown): never {
  throw toIssuerError(error);
}

export interface UpstreamProvidersDeps extends ConnectionDeps {
  readonly database: Database;
}

const ACCESS = { access: { scopes: ['operator:clients'] } } as const;
const params = Type.Object({ id: Id });

export function registerUpstreamProviders(app: HttpServer, deps: UpstreamProvidersDeps): void {
  const { database } = deps;
  const { readIssuer } = createUpstreamConnections(deps);
  const listAll = async () => (await listProviders(database)).map(toRecord);
  app.get(
    '/operator/upstream-providers',
    {
      config: ACCESS,
      schema: { ...operations.listUpstreamProviders, response: { 200: Providers } },
    },
    listAll,
  );
  app.put(
    '/operator/upstream-providers/:id',
    {
      config: ACCESS,
      schema: {
        ...operations.putUpstreamProvider,
        params,
        body: Order,
        response: { 200: Providers },
      },
    },
    async (request) => {
      const { id } = request.params;
      if (!/^[a-z0-9-]{1,40}$/.test(id))
        throw failure('not_found', {
          detail: 'A provider is named by lower-case letters, digits and hyphens.',
        });
      const settings = readSettings(id, request.body);
      // A known issuer that is down can be disabled, too.
      const isKnown = (await findProvider(database, id))?.issuer === settings.issuer;
      const issuer = isKnown ? settings.issuer : await readIssuer(settings.issuer).catch(refuse);
      await transaction(database, (tx) => putProvider(tx, deps, { ...settings, issuer }));
      return listAll();
    },
  );
  app.delete(
    '/operator/upstream-providers/:id',
    {
      config: ACCESS,
      schema: { ...operations.deleteUpstreamProvider, params, response: { 200: Providers } },
    },
    async (request) => {
      if (!(await deleteProvider(database, request.params.id))) throw failure('not_found');
      return listAll();
    },
  );
}
