/** Queries of consents. */
import { type Db, defineStatement, execute } from '../../db/index.ts';

const FIND_REMEMBERED_SCOPES = defineStatement(
  'remembered-scopes',
  `select scopes from consent
   where user_id = :user_id and client_id = :client_id and is_remembered`,
);
const FIND_ANSWERED_REQUEST = defineStatement(
  'answered-request',
  "select 1 from oidc_object where model = 'AnsweredRequest' and id = :uid",
);

/** Scopes that the user granted a client and that need no new consent. */
export async function readRememberedScopes(
  db: Db,
  userId: number,
  clientId: string,
): Promise<ReadonlySet<string>> {
  const values = { user_id: userId, client_id: clientId };
  const { rows } = await execute<{ scopes: string[] }>(db, FIND_REMEMBERED_SCOPES, values);
  return new Set(rows[0]?.scopes);
}

/** True once the decision about a request was recorded. */
export async function isAnswered(db: Db, uid: string): Promise<boolean> {
  return (await execute(db, FIND_ANSWERED_REQUEST, { uid })).rowCount > 0;
}

export interface Connection {
  readonly clientId: string;
  readonly name: string;
  readonly isFirstParty: boolean;
  readonly logoHash: string | undefined;
  readonly scopes: readonly string[];
  readonly isRemembered: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

interface Row {
  client_id: string;
  name: string;
  is_first_party: boolean;
  logo_hash: string | null;
  scopes: string[];
  is_remembered: boolean;
  created_at: Date;
  updated_at: Date;
}

/** The applications that a user has connected, most recent first. */
export async function listConnections(db: Db, userId: number): Promise<Connection[]> {
  const { rows } = await db.query<Row>(
    `select c.client_id, o.name, o.is_first_party, c.scopes, c.is_remembered, c.created_at,
       c.updated_at, l.hash as logo_hash
     from consent c join oauth_client o using (client_id)
       left join client_logo l using (client_id)
     where c.user_id = $1 and o.removed_at is null
     order by c.updated_at desc, c.client_id limit 500`,
    [userId],
  );
  return rows.map((row) => ({
    clientId: row.client_id,
    name: row.name,
    isFirstParty: row.is_first_party,
    logoHash: row.logo_hash ?? undefined,
    scopes: row.scopes,
    isRemembered: row.is_remembered,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }));
}
