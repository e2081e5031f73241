/** Queries of clients. */
import { type Db, queryNamed } from '../../db/index.ts';
import type { ClientMetadata } from './metadata.ts';
import type { Client, GrantType } from './types.ts';

interface Row {
  client_id: string;
  name: string;
  secret_hash: string | null;
  redirect_uris: string[];
  scopes: string[];
  grant_types: GrantType[];
  sector: string;
  is_first_party: boolean;
  requires_pkce: boolean;
  metadata: ClientMetadata;
  logo_hash: string | null;
  is_enabled: boolean;
  created_at: Date;
  updated_at: Date;
}

const COLUMNS = `client_id, name, secret_hash, redirect_uris, scopes, grant_types, sector,
  is_first_party, requires_pkce, metadata, is_enabled, created_at, updated_at,
  (select l.hash from client_logo l where l.client_id = oauth_client.client_id) as logo_hash`;

/** A removed client is in the table until what belongs to it is deleted. */
const IS_THERE = 'removed_at is null';

function toClient(row: Row): Client {
  return {
    clientId: row.client_id,
    name: row.name,
    ...(row.secret_hash !== null && { secretHash: row.secret_hash }),
    redirectUris: row.redirect_uris,
    scopes: row.scopes,
    grantTypes: row.grant_types,
    sector: row.sector,
    isFirstParty: row.is_first_party,
    requiresPkce: row.requires_pkce,
    metadata: row.metadata,
    ...(row.logo_hash !== null && { logoHash: row.logo_hash }),
    isEnabled: row.is_enabled,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export async function findClient(db: Db, clientId: string): Promise<Client | undefined> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from oauth_client where client_id = $1 and ${IS_THERE}`,
    [clientId],
  );
  return rows[0] && toClient(rows[0]);
}

/** The enabled ones among these clients. */
export async function findEnabledClients(db: Db, clientIds: readonly string[]): Promise<Client[]> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from oauth_client where client_id = any ($1) and is_enabled`,
    [clientIds],
  );
  return rows.map(toClient);
}

export async function listClients(db: Db): Promise<Client[]> {
  const { rows } = await db.query<Row>(
    `select ${COLUMNS} from oauth_client where ${IS_THERE} order by created_at, client_id`,
  );
  return rows.map(toClient);
}

export async function listClientsPage(
  db: Db,
  page: { current: number; size: number },
): Promise<{ clients: Client[]; total: number }> {
  const { rows } = await queryNamed<Row>(
    db,
    `select ${COLUMNS} from oauth_client where ${IS_THERE} order by created_at, client_id
      limit :size offset :skipped`,
    { size: page.size, skipped: (page.current - 1) * page.size },
  );
  const { rows: counts } = await db.query<{ total: number }>(
    `select count(*)::int as total from oauth_client where ${IS_THERE}`,
  );
  return { clients: rows.map(toClient), total: counts[0]?.total ?? 0 };
}
