/** OpenID providers of others at which users can sign in; the operator sets them up. */
import { type Db, queryNamed, type Transaction } from '../../db/index.ts';
import type { Clock } from '../../lib/clock.ts';
import type { MasterKey } from '../../master-key.ts';
import { createCipher } from '../secret-encryption.ts';
import { WALLET_ISSUERS } from '../wallets/wallet-chains.ts';

/** `form_post`: OAuth 2.0 Form Post Response Mode. */
export type ResponseMode = 'query' | 'form_post';

/** The key with which Apple's clients sign their secret. */
export interface AppleKey {
  readonly team_id: string;
  readonly key_id: string;
  /** PKCS #8, PEM. */
  readonly private_key: string;
}

export type ClientCredential = { readonly secret: string } | { readonly appleKey: AppleKey };

export interface UpstreamProvider {
  /** Lower-case letters, digits and hyphens; part of URLs. */
  readonly id: string;
  /** Name on the sign-in page. */
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  /** A `ClientCredential`, encrypted; undefined: a public client. */
  readonly secretSealed?: Buffer;
  readonly scopes: readonly string[];
  /** Values of `amr` (RFC 8176) in an ID token that count as the second factor. */
  readonly secondFactorAmr: readonly string[];
  readonly responseMode: ResponseMode;
  /** False: the provider returns no nonce; PKCE alone binds the code to the browser. */
  readonly sendsNonce: boolean;
  readonly isEnabled: boolean;
  readonly updatedAt: Date;
}

interface ProviderRow {
  id: string;
  label: string;
  issuer: string;
  client_id: string;
  secret_sealed: Buffer | null;
  scopes: string[];
  second_factor_amr: string[];
  response_mode: ResponseMode;
  sends_nonce: boolean;
  is_enabled: boolean;
  updated_at: Date;
}

const toProvider = (row: ProviderRow): UpstreamProvider => ({
  id: row.id,
  label: row.label,
  issuer: row.issuer,
  clientId: row.client_id,
  ...(row.secret_sealed !== null && { secretSealed: row.secret_sealed }),
  scopes: row.scopes,
  secondFactorAmr: row.second_factor_amr,
  responseMode: row.response_mode,
  sendsNonce: row.sends_nonce,
  isEnabled: row.is_enabled,
  updatedAt: row.updated_at,
});

const cipherOf = (masterKey: MasterKey) => createCipher(masterKey.derive('upstream-provider'));

/** Decrypts what authenticates this service. */
export function openCredential(
  masterKey: MasterKey,
  { id, secretSealed }: UpstreamProvider,
): ClientCredential | undefined {
  if (secretSealed === undefined) return undefined;
  return JSON.parse(cipherOf(masterKey).decrypt(secretSealed, id).toString()) as ClientCredential;
}

/** All providers, by id. There are few. */
export async function listProviders(db: Db): Promise<UpstreamProvider[]> {
  const { rows } = await db.query<ProviderRow>('select * from upstream_provider order by id');
  return rows.map(toProvider);
}

/** What users may choose from, on the wire. */
export const toOffers = (providers: readonly UpstreamProvider[]) =>
  providers.filter(({ isEnabled }) => isEnabled).map(({ id, label }) => ({ id, label }));

export async function findProvider(db: Db, id: string): Promise<UpstreamProvider | undefined> {
  const { rows } = await queryNamed<ProviderRow>(
    db,
    'select * from upstream_provider where id = :id',
    { id },
  );
  return rows[0] && toProvider(rows[0]);
}

/** Users can sign in with accounts of `:issuer` now. */
export const IS_ISSUER_ENABLED = `(:issuer in ${WALLET_ISSUERS}
  or exists (select 1 from upstream_provider where issuer = :issuer and is_enabled))`;

export async function isIssuerEnabled(db: Db, issuer: string): Promise<boolean> {
  const sql = `select ${IS_ISSUER_ENABLED} as is_enabled`;
  const { rows } = await queryNamed<{ is_enabled: boolean }>(db, sql, { issuer });
  return rows[0]?.is_enabled ?? false;
}

export interface ProviderSettings {
  readonly id: string;
  readonly label: string;
  readonly issuer: string;
  readonly clientId: string;
  /** Undefined keeps a stored one; null removes it. */
  readonly credential?: ClientCredential | null;
  readonly scopes: readonly string[];
  readonly secondFactorAmr: readonly string[];
  readonly responseMode: ResponseMode;
  /** Default: true. */
  readonly sendsNonce?: boolean;
  readonly isEnabled: boolean;
}

/** Creates a provider or replaces its settings. A secret stays with issuer and client only. */
export async function putProvider(
  tx: Transaction,
  { clock, masterKey }: { readonly clock: Clock; readonly masterKey: MasterKey },
  settings: ProviderSettings,
): Promise<void> {
  const { id, label, issuer, clientId, credential, scopes, secondFactorAmr } = settings;
  await queryNamed(
    tx,
    `insert into upstream_provider as kept (id, label, issuer, client_id, secret_sealed, scopes,
       second_factor_amr, response_mode, sends_nonce, is_enabled, created_at, updated_at)
     values (:id, :label, :issuer, :client_id, :secret_sealed, :scopes, :second_factor_amr,
       :response_mode, :sends_nonce, :is_enabled, :now, :now)
     on conflict (id) do update set label = excluded.label, issuer = excluded.issuer,
       client_id = excluded.client_id, scopes = excluded.scopes,
       second_factor_amr = excluded.second_factor_amr, is_enabled = excluded.is_enabled,
       response_mode = excluded.response_mode, sends_nonce = excluded.sends_nonce,
       updated_at = excluded.updated_at,
       secret_sealed = case when :keeps_secret and kept.issuer = excluded.issuer
           and kept.client_id = excluded.client_id
         then kept.secret_sealed else excluded.secret_sealed end`,
    {
      id,
      label,
      issuer,
      client_id: clientId,
      secret_sealed:
        credential == null
          ? null
          : cipherOf(masterKey).encrypt(Buffer.from(JSON.stringify(credential)), id),
      keeps_secret: credential === undefined,
      scopes,
      second_factor_amr: secondFactorAmr,
      response_mode: settings.responseMode,
      sends_nonce: settings.sendsNonce ?? true,
      is_enabled: settings.isEnabled,
      now: clock.now(),
    },
  );
}

/** Linked accounts stay: they count again when the issuer is set up again. */
export async function deleteProvider(db: Db, id: string): Promise<boolean> {
  const sql = 'delete from upstream_provider where id = :id';
  return (await queryNamed(db, sql, { id })).rowCount > 0;
}
