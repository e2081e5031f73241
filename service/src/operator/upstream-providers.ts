/** `/operator/upstream-providers`: OpenID providers of others at which users can sign in. */
import Type, { type Static } from 'typebox';
import { type Database, transaction } from '../db/index.ts';
import { type HttpServer, OutgoingError } from '../http/index.ts';
import {
  type ConnectionDeps,
  createUpstreamConnections,
  deleteProvider,
  findProvider,
  listProviders,
  type ProviderSettings,
  putProvider,
  signAppleSecret,
  type UpstreamProvider,
} from '../identity/index.ts';
import type { Clock } from '../lib/clock.ts';
import { failure, fieldError } from '../lib/failures.ts';
import { operations } from './operations/clients.ts';
import {
  Id,
  Order,
  PRESETS,
  type Preset,
  type Provider,
  Providers,
} from './upstream-provider-schemas.ts';

const toRecord = (provider: UpstreamProvider): Static<typeof Provider> => ({
  id: provider.id,
  label: provider.label,
  issuer: provider.issuer,
  client_id: provider.clientId,
  has_secret: provider.secretSealed !== undefined,
  scopes: [...provider.scopes],
  second_factor_amr: [...provider.secondFactorAmr],
  response_mode: provider.responseMode,
  sends_nonce: provider.sendsNonce,
  enabled: provider.isEnabled,
  updated_at: provider.updatedAt.toISOString(),
});

/** @throws `invalid_parameter` */
function readCredential({
  client_secret: secret,
  apple_key: appleKey,
}: Static<typeof Order>): Pick<ProviderSettings, 'credential'> {
  if (appleKey === undefined) {
    if (secret === undefined) return {};
    return { credential: secret === null ? null : { secret } };
  }
  if (typeof secret === 'string')
    throw fieldError('apple_key', 'repeated', 'replaces client_secret: send one');
  return { credential: { appleKey } };
}

/** A key that cannot sign is refused before it is stored. @throws `invalid_parameter` */
async function checkAppleKey(clock: Clock, settings: ProviderSettings): Promise<void> {
  const { credential } = settings;
  if (!credential || !('appleKey' in credential)) return;
  await signAppleSecret(clock, settings, credential.appleKey).catch(() => {
    throw fieldError('apple_key.private_key', 'no_key', 'is no ES256 key in PKCS #8');
  });
}

/** @throws `invalid_parameter` */
function readSettings(id: string, body: Static<typeof Order>): ProviderSettings {
  const preset: Preset | undefined = body.preset && PRESETS[body.preset];
  const { label = preset?.label, issuer = preset?.issuer } = body;
  if (label === undefined) throw fieldError('label', 'required', 'is required without a preset');
  if (issuer === undefined) throw fieldError('issuer', 'required', 'is required without a preset');
  const scopes = [...new Set(body.scopes ?? preset?.scopes ?? ['openid', 'email', 'profile'])];
  if (!scopes.includes('openid')) throw fieldError('scopes', 'required', 'must contain openid');
  return {
    ...{ id, label, issuer, clientId: body.client_id, scopes },
    ...readCredential(body),
    responseMode: body.response_mode ?? preset?.responseMode ?? 'query',
    secondFactorAmr: [...new Set(body.second_factor_amr)],
    sendsNonce: body.sends_nonce ?? preset?.sendsNonce ?? true,
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
      await checkAppleKey(deps.clock, settings);
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
