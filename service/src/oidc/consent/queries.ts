/** What people have allowed. */
import type { Db } from '../../db/index.ts';

/** Scopes that a person allowed a client and need not be asked for again. */
export async function readRememberedScopes(
  db: Db,
  userId: number,
  clientId: string,
): Promise<ReadonlySet<string>> {
  const { rows } = await db.prepared<{ scopes: string[] }>(
    'remembered-scopes',
    'select scopes from consent where user_id = $1 and client_id = $2 and is_remembered',
    [userId, clientId],
  );
  return new Set(rows[0]?.scopes);
}

/** True once an answer to a request was taken. */
export async function isAnswered(db: Db, uid: string): Promise<boolean> {
  const { rowCount } = await db.prepared(
    'answered-request',
    "select 1 from oidc_object where model = 'AnsweredRequest' and id = $1",
    [uid],
  );
  return rowCount > 0;
}

export interface Connection {
  readonly clientId: string;
  readonly name: string;
  readonly isFirstParty: boolean;
  readonly scopes: readonly string[];
  readonly isRemembered: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface Row {
  client_id: string;
  name: string;
  is_first_party: boolean;
  scopes: string[];
  is_remembered: boolean;
  created_at: Date;
  updated_at: Date;
}

/** The clients that a person has let in, most recent first. */
export async function listConnections(db: Db, userId: number): Promise<Connection[]> {
  const { rows } = await db.query<Row>(
    `select c.client_id, o.name, o.is_first_party, c.scopes, c.is_remembered, c.created_at, c.updated_at
     from consent c join oauth_client o using (client_id) where c.user_id = $1 order by c.updated_at desc, c.client_id limit 500`,
    [userId],
  );
  return rows.map((row) => ({
    clientId: row.client_id,
    name: row.name,
    isFirstParty: row.is_first_party,
    scopes: row.scopes,
    isRemembered: row.is_remembered,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}
